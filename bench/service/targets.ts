import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod/v4';
import { Store } from '../../service/store/store';
import { Load, type Call } from './client';

export const root = process.cwd();
export const folder = join(root, 'build', 'bench-service-data');

/** A server with a table of a certain size, and its form of the common requests. */
export interface Target {
	readonly load: Load;
	create(n: number): Call;
	one(n: number): Call;
	/** @param index 1-based @param pageSize 300 if omitted */
	page(index: number, pageSize?: number): Call;
	equal(n: number): Call;
	sorted(): Call;
	/** A filter with many matches, sorted by another field. */
	filteredAndSorted(): Call;
	/** Waits for the server's background work after a first request. */
	settle(): Promise<void>;
	stop(): Promise<void>;
}

export const CONNECTIONS = 16;

/** The same row everywhere. */
export const row = (n: number, size: number) => ({
	title: `Title ${n}`,
	status: ['new', 'open', 'done', 'closed'][n % 4] ?? '',
	number: (n * 7919) % size,
	amount: n / 100,
	done: n % 2 === 0,
	note: `Some text that is a little longer, number ${n}`,
});

const types = {
	title: 'string',
	status: 'string',
	number: 'integer',
	amount: 'decimal',
	done: 'boolean',
	note: 'string',
} as const;

/** Fills a data file. */
export function fill(path: string, size: number): void {
	const store = new Store({ path });
	const owner = store.accounts.createUser('owner');
	const space = store.spaces.create(owner.id, { name: 'Bench', key: 'bench' });
	const grid = store.addGrid(space.id, { name: 'Rows', key: 'rows' });
	for (const [key, name] of Object.entries(types))
		store.fields.add(grid.no, { name: key, key, type: { name } });
	const ids = store.fields.list(grid.no);
	for (let from = 0; from < size; from += 10_000) {
		store.transaction(() => {
			for (let n = from; n < Math.min(size, from + 10_000); n++) {
				const values = Object.values(row(n, size));
				const byId = Object.fromEntries(ids.map((field, index) => [field.id, values[index] ?? null]));
				store.entities.create(grid.no, byId, owner.id);
			}
		});
	}
	store.close();
}

const ended = (child: ChildProcess) =>
	new Promise<void>((resolve) =>
		child.once('exit', () => {
			resolve();
		}),
	);

export async function end(child: ChildProcess): Promise<void> {
	const over = ended(child);
	child.kill('SIGTERM');
	await over;
}

/** Output of the service when it is ready. */
const ready = z.object({ url: z.string(), key: z.string(), secret: z.string(), userId: z.string() });
const list = z.object({ items: z.array(z.record(z.string(), z.unknown())) });
const gridSchema = z.object({ fields: z.array(z.object({ id: z.string(), key: z.string() })) });

/** Starts the service in a separate process. @param main the compiled entry point */
export async function spawnService(data: string, main = join(root, 'dist-service', 'main.js')) {
	const child = spawn(process.execPath, [main, '--port', '0', '--data', data], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const line = await new Promise<string>((resolve) =>
		createInterface({ input: child.stdout }).once('line', resolve),
	);
	const { url, key, secret, userId } = ready.parse(JSON.parse(line));
	const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
	return { child, url, authorization, spaces: `/api/users/${userId}/spaces` };
}

/** The embedded service with one grid. */
export async function startService(size: number): Promise<Target> {
	mkdirSync(folder, { recursive: true });
	const data = join(folder, `rows-${size}.db`);
	// New rows would change the size of a small table.
	if (size <= 1000) for (const suffix of ['', '.owner.json']) rmSync(data + suffix, { force: true });
	if (!existsSync(data)) fill(data, size);
	const { child, url, authorization, spaces } = await spawnService(data);
	const load = new Load(url, { authorization }, CONNECTIONS);
	const get = async (path: string): Promise<unknown> => JSON.parse(await load.send({ method: 'GET', path }));
	const [space] = list.parse(await get(spaces)).items;
	const [grid] = list.parse(await get(`${spaces}/${String(space?.['id'])}/grids`)).items;
	const path = `${spaces}/${String(space?.['id'])}/grids/${String(grid?.['id'])}`;
	const { fields } = gridSchema.parse(await get(path));
	const idOf = (wanted: string) => fields.find(({ key: name }) => name === wanted)?.id ?? '';
	const [numberId, statusId] = [idOf('number'), idOf('status')];
	const entities = `${path}/entities`;
	const ids = list.parse(await get(entities)).items.map((item) => String(item['_id']));
	const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
	const order = json({ [numberId]: { $order: 'ascending' } });
	const sorted = () => ({ method: 'GET', path: `${entities}?pageSize=300&sorting=${order}` });
	const filteredAndSorted = () => ({
		method: 'GET',
		path: `${entities}?pageSize=300&sorting=${order}&filter=${json({ [statusId]: { $eq: 'open' } })}`,
	});
	return {
		load,
		create: (n) => ({ method: 'POST', path: `${entities}?layout=key`, body: JSON.stringify(row(n, size)) }),
		one: (n) => ({ method: 'GET', path: `${entities}/${ids[n % ids.length] ?? ''}` }),
		page: (index, pageSize = 300) => ({
			method: 'GET',
			path: `${entities}?pageSize=${pageSize}&pageIndex=${index}`,
		}),
		equal: (n) => ({
			method: 'GET',
			path: `${entities}?pageSize=300&filter=${json({ [numberId]: { $eq: n } })}`,
		}),
		sorted,
		filteredAndSorted,
		settle: async () => {
			// A large grid gets its indexes in the background.
			for (const call of [sorted(), filteredAndSorted()]) {
				for (let attempt = 0; attempt < 60 && (await load.median(call, 1)) > 100; attempt++) await delay(500);
			}
		},
		stop: () => end(child),
	};
}
