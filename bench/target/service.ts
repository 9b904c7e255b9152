import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownerOf } from '../../service/cli/owner';
import { Store } from '../../service/store/store';
import { connectDataGrid } from '../../testbed/demo/dataGrid';
import { startService } from '../../testbed/service';
import { endpoints } from '../../client/endpoints/endpoints';
import { pathOf } from '../../client/endpoints/paths';
import { root } from '../../scripts/setup/paths.mjs';
import { ORDERS, type Shape } from './shapes';
import { readList } from '../../client';

/** The data file that `startService` opens in a folder. */
const DATA = 'datagrid.db';

/** The embedded service in a separate process, with one grid */
export type TargetService = Awaited<ReturnType<typeof startTargetService>>;

/**
 * Starts the service on a copy of a data file with the given number of rows. IDs and key are the
 * same in each copy.
 */
export async function startTargetService(rows: number, shape: Shape = ORDERS) {
	const folder = join(root, 'build', 'bench-n8n', 'grids');
	const filled = join(folder, `${shape.name}-${String(rows)}`);
	if (!existsSync(filled)) await fill(filled, rows, shape);
	const copy = join(folder, 'running');
	await rm(copy, { recursive: true, force: true });
	// Including SQLite's log.
	await cp(filled, copy, { recursive: true });
	const { url, key, secret, process } = await startService({ folder: copy, port: 0 });
	const client = connectDataGrid({ url, key, secret });
	const [space] = (await readList(client.spaces.list())).items;
	const [found] = space === undefined ? [] : (await readList(client.grids.list(space))).items;
	if (space === undefined || found === undefined) throw new Error(`There is no grid in ${copy}`);
	const grid = await client.grids.open({ spaceId: space.id, gridId: found.id });
	const fields = await client.fields.of(grid);
	return {
		...{ url, key, secret, grid, spaceId: space.id, pid: process.pid },
		/** Without the proxy */
		client,
		/** The path of its rows */
		entities: pathOf(endpoints.entityList, grid.address),
		/** By column name */
		fieldIds: Object.fromEntries(fields.map(({ name, id }): [string, string] => [name, id])),
		authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
		stop: process.stop,
	};
}

/** Creates a data file once; later runs copy it. */
async function fill(folder: string, rows: number, { columns, rowOf }: Shape) {
	const unfinished = `${folder}.unfinished`;
	await rm(unfinished, { recursive: true, force: true });
	await mkdir(unfinished, { recursive: true });
	const store = new Store({ path: join(unfinished, DATA) });
	// The key file is copied, too, so that all copies have the same key.
	const { userId } = ownerOf(store, join(unfinished, DATA));
	// Otherwise, the service adds its sample data.
	store.accounts.setting('seed', () => 'empty');
	const space = store.spaces.create(userId, { name: 'Bench', key: 'bench' });
	const grid = store.addGrid(space.id, { name: 'Orders', key: 'orders' });
	for (const [name, type] of Object.entries(columns))
		store.fields.add(grid.no, { name, key: name.toLowerCase(), type });
	const fields = store.fields.list(grid.no);
	for (let from = 0; from < rows; from += 10_000) {
		store.transaction(() => {
			for (let n = from; n < Math.min(rows, from + 10_000); n++) {
				const values = new Map(Object.entries(rowOf(n)));
				const byId = Object.fromEntries(fields.map(({ id, name }) => [id, values.get(name) ?? null]));
				store.entities.create(grid.no, byId, userId);
			}
		});
	}
	store.close();
	await rename(unfinished, folder);
}
