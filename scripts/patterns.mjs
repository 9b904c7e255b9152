import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';

/** Types of this package; n8n derives those of tools from them. */
const OWN = /^n8n-nodes-datagrid\.(?!\w+Tool$)/;

const nodeSchema = z.looseObject({
	type: z.string(),
	typeVersion: z.number(),
	name: z.string(),
	parameters: z.looseObject({ resource: z.string().optional(), operation: z.string().optional() }),
});
const exampleSchema = z.looseObject({ nodes: z.array(nodeSchema) });
/** @typedef {z.infer<typeof nodeSchema>} ExampleNode */
/**
 * A pattern for one operation, as n8n's builder reads it.
 * @typedef {{ content: string, displayOptions?: { show: Record<string, string[]> } }} Pattern
 */

/**
 * A value as source text of n8n's workflow builder, in which `expr` makes an expression.
 * @param {unknown} value of JSON
 * @returns {string}
 */
function sourceOf(value) {
	if (typeof value === 'string' && value.startsWith('=')) return `expr(${JSON.stringify(value.slice(1))})`;
	if (Array.isArray(value)) return `[${value.map(sourceOf).join(', ')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const members = Object.entries(value).map(
		([name, member]) => `${/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)}: ${sourceOf(member)}`,
	);
	return `{ ${members.join(', ')} }`;
}

/** @param {ExampleNode} node @returns {Pattern} */
function patternOf({ type, typeVersion, name, parameters }) {
	const { resource, operation } = parameters;
	const content = [
		`<patterns><pattern title=${JSON.stringify(name)}>`,
		`node({ type: '${type}', version: ${typeVersion}, config: { name: ${JSON.stringify(name)},`,
		`  parameters: ${sourceOf(parameters)} } })`,
		'</pattern></patterns>',
	].join('\n');
	if (resource === undefined || operation === undefined) return { content };
	return { displayOptions: { show: { resource: [resource], operation: [operation] } }, content };
}

/**
 * Patterns for n8n's Assistant and its MCP server: for each operation of a node, the shortest of
 * the examples.
 * @param {string} folder of the examples
 * @returns {Promise<Map<string, Pattern[]>>} by node type
 */
export async function patternsIn(folder) {
	const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
	/** @type {Map<string, ExampleNode>} */
	const shortest = new Map();
	const sizeOf = (/** @type {ExampleNode} */ { parameters }) => JSON.stringify(parameters).length;
	for (const file of files) {
		const { nodes } = exampleSchema.parse(JSON.parse(await readFile(join(folder, file), 'utf8')));
		for (const node of nodes.filter(({ type }) => OWN.test(type))) {
			const { resource = '', operation = '' } = node.parameters;
			const key = JSON.stringify([node.type, resource, operation]);
			const other = shortest.get(key);
			if (!other || sizeOf(node) < sizeOf(other)) shortest.set(key, node);
		}
	}
	/** @type {Map<string, Pattern[]>} */
	const patterns = new Map();
	for (const node of shortest.values())
		patterns.set(node.type, [...(patterns.get(node.type) ?? []), patternOf(node)]);
	return patterns;
}
