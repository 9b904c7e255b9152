import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { root } from '../../scripts/setup/paths.mjs';
import type { Workflow, N8nRest } from '../n8n/rest';

const credentialsSchema = z.object({ dataGridApi: z.looseObject({ name: z.string() }) });
const nodeSchema = z.looseObject({
	name: z.string(),
	type: z.string(),
	parameters: z.record(z.string(), z.unknown()),
});
const exampleSchema = z.looseObject({ name: z.string(), nodes: z.array(nodeSchema) });
/** Addresses of n8n's webhooks and of the CRM in the examples. */
const WEBHOOKS = 'http://localhost:5678/';
const CRM = 'http://localhost:5690/';

export type Example = z.infer<typeof exampleSchema>;
type ExampleNode = z.infer<typeof nodeSchema>;

/** Choices in an example after its import */
export interface Choices {
	/** The first one if the example names none */
	credentials: readonly { id: string; name: string }[];
	pollSeconds: number;
	n8nUrl: string;
	crmUrl: string;
}

/** @returns the files in `examples/` */
export async function exampleFiles(): Promise<string[]> {
	const files = await readdir(join(root, 'examples'));
	return files.filter((file) => file.endsWith('.json')).sort();
}

/**
 * Poll times in n8n's notation.
 * @param seconds poll interval, a divisor of 60. n8n refuses steps, ranges and lists of seconds,
 *   but accepts one entry per second
 */
export function pollEvery(seconds: number) {
	const item = Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${String(index * seconds)} * * * * *`,
	}));
	return { item };
}

/**
 * Reads an example and chooses its credentials.
 * @param file in `examples/`
 */
export async function readExample(file: string, choices: Choices): Promise<Example> {
	const example = exampleSchema.parse(JSON.parse(await readFile(join(root, 'examples', file), 'utf8')));
	const nodes = example.nodes.map((node) => {
		if (node.type.startsWith('n8n-nodes-datagrid.')) return withChoices(file, node, choices);
		const { url } = node.parameters;
		if (typeof url !== 'string') return node;
		const own = url.replace(WEBHOOKS, `${choices.n8nUrl}/`).replace(CRM, `${choices.crmUrl}/`);
		return { ...node, parameters: { ...node.parameters, url: own } };
	});
	return { ...example, nodes };
}

function withChoices(file: string, node: ExampleNode, { credentials, pollSeconds }: Choices) {
	const named = credentialsSchema.safeParse(node['credentials']).data?.dataGridApi.name;
	const credential = named === undefined ? credentials[0] : credentials.find(({ name }) => name === named);
	if (credential === undefined) throw new Error(`${file} names the unknown credential "${String(named)}"`);
	const polling = node.type.endsWith('Trigger') && { pollTimes: pollEvery(pollSeconds) };
	return {
		...node,
		parameters: { ...node.parameters, ...polling },
		credentials: { dataGridApi: { id: credential.id, name: credential.name } },
	};
}

/** Imports a workflow into n8n, unless it has one of that name, which the user may have changed. */
export async function putWorkflow(rest: N8nRest, example: Example): Promise<Workflow> {
	const old = (await rest.workflows()).find(({ name }) => name === example.name);
	return await (old ? rest.workflow(old.id) : rest.createWorkflow(example));
}
