import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { z } from 'zod/v4';
import { ownerOf } from '../../service/cli/owner';
import { Store } from '../../service/store/store';
import { connectDataGrid } from '../../testbed/demo/dataGrid';
import { root } from '../../scripts/setup/paths.mjs';
import { ORDERS, type Shape } from './shapes';
import type { Client } from '../../client';
import type { Grid } from '../../client/resources/grids';

const readySchema = z.object({ url: z.string(), key: z.string(), secret: z.string(), userId: z.string() });

const DATA = 'data.db';

/** The embedded service in a separate process, with one grid */
export interface TargetService {
	url: string;
	key: string;
	secret: string;
	pid: number;
	/** Without the proxy */
	client: Client;
	grid: Grid;
	spaceId: string;
	/** The path of its rows */
	entities: string;
	/** By column name */
	fieldIds: Readonly<Record<string, string>>;
	authorization: string;
	stop: () => Promise<void>;
}

/**
 * Starts the service on a copy of a data file with the given number of rows. IDs and key are the
 * same in each copy.
 */
export async function startTargetService(rows: number, shape: Shape = ORDERS): Promise<TargetService> {
	const folder = join(root, 'build', 'bench-n8n', 'targets');
	const filled = join(folder, `${shape.name}-${String(rows)}`);
	if (!existsSync(filled)) await fill(filled, rows, shape);
	const copy = join(folder, 'httpRequestNode');
	await rm(copy, { recursive: true, force: true });
	// Including SQLite's log.
	await cp(filled, copy, { recursive: true });
	const file = join(copy, DATA);
	const main = join(root, 'dist-service', 'main.js');
	const child = spawn(execPath, [main, '--port', '0', '--data', file], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});

	const lines: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
	const { url, key, secret, userId } = readySchema.parse(JSON.parse(String(lines[0])));
	const client = connectDataGrid({ url, key, secret });
	const [space] = (await client.spaces.many()).items;
	const [found] = space === undefined ? [] : (await client.grids.many(space)).items;
	if (space === undefined || found === undefined) throw new Error(`There is no grid in ${file}`);
	const grid = await client.grids.open({ spaceId: space.id, gridId: found.id });
	const fields = await client.fields.of(grid);
	return {
		...{ url, key, secret, client, grid, spaceId: space.id, pid: child.pid ?? 0 },
		entities: `/api/users/${userId}/spaces/${space.id}/grids/${grid.id}/entities`,
		fieldIds: Object.fromEntries(fields.map(({ name, id }) => [name, id])),
		authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
		stop: async () => {
			const ended = once(child, 'exit');
			child.kill('SIGTERM');
			await ended;
		},
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
