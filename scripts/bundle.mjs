import { readFile } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';
import { z } from 'zod/v4';

const packageSchema = z.object({
	n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }),
});

/** The only packages that published code may load; n8n and Node provide them. */
const PROVIDED = ['n8n-workflow', 'zod/v4', 'crypto'];

/** Refuses other imports: rollup would bundle packages and keep imports of Node.js modules. */
const onlyProvided = {
	name: 'only provided packages',
	/** @param {string} id */
	resolveId(id) {
		const isFile = id.startsWith('.') || isAbsolute(id);
		if (!isFile && !PROVIDED.includes(id)) throw new Error(`Published code must not import "${id}"`);
		return null;
	},
};

/** Files for the code that several entry points load, by folder. */
const SHARED = {
	client: 'client/client',
	'nodes/shared': 'nodes/shared/shared',
	credentials: 'credentials/credentials',
};

/**
 * Bundles the compiled modules into one file per node and credential, and one per layer that they
 * share. Resolving and reading hundreds of modules would take half the time of a node's first use.
 * The code stays readable.
 * @param {string} root the project; its entry points are those of package.json, in `dist/`
 * @param {string} compiled folder of the compiled ES modules
 * @throws if a module imports what n8n does not provide
 */
export async function bundle(root, compiled) {
	const { n8n } = packageSchema.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
	const names = [...n8n.nodes, ...n8n.credentials].map((path) => relative('dist', path).replace(/\.js$/, ''));
	const input = Object.fromEntries(names.map((name) => [name, join(compiled, `${name}.js`)]));
	const built = await rollup({
		input,
		external: PROVIDED,
		plugins: [onlyProvided, nodeResolve()],
		onLog(_level, { message }) {
			throw new Error(message);
		},
	});
	await built.write({
		dir: join(root, 'dist'),
		format: 'cjs',
		generatedCode: { constBindings: true, arrowFunctions: true, objectShorthand: true },
		entryFileNames: '[name].js',
		chunkFileNames: '[name].js',
		hoistTransitiveImports: false,
		manualChunks(id) {
			const path = relative(compiled, id).split(sep).join('/');
			return Object.entries(SHARED).find(([folder]) => path.startsWith(`${folder}/`))?.[1];
		},
	});
	await built.close();
}
