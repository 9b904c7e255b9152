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
const orderSchema = z.object({
	work: z.enum(['create', 'read']),
	contender: z.enum(['ours', 'plain', 'loop']),
	/** Base URL of the service. */
	baseUrl: z.string(),
	key: z.string(),
	secret: z.string(),
	spaceId: z.string(),
	gridId: z.string(),
	/** Path of the rows. */
	entities: z.string(),
	rows: z.number(),
	/** Concurrency. */
	ceiling: z.number(),
	pageSize: z.number(),
	isProfiled: z.boolean(),
});
export type FloorOrder = z.infer<typeof orderSchema>;

const pageSchema = z.object({ items: z.array(z.custom<IDataObject>()), numberOfPages: z.number() });

/** A minimal node, which has the cost of any node in n8n. */
function nodeOf(
	execute: (context: IExecuteFunctions, order: FloorOrder) => Promise<INodeExecutionData[]>,
): INodeType {
	return {
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
			properties: [{ displayName: 'Order', name: 'order', type: 'json', default: '{}' }],
		},
		async execute() {
			const order: unknown = JSON.parse(z.string().parse(this.getNodeParameter('order', 0)));
			return [await execute(this, orderSchema.parse(order))];
		},
	};
}

const headersOf = ({ key, secret }: FloorOrder) => ({
	authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
});

/** Lower bound for creates: n8n's helper in a loop. */
const creating = nodeOf(async (context, order) => {
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
});

/** Functions of their own, so that a profile shows their time. */
function writtenRow(item: { json?: IDataObject | undefined } = {}): string {
	return JSON.stringify(item.json);
}
function parsedPage(text: string): unknown {
	return JSON.parse(text);
}

/** Lower bound for reads: parsing pages. */
const reading = nodeOf(async (context, order) => (await pagesRead(context, order)).map((json) => ({ json })));

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
const creatingPlainly = nodeOf(async (context, order) => {
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
});

const createdSchema = z.object({ headers: z.object({ location: z.string() }) });

/** The same with new items without links, and with pairing. */
const readingPlainly = nodeOf(async (context, order) => {
	const items = await pagesRead(context, order);
	return items.map((entity) => {
		const json: IDataObject = {};
		for (const name in entity) if (name !== '_links' && name !== '_representation') json[name] = entity[name];
		return { json, pairedItem: { item: 0 } };
	});
});

const entitySchema = z.object({
	Entity: z.custom<new () => INodeType>((value) => typeof value === 'function'),
});

/** Built code, because the TypeScript loader adds overhead to sources. */
const built: unknown = createRequire(__filename)(join(root, 'dist', 'nodes', 'Entity', 'Entity.node.js'));
const { Entity } = entitySchema.parse(built);
addNodeType('bench.ours', new Entity());
addNodeType('bench.create', creating);
addNodeType('bench.read', reading);
addNodeType('bench.createPlainly', creatingPlainly);
addNodeType('bench.readPlainly', readingPlainly);

const inputOf = ({ work, rows }: FloorOrder): IDataObject[] =>
	work === 'read' ? [{}] : Array.from({ length: rows }, (_, n) => ({ ...WIDE.rowOf(n) }));

const OPERATIONS = {
	create: { operation: 'create', columns: { mappingMode: 'autoMapInputData', value: null } },
	read: { operation: 'getMany', returnAll: true },
};

async function run(order: FloorOrder) {
	const { work, contender, baseUrl, key, secret, spaceId, gridId, ceiling } = order;
	const input = inputOf(order);
	const parameters =
		contender === 'ours'
			? {
					...{ resource: 'entity', ...OPERATIONS[work] },
					space: { __rl: true, mode: 'id', value: spaceId },
					grid: { __rl: true, mode: 'id', value: gridId },
				}
			: { order: JSON.stringify(order) };
	const settings = {
		type: contender === 'ours' ? 'bench.ours' : `bench.${work}${contender === 'plain' ? 'Plainly' : ''}`,
		parameters,
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

process.on('message', (order: unknown) => {
	void run(orderSchema.parse(order)).then((result) => process.send?.(result));
});
process.on('disconnect', () => {
	stopEngine();
	process.exit();
});
process.send?.({ ready: true });
