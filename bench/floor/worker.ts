import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { z } from 'zod/v4';
import { runNode, stopEngine } from '../../testbed/engine/engine';
import { addNodeType } from '../../testbed/engine/nodeTypes';
import { root } from '../../scripts/setup/paths.mjs';
import { each } from '../n8n/floor/each';
import { NARROW, WIDE } from '../target/shapes';
import { profiled } from './causes';

/** Parameters of a turn. */
export interface FloorOrder {
	work: 'create' | 'read';
	contender: 'ours' | 'plain' | 'loop';
	/** Base URL of the service. */
	baseUrl: string;
	key: string;
	secret: string;
	spaceId: string;
	gridId: string;
	/** Path of the rows. */
	entities: string;
	rows: number;
	columns: 10 | 20;
	/** Concurrency. */
	ceiling: number;
	pageSize: number;
	isProfiled: boolean;
}

type Execution = (
	context: IExecuteFunctions,
	order: FloorOrder,
	bodies: readonly string[],
) => Promise<INodeExecutionData[]>;

/** As the node sends its requests: n8n's handling of redirects takes time that it does not need. */
const AS_THE_NODE = {
	encoding: 'text',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;
const answerSchema = z.object({ statusCode: z.number(), body: z.unknown() });

const pageSchema = z.object({ items: z.array(z.custom<IDataObject>()), numberOfPages: z.number() });

/** A minimal node, which has the cost of any node in n8n. */
const nodeOf = (execute: Execution, order: FloorOrder, bodies: readonly string[]): INodeType => ({
	description: {
		displayName: 'Floor',
		name: 'floor',
		group: ['transform'],
		version: 1,
		description: 'Sends requests with the HTTP helper of n8n',
		defaults: { name: 'Floor' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'dataGridApi', required: true }],
		properties: [],
	},
	async execute() {
		return [await execute(this, order, bodies)];
	},
});

const headersOf = ({ key, secret }: FloorOrder) => ({
	authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
});

/** Lower bound for creates: n8n's helper in a loop, with bodies that were made before. */
const creating: Execution = async (context, order, bodies) => {
	const url = `${order.baseUrl}${order.entities}?layout=key`;
	const headers = { ...headersOf(order), 'content-type': 'application/json' };
	const output: INodeExecutionData[] = [];
	await each(bodies.length, order.ceiling, async (index) => {
		const body = bodies[index] ?? '';
		const answer: unknown = await context.helpers.httpRequest({
			...AS_THE_NODE,
			...{ method: 'POST', url, headers, body },
		});
		if (answerSchema.parse(answer).statusCode === 201) output[index] = { json: {} };
	});
	return output;
};

/** Functions of their own, so that a profile shows their time. */
function writtenRow(item: { json?: IDataObject | undefined } = {}): string {
	return JSON.stringify(item.json);
}
function parsedPage(text: string): unknown {
	return JSON.parse(text);
}

/** Lower bound for reads: parsing pages, and passing on the values of their rows. */
const reading: Execution = async (context, order) =>
	(await pagesRead(context, order)).map((json) => ({ json }));

async function pagesRead(context: IExecuteFunctions, order: FloorOrder): Promise<IDataObject[]> {
	const url = `${order.baseUrl}${order.entities}?layout=field&pageSize=${order.pageSize}&pageIndex=`;
	const pages: IDataObject[][] = [];
	const read = async (index: number) => {
		const answer: unknown = await context.helpers.httpRequest({
			...AS_THE_NODE,
			...{ url: `${url}${index + 1}`, headers: headersOf(order) },
		});
		const { items, numberOfPages } = pageSchema.parse(parsedPage(String(answerSchema.parse(answer).body)));
		pages[index] = items.map(withoutLinks);
		return numberOfPages;
	};
	const count = await read(0);
	await each(count - 1, order.ceiling, async (index) => void (await read(index + 1)));
	return pages.flat();
}

