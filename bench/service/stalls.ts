import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod/v4';
import { Probes } from './client';
import { end, fill, folder, row, spawnService } from './targets';

/**
 * Latencies of a GET of one entity and of a poll of the updates feed of a large grid during long
 * operations on it, and the highest and last memory of the service (on Linux). Both requests are
 * sent every PROBE_MS regardless of earlier ones, so that a stall affects as many requests as in
 * reality. Arguments: rows of the large grid (1,000,000), rows of the uploaded file (190,000), path
 * of the service's main.js.
 */
const [size = 1_000_000, uploadSize = 190_000] = process.argv.slice(2, 4).map(Number);
const main = process.argv[4];
const PROBE_MS = 20;
/** Poll interval: a poll requests the changes since the last one. */
const POLL_MS = 60_000;
/** Exceeds the duration of every operation. */
const MAX_OPERATION_MS = 900_000;

interface Sending {
	readonly method: string;
	readonly path: string;
	readonly body?: string;
	readonly type?: string;
	readonly signal?: AbortSignal;
}

/** Resident memory of a process in MB; on Linux only. */
function memoryOf(pid: number | undefined): number {
	const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
	return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

const item = z.object({ id: z.string(), name: z.string() });
const list = z.object({ items: z.array(item) });
const gridSchema = z.object({ fields: z.array(z.object({ id: z.string(), key: z.string() })) });

async function run(): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const source = join(folder, `rows-${size}.db`);
	const data = join(folder, 'stalls.db');
	if (!existsSync(source)) fill(source, size);
	for (const suffix of ['', '-wal', '-shm']) rmSync(data + suffix, { force: true });
	copyFileSync(source, data);
	const { child, url, authorization, spaces } = await spawnService(data, main);
	const agent = new Agent({ keepAlive: true, maxSockets: 5000 });
	const send = ({ method, path, body, type = 'application/json', signal }: Sending) =>
		new Promise<{ status: number; text: string; location: string }>((resolve, reject) => {
			const headers = {
				accept: 'application/vnd.service.hal;version=2',
				authorization,
				...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
			};
			const sent = request(
				url + path,
				{ method, agent, headers, ...(signal ? { signal } : {}) },
				(response) => {
					const chunks: Buffer[] = [];
					// The start of an export suffices, because it is as large as the grid.
					response.on('data', (chunk: Buffer) => chunks.length < 100 && chunks.push(chunk));
					response.on('error', reject);
					response.on('end', () => {
						const { statusCode: status = 0 } = response;
						resolve({
							status,
							text: Buffer.concat(chunks).toString(),
							location: response.headers.location ?? '',
						});
					});
				},
			);
			sent.on('error', reject);
			sent.end(body);
		});
	const get = async (path: string): Promise<unknown> =>
		JSON.parse((await send({ method: 'GET', path })).text);
	const post = (path: string, body: unknown) => ({ method: 'POST', path, body: JSON.stringify(body) });

	// The probes read an entity of a separate space.
	const quiet = (await send(post(spaces, { name: `Quiet ${Date.now()}` }))).location;
	const small = (await send(post(`${quiet}/grids`, { name: 'Small' }))).location;
	await send(post(`${small}/ColumnAdd`, { name: 'A', key: 'a', type: { name: 'string' } }));
	const probe = (await send({ ...post(`${small}/entities?layout=key`, { a: 'x' }) })).location;

	const spaceId = list.parse(await get(spaces)).items.find(({ name }) => name === 'Bench')?.id ?? '';
	const large = `${spaces}/${spaceId}/grids/${list.parse(await get(`${spaces}/${spaceId}/grids`)).items[0]?.id ?? ''}`;
	const { fields } = gridSchema.parse(await get(large));
	const idOf = (wanted: string) => fields.find(({ key }) => key === wanted)?.id ?? '';
	const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
	const header = 'title,status,number,amount,done,note\n';
	const lines = Array.from({ length: uploadSize }, (_, n) => Object.values(row(n, uploadSize)).join(','));
	const form = (name: string) =>
		`--frontier\r\nContent-Disposition: form-data; name="name"\r\n\r\n${name}\r\n--frontier\r\nContent-Disposition: form-data; name="file"; filename="f.csv"\r\nContent-Type: text/csv\r\n\r\n${header}${lines.join('\n').replaceAll('that is a little longer, number', 'that is a little longer number')}\n\r\n--frontier--\r\n`;

	const table: string[] = [];
	let polled = large;
	const poll = () => `${polled}/updates?pageSize=100&since=${new Date(Date.now() - POLL_MS).toISOString()}`;
	const measure = async (what: string, operation: (signal: AbortSignal) => Promise<{ status: number }>) => {
		const probes = [new Probes(() => send({ method: 'GET', path: probe })), new Probes(() => send({ method: 'GET', path: poll() }))]; // prettier-ignore
		let highest = 0;
		const probing = setInterval(() => {
			highest = Math.max(highest, memoryOf(child.pid));
			for (const one of probes) one.send();
		}, PROBE_MS);
		const given = new AbortController();
		const limit = setTimeout(() => {
			given.abort();
		}, MAX_OPERATION_MS);
		const start = performance.now();
		const outcome = await operation(given.signal)
			.then(({ status }) => String(status))
			.catch((error: unknown) => (error instanceof Error ? error.name : 'failed'));
		const took = performance.now() - start;
		clearTimeout(limit);
		clearInterval(probing);
		const figures = await Promise.all(probes.map((one) => one.figures()));
		table.push(
			`| ${[what, outcome, (took / 1000).toFixed(1), ...figures.flat(), highest, memoryOf(child.pid)].join(' | ')} |`,
		);
		process.stderr.write(`${table.at(-1) ?? ''}\n`);
	};

	const reading = (path: string) => (signal: AbortSignal) =>
		send({ method: 'GET', path: large + path, signal });
	const posting = (path: string, body: unknown) => (signal: AbortSignal) =>
		send({ ...post(path, body), signal });
	const filter = (key: string, condition: Record<string, unknown>) =>
		`filter=${json({ [idOf(key)]: condition })}`;
	const sorting = (key: string) => `sorting=${json({ [idOf(key)]: { $order: 'ascending' } })}`;
	await measure('nothing', () => delay(5000, { status: 0 }));
	await measure('export of all rows', reading('/csv'));
	const twoFields = json({ [idOf('title')]: { $order: 'ascending' }, [idOf('number')]: { $order: 'descending' } }); // prettier-ignore
	await measure('export of all rows, sorted by a text', reading(`/csv?${sorting('title')}`));
	await measure(
		`page ${Math.floor(size / 300)}, sorted by two fields in two directions`,
		reading(`/entities?sorting=${twoFields}&pageIndex=${Math.floor(size / 300)}`),
	);
	await measure(
		'search that finds nothing',
		reading(`/entities?${filter('note', { $contains: 'nowhere' })}`),
	);
	await measure('text search that finds nothing', reading('/query?matching=nowhere'));
	await measure('first index: a page sorted by a number', reading(`/entities?${sorting('number')}`));
	await measure(
		'first index: a quarter of the rows, sorted by another field',
		reading(`/entities?${filter('amount', { $gt: size / 133 })}&${sorting('title')}`),
	);
	await measure(
		'updates since the beginning, page 5,000',
		reading('/updates?since=2020-01-01T00:00:00Z&pageSize=100&pageIndex=5000'),
	);
	const other = (await send(post(spaces, { name: `Uploads ${Date.now()}` }))).location;
	const type = 'multipart/form-data; boundary=frontier';
	await measure(`upload of ${uploadSize} rows`, (signal) =>
		send({ method: 'POST', path: `${other}/uploadCSV`, body: form('Upload'), type, signal }),
	);
	const copied = { name: `Copy ${Date.now()}`, includeEntities: true };
	await measure(`copy of a space of ${uploadSize} rows`, posting(`${other}/copy`, copied));
	const many = (await send(post(spaces, { name: `Grids ${Date.now()}` }))).location;
	for (let n = 0; n < 1000; n++) await send(post(`${many}/grids`, { name: `Grid ${n}` }));
	await measure('copy of 1,000 empty grids', posting(`${many}/copy`, { name: `Grids copied ${Date.now()}` }));
	const change = { fieldId: idOf('number'), type: { name: 'string' } };
	await measure('type change of an indexed field, until its rows are converted', async (signal) => {
		const reply = await send({ ...post(`${large}/ColumnTypeChange`, change), signal });
		while ((await send({ ...post(`${large}/ColumnTypeChange`, change), signal })).status === 503)
			await delay(500);
		return reply;
	});
	polled = small;
	await measure('deletion of the grid, and half a minute after it', async (signal) => {
		const reply = await send({ method: 'DELETE', path: large, signal });
		await delay(30_000);
		return reply;
	});
	process.stdout.write(
		`| while | status | seconds | GET: median, ms | p99 | longest | feed: median, ms | p99 | longest | memory, MB | after |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n${table.join('\n')}\n`,
	);
	agent.destroy();
	await end(child);
}

run().catch((error: unknown) => {
	process.stderr.write(`${String(error)}\n`);
	process.exitCode = 1;
});
