import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { execPath } from 'node:process';
import { test } from 'node:test';
import { deferNodes } from '../../../scripts/deferNodes.mjs';
import { temporaryFolder } from './temporaryFolder.mjs';

/**
 * Creates a compiled package of one node, which counts how often its code is loaded.
 * @param {string} description the node's, as JavaScript
 * @returns {Promise<string>} its folder
 */
async function compiled(description) {
	return await temporaryFolder({
		'package.json': JSON.stringify({ name: 'n8n-nodes-a', n8n: { nodes: ['dist/nodes/A/A.node.js'] } }),
		'dist/nodes/A/loads.js': 'module.exports = { count: 0 };',
		'dist/nodes/A/A.node.js': `require('./loads').count++;
exports.A = class {
	description = ${description};
	methods = { listSearch: { async search(filter) { return [this.who, filter]; } } };
	async execute(...given) { return [this.who, ...given]; }
};`,
	});
}

/**
 * Loads the node of a package in a separate process, as n8n does.
 * @param {string} folder
 * @param {string} program body of an async function with the class and the
 *   load counter; returns JSON
 * @returns {unknown}
 */
function inN8n(folder, program) {
	const run = `(async (A, loads) => { ${program} })(require('./dist/nodes/A/A.node.js').A, require('./dist/nodes/A/loads.js'))
		.then((result) => console.log(JSON.stringify(result)))`;
	const { stdout, stderr } = spawnSync(execPath, ['-e', run], { cwd: folder, encoding: 'utf8' });
	assert.equal(stderr, '');
	return JSON.parse(stdout);
}

test('n8n gets the same description with patterns for its builder, and the first call loads the code', async () => {
	const folder = await compiled("{ name: 'a', properties: [{ name: 'b', default: '' }] }");
	const patterns = [{ content: 'a pattern' }];
	await deferNodes(folder, new Map([['n8n-nodes-a.a', patterns]]));
	const result = inN8n(
		folder,
		`const node = new A();
		const { description, methods } = node;
		const before = loads.count;
		const results = [await methods.listSearch.search.call({ who: 'list' }, 'f'), await node.execute.call({ who: 'n8n' }, 1, 2)];
		return { description, functions: Object.keys(methods.listSearch), before, results, after: loads.count };`,
	);
	assert.deepEqual(result, {
		description: {
			name: 'a',
			properties: [{ name: 'b', default: '' }],
			builderHint: { extraTypeDefContent: [{ content: 'a pattern' }] },
		},
		functions: ['search'],
		before: 0,
		results: [
			['list', 'f'],
			['n8n', 1, 2],
		],
		after: 1,
	});
});

test('each instance has its own description, because n8n adds to it', async () => {
	const folder = await compiled("{ name: 'a', properties: [] }");
	await deferNodes(folder);
	const result = inN8n(
		folder,
		"new A().description.properties.push('more'); return new A().description.properties;",
	);
	assert.deepEqual(result, []);
});

test('a description that JSON cannot represent ends the build', async () => {
	const folder = await compiled("{ name: 'a', properties: [() => 1] }");
	await assert.rejects(deferNodes(folder), /cannot represent/);
});