/** What the node passes on of a row. */
function withoutLinks(entity: IDataObject): IDataObject {
	const json: IDataObject = {};
	for (const name in entity) if (name !== '_links' && name !== '_representation') json[name] = entity[name];
	return json;
}

/** The same with the work of every node: n8n's credential, new items, pairing. */
const creatingPlainly: Execution = async (context, order) => {
	const items = context.getInputData();
	const url = `${order.baseUrl}${order.entities}?layout=key`;
	const headers = { 'content-type': 'application/json' };
	const data = await context.getCredentials('dataGridApi');
	const credentialsDecrypted = { id: '', name: '', type: 'dataGridApi', data };
	const output: INodeExecutionData[] = [];
	await each(items.length, order.ceiling, async (item) => {
		const json = items[item]?.json;
		const answer: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context,
			'dataGridApi',
			{ ...AS_THE_NODE, method: 'POST', url, headers, body: writtenRow({ json }) },
			{ credentialsDecrypted },
		);
		const { location } = createdSchema.parse(answer).headers;
		output[item] = {
			json: { _id: location.slice(location.lastIndexOf('/') + 1), ...json },
			pairedItem: { item },
		};
	});
	return output;
};

const createdSchema = z.object({ headers: z.object({ location: z.string() }) });

/** The same with pairing. */
const readingPlainly: Execution = async (context, order) =>
	(await pagesRead(context, order)).map((json) => ({ json, pairedItem: { item: 0 } }));

const entitySchema = z.object({
	Entity: z.custom<new () => INodeType>((value) => typeof value === 'function'),
});

/** Built code, because the TypeScript loader adds overhead to sources. */
const built: unknown = createRequire(__filename)(join(root, 'dist', 'nodes', 'Entity', 'Entity.node.js'));
const { Entity } = entitySchema.parse(built);
addNodeType('bench.ours', new Entity());
const FLOORS = {
	create: { plain: creatingPlainly, loop: creating },
	read: { plain: readingPlainly, loop: reading },
};

const inputOf = ({ work, rows, columns }: FloorOrder): IDataObject[] => {
	const { rowOf } = columns === 10 ? NARROW : WIDE;
	return work === 'read' ? [{}] : Array.from({ length: rows }, (_, n) => ({ ...rowOf(n) }));
};

const OPERATIONS = {
	create: { operation: 'create', columns: { mappingMode: 'autoMapInputData', value: null } },
	read: { operation: 'getMany', returnAll: true },
};

async function run(order: FloorOrder) {
	const { work, contender, baseUrl, key, secret, spaceId, gridId, ceiling } = order;
	const input = inputOf(order);
	const space = { __rl: true, mode: 'id', value: spaceId };
	const grid = { __rl: true, mode: 'id', value: gridId };
	if (contender !== 'ours') {
		const bodies = work === 'create' && contender === 'loop' ? input.map((json) => writtenRow({ json })) : [];
		addNodeType('bench.floor', nodeOf(FLOORS[work][contender], order, bodies));
	}
	const settings = {
		type: contender === 'ours' ? 'bench.ours' : 'bench.floor',
		parameters: contender === 'ours' ? { resource: 'entity', ...OPERATIONS[work], space, grid } : {},
		credentials: {
			dataGridApi: { baseUrl, authentication: 'apiKey', key, secret, requestsAtATime: ceiling },
		},
		timezone: 'Europe/Berlin',
	};
	const execution = () => runNode(settings, input);
	global.gc?.();
	const before = process.cpuUsage();
	const began = performance.now();
	const { result, shares } = order.isProfiled ? await profiled(execution) : { result: await execution() };
	const wall = performance.now() - began;
	const { user, system } = process.cpuUsage(before);
	const { items, error } = result;
	return { cpu: (user + system) / 1000, wall, items: items.length, shares, error: error?.message };
}

process.on('message', (order: FloorOrder) => {
	void run(order).then((result) => process.send?.(result));
});
process.on('disconnect', () => {
	stopEngine();
	process.exit();
});
process.send?.({ ready: true });
