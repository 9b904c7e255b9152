import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { root } from '../../scripts/setup/paths.mjs';
import type { Workflow, N8nRest } from '../n8n/rest';
import type { KnownGrid } from './exampleGrids';
import type { Space } from '../../client/resources/spaces';

const credentialsSchema = z.object({ dataGridApi: z.looseObject({ name: z.string() }) });
const nodeSchema = z.looseObject({
	name: z.string(),
	type: z.string(),
	parameters: z.record(z.string(), z.unknown()),
});
const exampleSchema = z.looseObject({ name: z.string(), nodes: z.array(nodeSchema) });
const locatorSchema = z.looseObject({ cachedResultName: z.string() });
const namesSchema = z.array(z.string());
const becomesSchema = z.looseObject({ to: z.looseObject({ column: z.string() }) });
const columnsSchema = z.looseObject({
	value: z.record(z.string(), z.unknown()).nullish(),
	matchingColumns: namesSchema.optional(),
});

/** Addresses of n8n's webhooks and of the CRM in the examples. */
const WEBHOOKS = 'http://localhost:5678/';
const CRM = 'http://localhost:5690/';

export type Example = z.infer<typeof exampleSchema>;
type ExampleNode = z.infer<typeof nodeSchema>;

/** Choices in an example after its import */
export interface Choices {
	/** The first one if the example names none */
	credentials: readonly { id: string; name: string }[];
	space: Space;
	/** By the name in the example */
	grids: readonly KnownGrid[];
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
 * Reads an example and applies the choices of credential and grids.
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

function withChoices(file: string, node: ExampleNode, { credentials, space, grids, pollSeconds }: Choices) {
	const named = credentialsSchema.safeParse(node['credentials']).data?.dataGridApi.name;
	const credential = named === undefined ? credentials[0] : credentials.find(({ name }) => name === named);
	if (credential === undefined) throw new Error(`${file} names the unknown credential "${String(named)}"`);
	const polling = node.type.endsWith('Trigger') && { pollTimes: pollEvery(pollSeconds) };
	const connected = {
		...node,
		parameters: { ...node.parameters, ...polling },
		credentials: { dataGridApi: { id: credential.id, name: credential.name } },
	};
	if (findsByKey(node)) return connected;
	const wanted = locatorSchema.parse(node.parameters['grid']).cachedResultName;
	const known = grids.find(({ grid }) => grid.name === wanted);
	if (known === undefined) throw new Error(`${file} names the unknown grid "${wanted}"`);
	return {
		...connected,
		parameters: {
			...withIds(node.parameters, known),
			space: { __rl: true, mode: 'list', value: space.id, cachedResultName: space.name },
			grid: {
				__rl: true,
				mode: 'list',
				value: `${encodeURIComponent(space.id)}/${encodeURIComponent(known.grid.id)}`,
				cachedResultName: known.grid.name,
			},
			...polling,
		},
	};
}

/** Whether a node needs no choice: it names a key, or nothing that exists. */
function findsByKey({ parameters: { grid, space } }: ExampleNode): boolean {
	const { data } = z.looseObject({ mode: z.string() }).safeParse(grid ?? space);
	return data === undefined ? grid === undefined && space === undefined : data.mode === 'key';
}

/** Replaces names in the parameters by IDs, as n8n's editor stores a choice. */
function withIds(
	{ columns, keyColumns, view, form, options, ...rest }: Record<string, unknown>,
	{ fields, views, forms }: KnownGrid,
) {
	const idOf = (name: string) => fields.get(name) ?? name;
	const mapping = columnsSchema.safeParse(columns).data;
	return {
		...rest,
		...(mapping && {
			columns: {
				...mapping,
				value: mapping.value
					? Object.fromEntries(Object.entries(mapping.value).map(([name, value]) => [idOf(name), value]))
					: null,
				...(mapping.matchingColumns && { matchingColumns: mapping.matchingColumns.map(idOf) }),
			},
		}),
		...(keyColumns !== undefined && { keyColumns: namesSchema.parse(keyColumns).map(idOf) }),
		...(view !== undefined && { view: locatorFor(view, views) }),
		...(form !== undefined && { form: locatorFor(form, forms) }),
		...(options !== undefined && { options: optionsWithIds(options, { idOf, views }) }),
	};
}

/** The same for options: lists of columns, the column of the trigger's "Column Becomes", a view. */
function optionsWithIds(
	options: unknown,
	{ idOf, views }: { idOf: (name: string) => string; views: Map<string, string> },
) {
	const withId = (name: string, value: unknown) => {
		const becomes = becomesSchema.safeParse(value).data?.to;
		if (becomes) return { to: { ...becomes, column: idOf(becomes.column) } };
		if (name === 'view' && typeof value === 'string') return views.get(value) ?? '';
		return namesSchema.safeParse(value).data?.map(idOf) ?? value;
	};
	const entries = Object.entries(z.record(z.string(), z.unknown()).parse(options));
	return Object.fromEntries(entries.map(([name, value]) => [name, withId(name, value)]));
}

/** @param ids by name */
function locatorFor(locator: unknown, ids: Map<string, string>) {
	const { cachedResultName } = locatorSchema.parse(locator);
	const value = ids.get(cachedResultName);
	// Other services may not have it; it is then chosen manually or optional.
	if (value === undefined) return { __rl: true, mode: 'list', value: '' };
	return { __rl: true, mode: 'list', value, cachedResultName };
}

/**
 * Imports a workflow into n8n. Keeps an existing workflow of that name, because the user may have
 * changed it, unless it works on other grids.
 */
export async function putWorkflow(rest: N8nRest, example: Example): Promise<Workflow> {
	const summary = (await rest.workflows()).find(({ name }) => name === example.name);
	if (summary === undefined) return await rest.createWorkflow(example);
	return await updateIfOnOtherGrids(rest, await rest.workflow(summary.id), example);
}

async function updateIfOnOtherGrids(rest: N8nRest, old: Workflow, example: Example) {
	const grids = (nodes: { parameters: Record<string, unknown> }[]) =>
		nodes.flatMap(
			({ parameters }) =>
				z.looseObject({ value: z.string() }).safeParse(parameters['grid']).data?.value ?? [],
		);
	const ours = new Set(grids(example.nodes));
	if (grids(old.nodes).every((grid) => ours.has(grid))) return old;
	if (old.active) await rest.deactivate(old.id);
	const { nodes, connections } = example;
	return await rest.changeWorkflow(old.id, { nodes, connections });
}
