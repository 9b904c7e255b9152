import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { runInNewContext } from 'node:vm';
import { z } from 'zod/v4';
import { patternsIn } from '../../../scripts/patterns.mjs';
import { root } from '../../../scripts/setup/paths.mjs';

const examples = join(root, 'examples');
const exampleSchema = z.looseObject({
	nodes: z.array(z.looseObject({ type: z.string(), name: z.string(), parameters: z.looseObject({}) })),
});
const nodes = readdirSync(examples)
	.filter((file) => file.endsWith('.json'))
	.flatMap((file) => exampleSchema.parse(JSON.parse(readFileSync(join(examples, file), 'utf8'))).nodes)
	.filter(({ type }) => type.startsWith('n8n-nodes-datagrid.') && !type.endsWith('Tool'));
const patterns = await patternsIn(examples);

const builtSchema = z.object({
	type: z.string(),
	version: z.number(),
	config: z.object({ name: z.string(), parameters: z.looseObject({}) }),
});

/**
 * What a pattern builds, by the functions of n8n's workflow builder.
 * @param {string} content
 */
function builtBy(content) {
	const [first, ...code] = content.split('\n').slice(0, -1);
	assert.match(first ?? '', /^<patterns><pattern title="/);
	const builder = {
		node: (/** @type {unknown} */ given) => JSON.stringify(given),
		expr: (/** @type {string} */ text) => `=${text}`,
	};
	return builtSchema.parse(JSON.parse(z.string().parse(runInNewContext(code.join('\n'), builder))));
}

test('each pattern has four lines and the parameters of an example', () => {
	for (const [nodeType, ofType] of patterns) {
		for (const { content, displayOptions } of ofType) {
			assert.equal(content.split('\n').length, 4);
			const { type, config } = builtBy(content);
			assert.equal(type, nodeType);
			const same = nodes.filter((node) => node.type === type && node.name === config.name);
			assert.ok(
				same.some(({ parameters }) => isDeepStrictEqual(parameters, config.parameters)),
				config.name,
			);
			const { resource, operation } = config.parameters;
			const show = displayOptions && { resource: [resource], operation: [operation] };
			assert.deepEqual(displayOptions?.show, show);
		}
	}
});

test('each operation of the examples has one pattern', () => {
	const wanted = nodes.map(({ type, parameters }) =>
		[type, parameters.resource, parameters.operation].join(),
	);
	const has = [...patterns].flatMap(([type, all]) =>
		all.map(({ displayOptions }) =>
			[type, displayOptions?.show['resource'], displayOptions?.show['operation']].join(),
		),
	);
	assert.deepEqual(has.sort(), [...new Set(wanted)].sort());
});
