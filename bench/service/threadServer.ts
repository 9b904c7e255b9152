import { once } from 'node:events';
import { Readable } from 'node:stream';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { z } from 'zod/v4';
import { createHttp } from '../../service/http/app';
import { allRoutes } from '../../service/routes/all';
import { HttpResponse } from '../../service/http/route';
import { inGrid } from '../../service/routes/scopes';
import { csvHeader, csvLines } from '../../service/rules/csv';
import { fieldTypeSchema } from '../../service/rules/fieldTypes';
import { endKey, firstKey } from '../../service/store/keys';
import { Snapshot } from '../../service/store/files/snapshot';
import { readValues } from '../../service/store/json';
import { Store } from '../../service/store/store';

/**
 * The service with one more endpoint, GRID/csvByThread: an export by a worker thread with its own
 * read connection, to compare with the export in slices. Arguments: `--port 0 --data FILE`, as for
 * the service.
 */
const ROWS_PER_CHUNK = 1000;
/** Maximum number of chunks ahead of the client. */
const MAX_CHUNKS_AHEAD = 4;

const field = z.object({
	id: z.string(),
	name: z.string(),
	key: z.string(),
	description: z.string().nullable(),
	type: fieldTypeSchema,
});
const taskSchema = z.object({ path: z.string(), grid: z.int(), fields: z.array(field) });
type Task = z.infer<typeof taskSchema>;

/** Reads chunks of lines on demand; an empty one marks the end. */
async function exportInThread({ path, grid, fields }: Task): Promise<void> {
	const port = parentPort;
	if (!port) return;
	const asked: unknown[] = [];
	port.on('message', (message) => asked.push(message));
	const snapshot = new Snapshot(path, new Map());
	for (let from = firstKey(grid); ; ) {
		const sql = `SELECT pos, v FROM rows WHERE pos >= ? AND pos < ? ORDER BY pos LIMIT ${ROWS_PER_CHUNK}`;
		const rows = snapshot.all<{ pos: number; v: string }>(sql, from, endKey(grid));
		const values = rows.map(({ v }) => readValues(v));
		const chunk = rows.length === 0 ? '' : csvLines(fields, values);
		if (asked.length === 0) await once(port, 'message');
		asked.shift();
		port.postMessage(chunk);
		const last = rows.at(-1);
		if (!last) break;
		from = last.pos + 1;
	}
	snapshot.close();
	port.close();
}

async function* exported(task: Task): AsyncGenerator<string> {
	yield csvHeader(task.fields);
	const worker = new Worker(__filename, { workerData: task });
	const chunks: string[] = [];
	let wake = (): void => undefined;
	worker.on('message', (chunk: unknown) => {
		chunks.push(z.string().parse(chunk));
		wake();
	});
	for (let n = 0; n < MAX_CHUNKS_AHEAD; n++) worker.postMessage('next');
	try {
		for (;;) {
			const chunk = chunks.shift();
			if (chunk === '') return;
			if (chunk === undefined) await new Promise<void>((resolve) => (wake = resolve));
			else {
				yield chunk;
				worker.postMessage('next');
			}
		}
	} finally {
		await worker.terminate();
	}
}

async function main(path: string): Promise<void> {
	const grid = inGrid('');
	grid.get('/csvByThread', 'reader', { response: 'file' }, (call) => {
		const task = taskSchema.parse({ path, grid: call.base.no, fields: call.fields });
		return new HttpResponse(200, { 'Content-Type': 'text/csv' }, Readable.from(exported(task)));
	});
	const store = new Store({ path });
	store.groupCommits();
	const owner = store.accounts.firstUser() ?? store.accounts.createUser('owner');
	const { key, secret } = store.accounts.createKey(owner.id, 'Threads', 'admin');
	const app = await createHttp({
		store,
		routes: [...allRoutes, ...grid.routes],
		signingKey: 'threads',
		bodyLimit: 2 * 1024 * 1024,
		requestTimeout: 30_000,
		trustedProxies: [],
		requestsPerSecond: undefined,
		origins: [],
		publicUrl: undefined,
		accessLog: undefined,
		now: Date.now,
		onFault: (error) => process.stderr.write(`${String(error)}\n`),
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	process.stdout.write(`${JSON.stringify({ url, key, secret, userId: owner.id })}\n`);
}

if (isMainThread) void main(process.argv.at(-1) ?? '');
else void exportInThread(taskSchema.parse(workerData));
