import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod/v4';
import { Load } from './client';
import { CONNECTIONS, end, folder, root, row, type Target } from './targets';

const competitors = join(root, 'bench', 'service', 'competitors');

function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject).listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => {
				resolve(typeof address === 'object' && address ? address.port : 0);
			});
		});
	});
}

/** Waits until a server responds. @throws after five minutes */
async function answers(child: ChildProcess, ask: () => Promise<unknown>): Promise<void> {
	for (let attempt = 0; attempt < 1000 && child.exitCode === null; attempt++) {
		try {
			await ask();
			return;
		} catch {
			await delay(300);
		}
	}
	child.kill('SIGKILL');
	throw new Error('The competitor did not start');
}

/**
 * json-server, the lower bound: a JSON file in memory, rewritten with each change. Undefined if it
 * is not installed.
 */
export async function startJsonServer(size: number): Promise<Target | undefined> {
	const main = join(competitors, 'json-server', 'node_modules', 'json-server', 'lib', 'cli', 'bin.js');
	if (!existsSync(main)) return undefined;
	mkdirSync(folder, { recursive: true });
	const file = join(folder, `json-${size}.json`);
	const rows = Array.from({ length: size }, (_, n) => ({ id: n + 1, ...row(n, size) }));
	writeFileSync(file, JSON.stringify({ rows }));
	const port = await freePort();
	const args = [main, '--quiet', '--host', '127.0.0.1', '--port', String(port), file];
	const child = spawn(process.execPath, args, { stdio: 'ignore' });
	const load = new Load(`http://127.0.0.1:${port}`, {}, CONNECTIONS);
	const get = (query: string) => ({ method: 'GET', path: `/rows?${query}` });
	await answers(child, () => load.send(get('_limit=1')));
	return {
		load,
		create: (n) => ({ method: 'POST', path: '/rows', body: JSON.stringify(row(n, size)) }),
		one: (n) => ({ method: 'GET', path: `/rows/${1 + (n % size)}` }),
		page: (index) => get(`_page=${index}&_limit=300`),
		equal: (n) => get(`number=${n}`),
		sorted: () => get('_sort=number&_order=asc&_page=1&_limit=300'),
		filteredAndSorted: () => get('status=open&_sort=number&_order=asc&_page=1&_limit=300'),
		settle: () => Promise.resolve(),
		stop: async () => {
			await end(child);
			rmSync(file);
		},
	};
}

const login = { email: 'bench@datagrid.example', password: 'Bench-12345.' };

/** A Node of version 22 or newer: NocoDB does not run on an older one. */
function newerNode(): string {
	if (Number.parseInt(process.versions.node, 10) >= 22) return process.execPath;
	return join(
		root,
		'testbed',
		'installs',
		'node-24',
		'node_modules',
		`node-${process.platform}-${process.arch}`,
		'bin',
		'node',
	);
}

/** Starts NocoDB like its container image. */
const START_NOCO = `
const express = require('express');
const app = express();
app.enable('trust proxy');
app.use(require('cors')());
const server = app.listen(Number(process.env.PORT), '127.0.0.1', async () => {
	app.use(await require('nocodb').Noco.init({}, server, app));
});`;

async function startNocoProcess(data: string): Promise<{ child: ChildProcess; url: string }> {
	const port = await freePort();
	const child = spawn(newerNode(), ['-e', START_NOCO], {
		cwd: join(competitors, 'nocodb'),
		stdio: 'ignore',
		env: {
			...process.env,
			NODE_ENV: 'production',
			NC_DISABLE_TELE: 'true',
			NC_TOOL_DIR: data,
			NC_ADMIN_EMAIL: login.email,
			NC_ADMIN_PASSWORD: login.password,
			PORT: String(port),
		},
	});
	const url = `http://127.0.0.1:${port}`;
	const load = new Load(url, {}, 1);
	const signIn = { method: 'POST', path: '/api/v1/auth/user/signin', body: JSON.stringify(login) };
	await answers(child, () => load.send(signIn));
	load.close();
	return { child, url };
}

const kept = z.object({ table: z.string(), token: z.string() });

const nocoTypes = {
	title: 'SingleLineText',
	status: 'SingleLineText',
	number: 'Number',
	amount: 'Decimal',
	done: 'Checkbox',
	note: 'LongText',
};

/** Creates the table with NocoDB's API and fills it in the data file while NocoDB is stopped. */
async function fillNoco(data: string, size: number): Promise<void> {
	mkdirSync(data, { recursive: true });
	const { child, url } = await startNocoProcess(data);
	const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> =>
		JSON.parse(await new Load(url, headers, 1).send({ method: 'POST', path, body: JSON.stringify(body) }));
	const { token } = z.object({ token: z.string() }).parse(await post('/api/v1/auth/user/signin', login));
	const auth = { 'xc-auth': token };
	const made = z.object({ id: z.string() });
	const base = made.parse(await post('/api/v2/meta/bases', { title: 'Bench' }, auth)).id;
	const columns = Object.entries(nocoTypes).map(([name, uidt]) => ({ column_name: name, title: name, uidt }));
	const table = z
		.object({ id: z.string(), table_name: z.string() })
		.parse(
			await post(`/api/v2/meta/bases/${base}/tables`, { table_name: 'rows', title: 'rows', columns }, auth),
		);
	const key = z
		.object({ token: z.string() })
		.parse(await post(`/api/v2/meta/bases/${base}/api-tokens`, { description: 'bench' }, auth));
	await end(child);
	const db = new DatabaseSync(join(data, 'noco.db'));
	const insert = db.prepare(
		`INSERT INTO "${table.table_name}" (created_at, nc_order, title, status, number, amount, done, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	db.exec('BEGIN');
	for (let n = 0; n < size; n++) {
		const { title, status, number, amount, done, note } = row(n, size);
		insert.run('2026-01-01 00:00:00+00:00', n + 1, title, status, number, amount, done ? 1 : 0, note);
	}
	db.exec('COMMIT');
	db.close();
	writeFileSync(join(data, 'kept.json'), JSON.stringify({ table: table.id, token: key.token }));
}

/** NocoDB on SQLite with its default settings. Undefined if it is not installed. */
export async function startNocoDb(size: number): Promise<Target | undefined> {
	if (!existsSync(join(competitors, 'nocodb', 'node_modules', 'sqlite3', 'build', 'Release')))
		return undefined;
	const data = join(folder, `nocodb-${size}`);
	if (!existsSync(join(data, 'kept.json')) || size <= 1000) {
		rmSync(data, { recursive: true, force: true });
		await fillNoco(data, size);
	}
	const { table, token } = kept.parse(JSON.parse(readFileSync(join(data, 'kept.json'), 'utf8')));
	const { child, url } = await startNocoProcess(data);
	const records = `/api/v2/tables/${table}/records`;
	const get = (query: string) => ({ method: 'GET', path: `${records}?limit=300&${query}` });
	return {
		load: new Load(url, { 'xc-token': token }, CONNECTIONS),
		create: (n) => ({ method: 'POST', path: records, body: JSON.stringify(row(n, size)) }),
		one: (n) => ({ method: 'GET', path: `${records}/${1 + (n % size)}` }),
		page: (index) => get(`offset=${(index - 1) * 300}`),
		equal: (n) => get(`where=(number,eq,${n})`),
		sorted: () => get('sort=number'),
		filteredAndSorted: () => get('where=(status,eq,open)&sort=number'),
		settle: () => Promise.resolve(),
		stop: () => end(child),
	};
}
