import assert from 'node:assert/strict';
import { readList, type Client } from '../../../client';
import { connectDataGrid } from '../../../testbed/demo/dataGrid';
import { outputOf } from '../../../testbed/n8n/execution';
import type { Workflow } from '../../../testbed/n8n/rest';
import { startTestServer, type TestServer } from '../../../testbed/testServer';
import { addUser, example, withCredential, type ExampleDemo } from './exampleDemo';
import { runByHand } from './running';

const SHOP = { consumerKey: 'ck_stand_in', consumerSecret: 'cs_stand_in' };
const PAGE_SIZE = 2;

interface ShopOrder {
	number: string;
	status: string;
	total: string;
	customer_note: string;
	date_created_gmt: string;
	billing: { first_name: string; last_name: string; email: string };
}

const order = (number: number, status: string): ShopOrder => ({
	number: String(number),
	status,
	total: '12.50',
	customer_note: `Note of the customer of ${number}`,
	date_created_gmt: '2026-03-01T08:30:00',
	billing: { first_name: 'Ada', last_name: `No. ${number}`, email: `ada${number}@example.com` },
});

/** A server that speaks as WooCommerce does (REST API v3): pages, and a link to the next one. */
async function startShop(orders: readonly ShopOrder[]): Promise<TestServer> {
	const expected = `Basic ${Buffer.from(`${SHOP.consumerKey}:${SHOP.consumerSecret}`).toString('base64')}`;
	const server: TestServer = await startTestServer((request, response) => {
		const url = new URL(request.url ?? '', server.url);
		if (request.headers.authorization !== expected || url.pathname !== '/wp-json/wc/v3/orders') {
			response.writeHead(401).end('{}');
			return;
		}
		const page = Number(url.searchParams.get('page') ?? 1);
		const rest = orders.slice((page - 1) * PAGE_SIZE);
		url.searchParams.set('page', String(page + 1));
		const link = rest.length > PAGE_SIZE ? `<${url.href}>; rel="next"` : `<${server.url}>; rel="collection"`;
		response.writeHead(200, { 'content-type': 'application/json', link });
		response.end(JSON.stringify(rest.slice(0, PAGE_SIZE)));
	});
	return server;
}

async function shopRows(client: Client) {
	const space = (await readList(client.spaces.list())).items.find(({ key }) => key === 'shop');
	assert.ok(space, 'there is no space with the key "shop"');
	const grids = (await readList(client.grids.list(space))).items;
	assert.deepEqual(
		grids.map(({ key }) => key),
		['orders'],
	);
	const [summary] = grids;
	assert.ok(summary);
	const grid = await client.grids.open(summary.address);
	const { items } = await client.entities.page(grid, { layout: 'property', pageSize: 100 });
	return { grid, rows: items };
}

/** An account without the grid gets it in the first run, and the next runs write what changed. */
async function runsIn(demo: ExampleDemo, client: Client, workflow: Workflow, orders: ShopOrder[]) {
	const run = async () => {
		const data = await runByHand(demo.rest, workflow, 'Every hour');
		return outputOf(data, 'Create or update by number').map(({ _outcome }) => _outcome);
	};
	assert.deepEqual(await run(), ['created', 'created', 'created']);
	const { grid, rows } = await shopRows(client);
	assert.deepEqual(rows.map(({ Number, Customer, Total }) => [Number, Customer, Total]).sort(), [
		['1001', 'Ada No. 1001', 12.5],
		['1002', 'Ada No. 1002', 12.5],
		['1003', 'Ada No. 1003', 12.5],
	]);
	assert.deepEqual(await run(), ['unchanged', 'unchanged', 'unchanged']);

	const second = rows.find(({ Number }) => Number === '1002');
	await client.entities.update(grid, String(second?._id), { Note: 'Call before noon' }, 'property');
	const shipped = orders.map((one) => (one.number === '1002' ? { ...one, status: 'completed' } : one));
	orders.splice(0, orders.length, ...shipped);
	assert.deepEqual(await run(), ['unchanged', 'updated', 'unchanged']);
	const changed = (await shopRows(client)).rows.find(({ Number }) => Number === '1002');
	assert.deepEqual([changed?.['Status'], changed?.['Note']], ['completed', 'Call before noon']);
}

export async function shopOrders(demo: ExampleDemo) {
	const { rest, client, folder, service } = demo;
	const orders: ShopOrder[] = [];
	const shop = await startShop(orders);
	try {
		const data = { ...SHOP, url: shop.url, includeCredentialsInQuery: false };
		const { id, name } = await rest.putCredential({ name: 'Shop', type: 'wooCommerceApi', data });
		const { nodes, ...imported } = await rest.workflow(example(demo, 'shop-orders.json').id);
		const workflow = await rest.changeWorkflow(imported.id, {
			nodes: nodes.map((node) =>
				node.type === 'n8n-nodes-base.wooCommerce'
					? { ...node, credentials: { wooCommerceApi: { id, name } } }
					: node,
			),
		});
		const reset = () => {
			orders.splice(
				0,
				orders.length,
				order(1001, 'processing'),
				order(1002, 'processing'),
				order(1003, 'on-hold'),
			);
		};
		reset();
		await runsIn(demo, client, workflow, orders);

		const other = { url: service.url, ...(await addUser(folder, 'Bea', 'bea@example.com')) };
		const { url: baseUrl, ...keys } = other;
		const moved = await withCredential(
			demo,
			workflow,
			await rest.putCredential({
				name: 'Other account',
				type: 'dataGridApi',
				data: { baseUrl, authentication: 'apiKey', ...keys },
			}),
		);
		reset();
		await runsIn(demo, connectDataGrid(other), moved, orders);
	} finally {
		await shop.stop();
	}
}
