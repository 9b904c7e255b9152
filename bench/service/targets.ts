import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod/v4';
import { Store } from '../../service/store/store';
import { Load, type Call } from './client';

const root = process.cwd();
const folder = join(root, 'build', 'bench-data');

/** A server with a table of a certain size, and how one asks it for the same thing as every other. */
export interface Target {
	readonly load: Load;
	create(n: number): Call;
	one(n: number): Call;
	/** @param index 1-based, pages of 300 */
	page(index: number): Call;
	equal(n: number): Call;
	sorted(): Call;
	stop(): Promise<void>;
}

const CONNECTIONS = 16;

/** The same row everywhere. */
const row = (n: number, size: number) => ({
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

/** Fills a data file once; later runs use it again. */
function fill(path: string, size: number): void {
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

async function end(child: ChildProcess): Promise<void> {
	const over = ended(child);
	child.kill('SIGTERM');
	await over;
}

const ready = z.object({ url: z.string(), key: z.string(), secret: z.string(), userId: z.string() });
const list = z.object({ items: z.array(z.record(z.string(), z.unknown())) });
const gridSchema = z.object({ fields: z.array(z.object({ id: z.string(), key: z.string() })) });

/** The embedded service in a process of its own. */
export async function startService(size: number): Promise<Target> {
	mkdirSync(folder, { recursive: true });
	const data = join(folder, `rows-${size}.db`);
	if (!existsSync(data)) fill(data, size);
	const child = spawn(
		process.execPath,
		[join(root, 'dist-service', 'main.js'), '--port', '0', '--data', data],
		{
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	const line = await new Promise<string>((resolve) =>
		createInterface({ input: child.stdout }).once('line', resolve),
	);
	const { url, key, secret, userId } = ready.parse(JSON.parse(line));
	const load = new Load(url, `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`, CONNECTIONS);
	const get = async (path: string): Promise<unknown> => JSON.parse(await load.send({ method: 'GET', path }));
	const spaces = `/api/users/${userId}/spaces`;
	const [space] = list.parse(await get(spaces)).items;
	const [grid] = list.parse(await get(`${spaces}/${String(space?.['id'])}/grids`)).items;
	const path = `${spaces}/${String(space?.['id'])}/grids/${String(grid?.['id'])}`;
	const { fields } = gridSchema.parse(await get(path));
	const numberId = fields.find((field) => field.key === 'number')?.id ?? '';
	const entities = `${path}/entities`;
	const ids = list.parse(await get(entities)).items.map((item) => String(item['_id']));
	const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
	return {
		load,
		create: (n) => ({ method: 'POST', path: `${entities}?layout=key`, body: JSON.stringify(row(n, size)) }),
		one: (n) => ({ method: 'GET', path: `${entities}/${ids[n % ids.length] ?? ''}` }),
		page: (index) => ({ method: 'GET', path: `${entities}?pageSize=300&pageIndex=${index}` }),
		equal: (n) => ({
			method: 'GET',
			path: `${entities}?pageSize=300&filter=${json({ [numberId]: { $eq: n } })}`,
		}),
		sorted: () => ({
			method: 'GET',
			path: `${entities}?pageSize=300&sorting=${json({ [numberId]: { $order: 'ascending' } })}`,
		}),
		stop: () => end(child),
	};
}

/** json-server, the floor: a JSON file in memory, written as a whole with each change. Undefined when it is not installed. */
export async function startJsonServer(size: number): Promise<Target | undefined> {
	const main = join(root, 'bench', 'service', 'peers', 'node_modules', 'json-server', 'lib', 'cli', 'bin.js');
	if (!existsSync(main)) return undefined;
	mkdirSync(folder, { recursive: true });
	const file = join(folder, `json-${size}.json`);
	writeFileSync(
		file,
		JSON.stringify({ rows: Array.from({ length: size }, (_, n) => ({ id: n + 1, ...row(n, size) })) }),
	);
	const port = 40_000 + (process.pid % 20_000);
	const child = spawn(
		process.execPath,
		[main, '--quiet', '--host', '127.0.0.1', '--port', String(port), file],
		{ stdio: 'ignore' },
	);
	const load = new Load(`http://127.0.0.1:${port}`, undefined, CONNECTIONS);
	const target: Target = {
		load,
		create: (n) => ({ method: 'POST', path: '/rows', body: JSON.stringify(row(n, size)) }),
		one: (n) => ({ method: 'GET', path: `/rows/${1 + (n % size)}` }),
		page: (index) => ({ method: 'GET', path: `/rows?_page=${index}&_limit=300` }),
		equal: (n) => ({ method: 'GET', path: `/rows?number=${n}` }),
		sorted: () => ({ method: 'GET', path: '/rows?_sort=number&_order=asc&_page=1&_limit=300' }),
		stop: async () => {
			await end(child);
			rmSync(file);
		},
	};
	for (let attempt = 0; attempt < 200; attempt++) {
		try {
			await load.send(target.page(1));
			return target;
		} catch {
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
	}
	throw new Error('json-server did not start');
}
