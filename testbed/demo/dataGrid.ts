import { createClient, type Client, readList } from '../../client';
import type { Values } from '../../client/resources/entities';
import type { Grid } from '../../client/resources/grids';
import { endpoints } from '../../client/endpoints/endpoints';
import { pathOf } from '../../client/endpoints/paths';
import type { Space } from '../../client/resources/spaces';
import { FetchTransport } from '../fetchTransport';
import { newId } from '../world/makeGrid';

/** Address and credentials of a Data-Grid Service */
export type Connection = { url: string; key: string; secret: string };
export type DemoGrids = { space: Space; orders: Grid; activity: Grid };

/** The space of the examples. */
const SPACE = { name: 'Operations', key: 'operations' };
const ORDER_COLUMNS = { Order: 'string', Customer: 'string', Status: 'string', Amount: 'decimal' };
const ACTIVITY_COLUMNS = { Event: 'string', Order: 'string', Details: 'string', At: 'date-time' };
const SAMPLE_ORDERS = [
	{ Order: 'A-1001', Customer: 'Alder & Finch', Status: 'new', Amount: 12.5 },
	{ Order: 'A-1002', Customer: 'Birchwood Bikes', Status: 'new', Amount: 99 },
	{ Order: 'A-1003', Customer: 'Copper Kettle', Status: 'new', Amount: 7.2 },
];

/** Opens a connection per request: an idle one may be closed while a demo waits for n8n. */
export function connectDataGrid({ url, ...identity }: Connection): Client {
	return createClient({ baseUrl: url, transport: new FetchTransport(identity, { connection: 'close' }) });
}

/** Opens the grids "Orders" and "Activity" where the examples find them; creates missing ones. */
export async function openDemoGrids(client: Client): Promise<DemoGrids> {
	const found = (await readList(client.spaces.list())).items.find(({ key }) => key === SPACE.key);
	const space = await (found ? client.spaces.open(found) : addSpace(client));
	const orders = await ensureGrid(client, space, 'Orders', ORDER_COLUMNS, SAMPLE_ORDERS);
	return { space, orders, activity: await ensureGrid(client, space, 'Activity', ACTIVITY_COLUMNS) };
}

const addSpace = async (client: Client) => await client.spaces.get(newId(await client.spaces.create(SPACE)));

/**
 * Opens a grid by the key that the examples use, or makes it.
 * @param columns type by name; missing columns are added
 * @param samples rows of the grid while it is empty
 */
export async function ensureGrid(
	client: Client,
	space: Space,
	name: string,
	columns: Record<string, string>,
	samples: readonly Values[] = [],
): Promise<Grid> {
	const key = name.toLowerCase().replace(' ', '-');
	const grids = (await readList(client.grids.list(space))).items;
	const found = grids.find((one) => one.key === key || one.name === name);
	const gridId = found?.id ?? newId(await client.grids.create(space, { name, key }));
	const grid = await client.grids.open({ spaceId: space.id, gridId });
	const there = new Set((await client.fields.of(grid)).map((field) => field.name));
	for (const [column, type] of Object.entries(columns).filter(([column]) => !there.has(column)))
		await client.fields.add(grid, { name: column, type: { name: type } });
	const isEmpty = (await client.entities.page(grid, { pageSize: 1 })).items.length === 0;
	for (const row of isEmpty ? samples : []) await client.entities.create(grid, row, 'property');
	return await client.grids.open({ spaceId: space.id, gridId: grid.id });
}

/** Address of a grid on the page of the embedded service. */
export const pageOf = ({ url }: Connection, { address }: Grid): string =>
	`${url.replace(/\/$/, '')}/open${pathOf(endpoints.gridGet, address)}`;

/** Documented address of the entities of a grid, or of one of them, for a command line. */
export function addressOf({ url }: Connection, grid: Grid, entityId?: string) {
	const row = entityId === undefined ? '' : `/${encodeURIComponent(entityId)}`;
	return `${url.replace(/\/$/, '')}${pathOf(endpoints.entityList, grid.address)}${row}?layout=property`;
}
