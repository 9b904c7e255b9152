import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { makeGrid, makeSpace } from '../../testbed/world/makeGrid';
import type { TargetService } from '../target/service';
import { Latencies } from './latencies';
import { measureNotes, noteOf, senderTo } from './notes';

/**
 * Latencies of a GET of one entity and of a poll of the updates feed of a large grid during long
 * operations on it, and the highest and last memory of the service. Both requests are sent every
 * PROBE_MS regardless of earlier ones, so that a stall affects as many requests as in reality.
 * Arguments: rows of the large grid (1,000,000), rows of the uploaded file (190,000).
 */
const [size = 1_000_000, uploadSize = 190_000] = process.argv.slice(2, 4).map(Number);
const PROBE_MS = 20;
/** Poll interval: a poll requests the changes since the last one. */
const POLL_MS = 60_000;
/** A process is idle if it uses less than a tenth of this time. */
const IDLE_MS = 1000;
/** Exceeds the duration of every operation. */
const MAX_OPERATION_MS = 900_000;

/** Resident memory of a process in MB. */
function memoryOf(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

/** Clock ticks of `/proc` per second. */
const TICKS = 100;

/** Processor time of a process so far, with all its threads, in seconds. */
function processorTimeOf(pid: number): number {
	const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
	return (Number(user) + Number(system)) / TICKS;
}

/** Waits until a process has ended what it does in the background. */
async function untilIdle(pid: number): Promise<void> {
	for (let used = -Infinity; processorTimeOf(pid) - used > IDLE_MS / 10_000; ) {
		used = processorTimeOf(pid);
		await delay(IDLE_MS);
	}
}

/** The body of an upload of a CSV file. */
function uploadOf(rows: number): string {
	const lines = Array.from({ length: rows }, (_, n) => Object.values(noteOf(n, rows)).join(','));
	const header = Object.keys(noteOf(0, rows)).join(',');
	return `--frontier\r\nContent-Disposition: form-data; name="name"\r\n\r\nUpload\r\n--frontier\r\nContent-Disposition: form-data; name="file"; filename="f.csv"\r\nContent-Type: text/csv\r\n\r\n${header}\n${lines.join('\n')}\n\r\n--frontier--\r\n`;
}

async function measureAll(target: TargetService): Promise<boolean> {
	const { client, entities, fieldIds, pid } = target;
	const send = senderTo(target);
	const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
	const idOf = (column: string) => fieldIds[column] ?? '';
	const large = entities.replace(/\/entities$/, '');
	const spaces = large.slice(0, large.indexOf(`/${target.spaceId}/`));
	const newSpace = async (name: string) => `${spaces}/${await makeSpace(client, name)}`;

	// The probes read an entity of a separate space.
	const quiet = await makeSpace(client, 'Quiet');
	const { grid: small } = await makeGrid(client, quiet, 'Small', { A: 'string' });
	const probe = (await client.entities.create(small, { A: 'x' }, 'property')).href;

	const table: string[] = [];
	let polled = large;
	const poll = () => `${polled}/updates?pageSize=100&since=${new Date(Date.now() - POLL_MS).toISOString()}`;
	const measure = async (what: string, operation: (signal: AbortSignal) => Promise<{ status: number }>) => {
		const [rows, feed] = [new Latencies(), new Latencies()];
		let highest = 0;
		const probing = setInterval(() => {
			highest = Math.max(highest, memoryOf(pid));
			rows.send(() => send('GET', probe));
			feed.send(() => send('GET', poll()));
		}, PROBE_MS);
		const [start, used] = [performance.now(), processorTimeOf(pid)];
		const outcome = await operation(AbortSignal.timeout(MAX_OPERATION_MS))
			.then(({ status }) => String(status))
			.catch((error: unknown) => (error instanceof Error ? error.name : 'failed'));
		const took = [(performance.now() - start) / 1000, processorTimeOf(pid) - used];
		clearInterval(probing);
		const figures = [...(await rows.figures()), ...(await feed.figures())];
		await untilIdle(pid);
		const seconds = [...took, processorTimeOf(pid) - used].map((one) => one.toFixed(1));
		table.push(`| ${[what, outcome, ...seconds, ...figures, highest, memoryOf(pid)].join(' | ')} |`);
		process.stderr.write(`${table.at(-1) ?? ''}\n`);
	};

	const reading = (path: string) => (signal: AbortSignal) => send('GET', large + path, { signal });
	const posting = (path: string, body: object) => (signal: AbortSignal) =>
		send('POST', path, { body: JSON.stringify(body), signal });
	const filter = (column: string, condition: object) => `filter=${json({ [idOf(column)]: condition })}`;
	const sorting = (column: string) => `sorting=${json({ [idOf(column)]: { $order: 'ascending' } })}`;
	await measure('nothing', () => delay(5000, { status: 0 }));
	await measure('export of all rows', reading('/csv'));
	const twoFields = json({
		[idOf('title')]: { $order: 'ascending' },
		[idOf('number')]: { $order: 'descending' },
	});
	await measure('export of all rows, sorted by a text', reading(`/csv?${sorting('title')}`));
	const otherFields = json({
		[idOf('status')]: { $order: 'ascending' },
		[idOf('amount')]: { $order: 'descending' },
	});
	await measure(
		'first page, sorted by two fields in two directions',
		reading(`/entities?sorting=${otherFields}`),
	);
	const middle = Math.floor(size / 300);
	for (const time of ['', ', again'])
		await measure(
			`page ${middle}, sorted by two fields in two directions${time}`,
			reading(`/entities?sorting=${twoFields}&pageIndex=${middle}`),
		);
	await measure(
		'search that finds nothing',
		reading(`/entities?${filter('note', { $contains: 'nowhere' })}`),
	);
	await measure('text search that finds nothing', reading('/query?matching=nowhere'));
	const everywhere = json({ $search: { text: 'nowhere', fields: Object.values(fieldIds) } });
	await measure('text search in all six fields', reading(`/entities?filter=${everywhere}`));
	await measure('first index: a value', reading(`/entities?${filter('title', { $eq: 'Title 77' })}`));
	await measure('first index: a page sorted by a number', reading(`/entities?${sorting('number')}`));
	await measure('first index: a page sorted by a text', reading(`/entities?${sorting('note')}`));
	const numbers = json({
		[idOf('amount')]: { $order: 'descending' },
		[idOf('number')]: { $order: 'descending' },
	});
	await measure('first index: a page sorted by two numbers', reading(`/entities?sorting=${numbers}`));
	await measure(
		'first index: a quarter of the rows, sorted by another field',
		reading(`/entities?${filter('amount', { $gt: size / 133 })}&${sorting('title')}`),
	);
	await measure(
		'updates since the beginning, page 5,000',
		reading('/updates?since=2020-01-01T00:00:00Z&pageSize=100&pageIndex=5000'),
	);
	const other = await newSpace('Uploads');
	const type = 'multipart/form-data; boundary=frontier';
	const body = uploadOf(uploadSize);
	await measure(`upload of ${uploadSize} rows`, (signal) =>
		send('POST', `${other}/uploadCSV`, { body, type, signal }),
	);
	const copied = { name: 'Copy', includeEntities: true };
	await measure(`copy of a space of ${uploadSize} rows`, posting(`${other}/copy`, copied));
	const many = await newSpace('Grids');
	const newGrid = (name: string) => send('POST', `${many}/grids`, { body: JSON.stringify({ name }) });
	for (let n = 0; n < 1000; n++) await newGrid(`Grid ${n}`);
	await measure('copy of 1,000 empty grids', posting(`${many}/copy`, { name: 'Grids copied' }));
	const change = posting(`${large}/ColumnTypeChange`, { fieldId: idOf('number'), type: { name: 'string' } });
	await measure('type change of an indexed field, until its rows are converted', async (signal) => {
		const reply = await change(signal);
		while ((await change(signal)).status === 503) await delay(500);
		return reply;
	});
	polled = `${spaces}/${quiet}/grids/${small.id}`;
	await measure('deletion of the grid, and half a minute after it', async (signal) => {
		const reply = await send('DELETE', large, { signal });
		await delay(30_000);
		return reply;
	});
	process.stdout.write(
		`| while | status | seconds | processor time, s | until idle, s | GET: median, ms | p99 | longest | feed: median, ms | p99 | longest | memory, MB | after |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n${table.join('\n')}\n`,
	);
	return true;
}

void measureNotes(size, measureAll);
