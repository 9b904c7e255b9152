import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';

const folder = join(__dirname, 'version1');

const parametersSchema = z.custom<INodeParameters>(
	(value) => z.record(z.string(), z.json()).safeParse(value).success,
);
const itemSchema = z.custom<INodeExecutionData>(
	(value) => z.object({ json: z.looseObject({}) }).safeParse(value).success,
);

/** The parts of a saved workflow that an execution needs. */
const workflowSchema = z.object({
	nodes: z.array(
		z.object({
			name: z.string(),
			type: z.string(),
			typeVersion: z.number(),
			parameters: parametersSchema,
			credentials: z.record(z.string(), z.object({ id: z.string(), name: z.string() })).optional(),
		}),
	),
	connections: z.record(z.string(), z.object({ main: z.array(z.array(z.object({ node: z.string() }))) })),
	pinData: z.record(z.string(), z.array(itemSchema)),
});
type SavedNode = z.infer<typeof workflowSchema>['nodes'][number];

/** A node of the package in a saved workflow, and the items that reach it. */
export interface Step extends SavedNode {
	input: INodeExecutionData[];
}

/** The names of the saved workflows. */
export const saved = readdirSync(folder)
	.filter((file) => file.endsWith('.json') && !file.endsWith('.output.json'))
	.map((file) => file.replace(/\.json$/, ''));

const PLACEHOLDER = /<[a-z]\w* ?[^<>"]*>/g;

/**
 * Reads the nodes of a saved workflow, in the order in which they run.
 * @param names IDs by placeholder; if omitted, placeholders are kept
 */
export function stepsOf(name: string, names?: ReadonlyMap<string, string>): Step[] {
	const text = readFileSync(join(folder, `${name}.json`), 'utf8');
	const filled = names
		? text.replace(PLACEHOLDER, (placeholder) => names.get(placeholder) ?? placeholder)
		: text;
	const { nodes, connections, pinData } = workflowSchema.parse(JSON.parse(filled));
	return nodes
		.filter(({ type }) => type.startsWith('n8n-nodes-datagrid.'))
		.map((node) => {
			const [before] = Object.entries(connections).filter(([, { main }]) =>
				main.flat().some((connection) => connection.node === node.name),
			);
			return { ...node, input: pinData[before?.[0] ?? ''] ?? [] };
		});
}

const outputFile = (name: string) => join(folder, `${name}.output.json`);
const outputSchema = z.record(z.string(), z.unknown());

/** What each node of a saved workflow put out when it was recorded. */
export function recorded(name: string): Record<string, unknown> {
	const file = outputFile(name);
	return existsSync(file) ? outputSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

/** Adds the output of nodes that have none yet; `npm run format` then lays the file out. */
export function record(name: string, outputs: Record<string, unknown>): void {
	writeFileSync(outputFile(name), JSON.stringify({ ...outputs, ...recorded(name) }));
}

const NEW_ID = /\b[0-9a-f]{24}\b/g;
const NEW_COLUMN = /\bf[0-9a-f]{9}\b/g;
const TOKEN = /(?<=\/api\/[ar]\/<user>\/)[0-9a-f]{32}/g;
/** Of the query in a batch cursor, which holds ids. */
const DIGEST = /(?<=\\"query\\":\\")[0-9a-f]{16}/g;
const MOMENT = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const HOUR_MS = 3_600_000;

const textSchema = z.object({ data: z.string(), fileName: z.string().optional() });

/** The text of each file of an item. */
const filesOf = (binary: INodeExecutionData['binary'] = {}): IDataObject =>
	Object.fromEntries(
		Object.entries(binary).map(([property, file]) => {
			const { data, fileName } = textSchema.parse(file);
			return [property, { fileName, text: Buffer.from(data, 'base64').toString('utf8') }];
		}),
	);

/**
 * The outputs of a node with what differs from run to run replaced: ids and addresses by the
 * placeholders of the account, new ones and the present moment by a word.
 */
export function comparable(outputs: INodeExecutionData[][], names: ReadonlyMap<string, string>): unknown {
	const items = outputs.map((output) =>
		output.map(({ json, binary, pairedItem }) => ({
			json: 'secret' in json ? { ...json, key: '<new key>', secret: '<new secret>' } : json,
			...(binary ? { files: filesOf(binary) } : {}),
			pairedItem,
		})),
	);
	let text = JSON.stringify(items);
	for (const [placeholder, value] of [...names].sort(([, one], [, other]) => other.length - one.length))
		text = text.replaceAll(value, placeholder);
	text = text
		.replace(TOKEN, '<new token>')
		.replace(NEW_ID, '<new id>')
		.replace(DIGEST, '<digest>')
		.replace(NEW_COLUMN, '<new column>')
		.replace(MOMENT, (moment) => (Date.now() - Date.parse(moment) < HOUR_MS ? '<now>' : moment));
	return JSON.parse(text);
}
