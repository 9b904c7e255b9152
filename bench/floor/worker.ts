import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { z } from 'zod/v4';
import { runNode, stopEngine } from '../../testbed/engine/engine';
import { addNodeType } from '../../testbed/engine/nodeTypes';
import { root } from '../../scripts/setup/paths.mjs';
import { each } from '../n8n/floor/each';
import { WIDE } from '../target/shapes';
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
	/** Concurrency. */
	ceiling: number;
	pageSize: number;
	isProfiled: boolean;
}

type Execution = (context: IExecuteFunctions, order: FloorOrder) => Promise<INodeExecutionData[]>;

const pageSchema = z.object({ items: z.array(z.custom<IDataObject>()), numberOfPages: z.number() });

/** A minimal node, which has the cost of any node in n8n. */
const nodeOf = (execute: Execution, order: FloorOrder): INodeType => ({
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
		return [await execute(this, order)];
	},
});

const headersOf = ({ key, secret }: FloorOrder) => ({
	authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
});

/** Lower bound for creates: n8n's helper in a loop. */
const creating: Execution = async (context, order) => {
	const items = context.getInputData();
	const url = `${order.baseUrl}${order.entities}?layout=key`;
	const headers = { ...headersOf(order), 'content-type': 'application/json' };
	const output: INodeExecutionData[] = [];
	await each(items.length, order.ceiling, async (index) => {
		const body = writtenRow(items[index]);
		await context.helpers.httpRequest({ method: 'POST', url, headers, body, encoding: 'text' });
		output[index] = { json: {} };
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

/** Lower bound for reads: parsing pages. */
const reading: Execution = async (context, order) =>
	(await pagesRead(context, order)).map((json) => ({ json }));

async function pagesRead(context: IExecuteFunctions, order: FloorOrder): Promise<IDataObject[]> {
	const url = `${order.baseUrl}${order.entities}?layout=field&pageSize=${order.pageSize}&pageIndex=`;
	const pages: IDataObject[][] = [];
	const read = async (index: number) => {
		const text: unknown = await context.helpers.httpRequest({
			url: `${url}${index + 1}`,
			headers: headersOf(order),
			encoding: 'text',
		});
		const { items, numberOfPages } = pageSchema.parse(parsedPage(String(text)));
		pages[index] = items;
		return numberOfPages;
	};
	const count = await read(0);
	await each(count - 1, order.ceiling, async (index) => void (await read(index + 1)));
	return pages.flat();
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
			{
				method: 'POST',
				url,
				headers,
				body: writtenRow({ json }),
				encoding: 'text',
				returnFullResponse: true,
			},
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

/** The same with new items without links, and with pairing. */
const readingPlainly: Execution = async (context, order) => {
	const items = await pagesRead(context, order);
	return items.map((entity) => {
		const json: IDataObject = {};
		for (const name in entity) if (name !== '_links' && name !== '_representation') json[name] = entity[name];
		return { json, pairedItem: { item: 0 } };
	});
};

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

const inputOf = ({ work, rows }: FloorOrder): IDataObject[] =>
	work === 'read' ? [{}] : Array.from({ length: rows }, (_, n) => ({ ...WIDE.rowOf(n) }));

const OPERATIONS = {
	create: { operation: 'create', columns: { mappingMode: 'autoMapInputData', value: null } },
	read: { operation: 'getMany', returnAll: true },
};

async function run(order: FloorOrder) {
	const { work, contender, baseUrl, key, secret, spaceId, gridId, ceiling } = order;
	const input = inputOf(order);
	const space = { __rl: true, mode: 'id', value: spaceId };
	const grid = { __rl: true, mode: 'id', value: gridId };
	if (contender !== 'ours') addNodeType('bench.floor', nodeOf(FLOORS[work][contender], order));
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
