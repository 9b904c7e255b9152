import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { test } from 'node:test';
import { bundle } from '../../../scripts/bundle.mjs';
import { temporaryFolder } from './temporaryFolder.mjs';

/** A compiled package: two nodes and two credentials, with code that they share. */
const COMPILED = {
	'client/errors/index.js': "export class Refused extends Error { constructor(text) { super(text); this.name = new.target.name; } }",
	'nodes/shared/loads.js': `import { K } from '../../credentials/K.credentials';
import { secret } from '../../credentials/secret';
export const loads = { count: 0, credential: new K().name, secret };
loads.count += 1;`,
	'nodes/A/refuse.js': `import { Refused } from '../../client/errors';
/** Refuses everything. */
export function refuse() { throw new Refused('no'); }`,
	'nodes/A/A.node.js': `import { loads } from '../shared/loads';
import { Refused } from './refused';
import { refuse } from './refuse';
export class A { loads = loads; other = Refused.name; refuse() { refuse(); } }`,
	'nodes/A/refused.js': 'class Refused {}\nexport { Refused };',
	'nodes/B/B.node.js': `import { loads } from '../shared/loads';
export class B { loads = loads; }`,
	'credentials/secret.js': "export const secret = 's';",
	'credentials/K.credentials.js': `import { secret } from './secret';
export class K { name = 'k' + secret; }`,
	'credentials/L.credentials.js': `import { secret } from './secret';
export class L { name = 'l' + secret; }`,
}; // prettier-ignore

/**
 * Bundles that package.
 * @param {Readonly<Record<string, string>>} [other] further modules, or other texts of them
 * @returns {Promise<string>} its folder
 */
async function bundled(other = {}) {
	const nodes = ['dist/nodes/A/A.node.js', 'dist/nodes/B/B.node.js'];
	const credentials = ['dist/credentials/K.credentials.js', 'dist/credentials/L.credentials.js'];
	/** @type {Record<string, string>} */
	const files = { 'package.json': JSON.stringify({ n8n: { nodes, credentials } }) };
	for (const [path, text] of Object.entries({ ...COMPILED, ...other })) files[`compiled/${path}`] = text;
	const folder = await temporaryFolder(files);
	await bundle(folder, join(folder, 'compiled'));
	return folder;
}

/**
 * Runs a program in the folder of the package.
 * @param {string} folder
 * @param {string} expression what it prints as JSON
 * @returns {unknown}
 */
function evaluated(folder, expression) {
	const program = `const { A } = require('./dist/nodes/A/A.node.js');
const { B } = require('./dist/nodes/B/B.node.js');
console.log(JSON.stringify(${expression}));`;
	return JSON.parse(execFileSync(execPath, ['-e', program], { cwd: folder, encoding: 'utf8' }));
}

test('each node and credential is one file, and shared code is one file per layer', async () => {
	const folder = await bundled();
	const files = await readdir(join(folder, 'dist'), { recursive: true });
	assert.deepEqual(files.filter((file) => file.endsWith('.js')).map((file) => file.replaceAll('\\', '/')).sort(), [
		'client/client.js',
		'credentials/K.credentials.js',
		'credentials/L.credentials.js',
		'credentials/credentials.js',
		'nodes/A/A.node.js',
		'nodes/B/B.node.js',
		'nodes/shared/shared.js',
	]); // prettier-ignore
	assert.deepEqual(evaluated(folder, '[new A().loads === new B().loads, new B().loads]'), [true, { count: 1, credential: 'ks', secret: 's' }]); // prettier-ignore
});

test('a credential loads no code of nodes, because n8n loads credentials at start', async () => {
	const folder = await bundled();
	const program = "require('./dist/credentials/K.credentials.js'); console.log(JSON.stringify(Object.keys(require.cache)));";
	const loaded = execFileSync(execPath, ['-e', program], { cwd: folder, encoding: 'utf8' });
	assert.doesNotMatch(loaded, /dist.{1,2}(?:nodes|client)/);
}); // prettier-ignore

test('stack traces keep the names of the sources, and two classes may have one name', async () => {
	const folder = await bundled();
	const trace = "(() => { try { new A().refuse(); } catch (error) { return error.stack; } })()";
	assert.match(String(evaluated(folder, trace)), /^Refused: no\n\s+at refuse \(/);
	assert.equal(evaluated(folder, 'new A().other'), 'Refused');
}); // prettier-ignore

test('an import that n8n does not provide ends the build, even if it is installed', async () => {
	for (const name of ['installed', 'zod', 'fs', 'node:crypto'])
		await assert.rejects(
			bundled({
				'nodes/A/refuse.js': `import refuse from '${name}'; export { refuse };`,
				[`node_modules/${name}/index.js`]: 'export default () => 1;',
			}),
			new RegExp(`must not import "${name}"`),
		);
});
