// Generates docs/nodes/ from the built descriptions and the items of test/frozen/items.json,
// docs/errors.md from the sources, docs/permissions.md from the client's endpoints, llms.txt from
// the pages, and the figures in README.md and docs/development/benchmarks.md from
// bench/results.json. `--check` writes nothing and fails if a page is outdated.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod/v4';
import { readResults } from '../bench/results.ts';
import * as clientEndpoints from '../client/endpoints/endpoints.ts';
import { describedNodeSchema } from './docs/description.mjs';
import { withErrors } from './docs/errors.mjs';
import { withFigures, withSummary } from './docs/figures.mjs';
import { llmsText } from './docs/llms.mjs';
import { pageOf } from './docs/page.mjs';
import { endpointsSchema, withPermissions } from './docs/permissions.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'docs', 'nodes');
const require = createRequire(import.meta.url);
const check = process.argv.includes('--check');

const packageSchema = z.object({ n8n: z.object({ nodes: z.array(z.string()) }) });

const itemSchema = z.record(z.string(), z.unknown());
const samplesSchema = z.record(z.string(), z.object({ input: itemSchema.optional(), output: itemSchema }));

/**
 * Instance of the built node that a file exports, created like in n8n.
 * @param {string} path from the root
 */
function nodeAt(path) {
	const exported = z.record(z.string(), z.unknown()).parse(require(join(root, path)));
	const Node = Object.values(exported).find((value) => typeof value === 'function');
	if (typeof Node !== 'function') throw new Error(`${path} exports no class`);
	return describedNodeSchema.parse(Reflect.construct(Node, [])).description;
}

/** @param {string} path */
function textOf(path) {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return undefined;
	}
}

const manifest = packageSchema.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const nodes = manifest.n8n.nodes.map(nodeAt);
mkdirSync(folder, { recursive: true });
/** @type {Map<string, string>} */
const pages = new Map();
/** @param {string} path @param {(old: string) => string} change */
async function add(path, change) {
	const text = change(textOf(path) ?? '');
	pages.set(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}
const pictures = readdirSync(join(root, 'docs', 'images')).sort();
const samples = samplesSchema.parse(
	JSON.parse(readFileSync(join(root, 'test', 'frozen', 'items.json'), 'utf8')),
);
for (const node of nodes) await add(join(folder, `${node.name}.md`), () => pageOf(node, pictures, samples));
const orphans = readdirSync(folder)
	.map((name) => join(folder, name))
	.filter((path) => !pages.has(path));
await add(join(root, 'docs', 'errors.md'), (page) => withErrors(page, root));
const { endpoints } = endpointsSchema.parse(clientEndpoints);
await add(join(root, 'docs', 'permissions.md'), (page) => withPermissions(page, endpoints));
const results = await readResults(join(root, 'bench', 'results.json'));
if (results) {
	await add(join(root, 'README.md'), (page) => withSummary(page, results));
	await add(join(root, 'docs', 'development', 'benchmarks.md'), (page) => withFigures(page, results));
}
// Last: it lists the pages as they are then.
const titled = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
	.map((path) => join(root, 'docs', path))
	.filter((path) => path.endsWith('.md'));
const texts = new Map(
	[join(root, 'README.md'), ...titled].map((path) => [path, pages.get(path) ?? textOf(path) ?? '']),
);
const shortPaths = [...texts].map(([path, text]) => [
	path.slice(root.length + 1).replaceAll('\\', '/'),
	text,
]);
pages.set(
	join(root, 'llms.txt'),
	llmsText(new Map(shortPaths.map(([path = '', text = '']) => [path, text]))),
);
const stale = [...pages].filter(([path, text]) => textOf(path) !== text).map(([path]) => path);
if (check) {
	for (const path of [...stale, ...orphans])
		process.stderr.write(
			`${path.slice(root.length + 1)} is outdated: run npm run docs and commit the result\n`,
		);
	process.exitCode = stale.length + orphans.length > 0 ? 1 : 0;
} else {
	for (const path of orphans) rmSync(path);
	for (const [path, text] of pages) writeFileSync(path, text);
	process.stdout.write(`${pages.size} pages, ${stale.length} of them new or changed\n`);
}
