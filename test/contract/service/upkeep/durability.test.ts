import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import { repetitions } from '../../../fixtures/repetitions';
import { allItems, Caller, id, makeGrid, object, objects } from '../http';
import { CompiledService } from './compiledService';

let compiled: CompiledService;
let data: string;
let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'datagrid-kill-'));
	compiled = new CompiledService();
	data = join(folder, 'data.db');
}, 120_000);
const children = new Set<ChildProcess>();
afterEach(() => {
	// Jest does not exit while a process of a failed test runs.
	for (const child of children) child.kill('SIGKILL');
	children.clear();
});
afterAll(() => {
	rmSync(folder, { recursive: true });
	compiled.remove();
});

async function start(args: string[] = []): Promise<{ child: ChildProcess; owner: Caller; line: string }> {
	const child = spawn(process.execPath, [compiled.main, '--port', '0', '--data', data, ...args], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	children.add(child);
	for await (const line of createInterface({ input: child.stdout })) {
		const { url, userId, key, secret } = object(JSON.parse(line));
		return { child, line, owner: Caller.basic(String(url), String(userId), String(key), String(secret)) };
	}
	throw new Error('The service ended before it was ready');
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve));

/** Number of SIGKILL and of SIGTERM signals. */
const [KILLS, TERMS] = [repetitions({ inCi: 8, local: 4 }), repetitions({ inCi: 2, local: 1 })];
/** Number of kills during an upload or a copy. */
const CUT_OFF = 4;

/** An entity that the service has acknowledged. */
interface Acknowledged {
	readonly path: string;
	text: string;
	number: number;
}

test('every acknowledged write survives kills under load, and SIGTERM completes active requests', async () => {
	const first = await start();
	const { grid, ids } = await makeGrid(first.owner, {
		text: { name: 'string' },
		number: { name: 'integer' },
	});
	const acknowledged = new Map<string, Acknowledged>();
	const deleted = new Set<string>();
	const uncertain = new Set<string>();
	let { child, owner } = first;
	let kills = 0;
	let writes = 0;

	const worker = async (client: Caller, name: number) => {
		for (let n = 0; ; n++) {
			const text = `${kills}-${name}-${n}`;
			const path = await client.create(`${grid}/entities`, { text, number: n }, { layout: 'key' });
			const entry: Acknowledged = { path, text, number: n };
			acknowledged.set(path, entry);
			uncertain.add(path);
			const reply = await client.put(path, { text: `${text}!`, number: n + 1 }, { layout: 'key' });
			if (reply.status !== 200) throw new Error(reply.text);
			Object.assign(entry, { text: `${text}!`, number: n + 1 });
			if (n % 5 === 0 && (await client.delete(path)).status === 200) {
				acknowledged.delete(path);
				deleted.add(path);
			}
			uncertain.delete(path);
			writes += 2;
		}
	};

	const reset: string[] = [];
	for (; kills < KILLS + TERMS; kills++) {
		const signal = kills % 5 === 4 ? 'SIGTERM' : 'SIGKILL';
		const client = owner;
		const target = child;
		const before = acknowledged.size;
		const load = Array.from({ length: 8 }, (_, name) =>
			worker(client, name).catch((error: unknown) => error),
		);
		// Kill in the middle of the load, at a different point each time.
		while (acknowledged.size < before + 50 + kills * 3)
			await new Promise((resolve) => setTimeout(resolve, 1));
		const gone = ended(target);
		target.kill(signal);
		const code = await gone;
		const failures = await Promise.all(load);
		if (signal === 'SIGTERM') {
			expect(code).toBe(0);
			// A refused connection proves that the request was not performed.
			reset.push(...failures.map((error) => inspect(error)).filter((text) => !text.includes('ECONNREFUSED')));
		}
		({ child, owner } = await start());
	}
	expect(reset).toEqual([]);

	const found = new Map<string, Record<string, unknown>>();
	for (const item of await allItems(owner, `${grid}/entities`, { layout: 'key' }))
		found.set(`${grid}/entities/${String(item['_id'])}`, item);
	let lost = 0;
	for (const [path, { text, number }] of acknowledged) {
		const item = found.get(path);
		// A write whose response was lost is performed or not, but never partially.
		if (uncertain.has(path)) {
			if (item) expect([text, `${text}!`]).toContain(item['text']);
		} else if (!item || item['text'] !== text || item['number'] !== number) lost++;
	}
	const partial = [...found.values()].filter(({ text, number }) => {
		const [, , n] = String(text).replace('!', '').split('-');
		return Number(n) + (String(text).endsWith('!') ? 1 : 0) !== number;
	});
	const restored = [...deleted].filter((path) => found.has(path));
	expect({ kills, lost, partial: partial.length, restored: restored.length }).toEqual({
		kills: KILLS + TERMS,
		lost: 0,
		partial: 0,
		restored: 0,
	});
	expect(writes).toBeGreaterThan(500);

	// Replaying the updates feed gives the current entities.
	const replayed = new Map<unknown, Record<string, unknown>>();
	for (const event of await allItems(owner, `${grid}/updates`, { since: '2020-01-01T00:00:00Z' })) {
		const values = { ...replayed.get(event['entityId']) };
		for (const change of objects(event['changes'])) values[String(change['fieldId'])] = change['newValue'];
		if (event['type'] === 'deleted') replayed.delete(event['entityId']);
		else replayed.set(event['entityId'], values);
	}
	expect(replayed.size).toBe(found.size);
	for (const [path, item] of found) {
		expect(replayed.get(path.split('/').pop())).toEqual({
			[id(ids, 'text')]: item['text'],
			[id(ids, 'number')]: item['number'],
		});
	}
	const figures = `${KILLS} kills, ${TERMS} times SIGTERM, ${writes} acknowledged writes, ${lost} lost, ${partial.length} partial`;
	process.stderr.write(`kill -9: ${figures}\n`);
	const end = ended(child);
	child.kill('SIGTERM');
	expect(await end).toBe(0);
}, 600_000);

test('an upload or copy that kill -9 interrupts is complete or absent, and its leftovers are removed', async () => {
	const lines = Array.from({ length: 30_000 }, (_, n) => `text ${n},${n}`);
	const csv = `text,n\n${lines.join('\n')}\n`;
	let { child, owner } = await start();
	const home = `/api/users/${owner.userId}/spaces`;
	const space = await owner.create(home, { name: 'Uploads' });
	const form = () => {
		const data = new FormData();
		data.set('name', 'Whole');
		data.set('file', new Blob([csv]), 'rows.csv');
		return data;
	};
	const upload = (client: Caller) => client.upload(`${space}/uploadCSV`, form());
	await upload(owner);
	const partial: unknown[] = [];
	for (let kill = 0; kill < CUT_OFF; kill++) {
		const cutOff = kill % 2 === 0 ? upload(owner) : owner.post(`${space}/copy`, { includeEntities: true });
		const ending = cutOff.catch((error: unknown) => error);
		await new Promise((resolve) => setTimeout(resolve, 60 + (kill * 480) / CUT_OFF));
		const gone = ended(child);
		child.kill('SIGKILL');
		await gone;
		await ending;
		({ child, owner } = await start());
		for (const one of objects((await owner.get(home)).json()['items'])) {
			for (const grid of objects((await owner.get(`${home}/${String(one['id'])}/grids`)).json()['items'])) {
				const list = await owner.get(`${home}/${String(one['id'])}/grids/${String(grid['id'])}/entities`);
				const count = Number(list.json()['numberOfItems']);
				if (grid['name'] === 'Whole' && count !== lines.length) partial.push([one['name'], count]);
				if (grid['name'] === 'Whole' && one['name'] !== 'Uploads')
					await owner.delete(`${home}/${String(one['id'])}`);
			}
		}
	}
	expect(partial).toEqual([]);
	const end = ended(child);
	child.kill('SIGTERM');
	expect(await end).toBe(0);
}, 120_000);

test('the key of the owner is stored in a private file and printed again', async () => {
	const once = await start();
	const end = ended(once.child);
	once.child.kill('SIGINT');
	expect(await end).toBe(0);
	const again = await start();
	expect(object(JSON.parse(again.line))['secret']).toBe(object(JSON.parse(once.line))['secret']);
	expect(statSync(`${data}.owner.json`).mode & 0o777).toBe(0o600);
	const over = ended(again.child);
	again.child.kill('SIGTERM');
	await over;
});

test('a used port and an invalid argument end with a message and an exit code', async () => {
	const running = await start();
	const port = new URL(running.owner.url).port;
	const attempt = (args: string[]) =>
		new Promise<{ code: number | null; text: string }>((resolve) => {
			const child = spawn(process.execPath, [compiled.main, ...args], {
				stdio: ['ignore', 'ignore', 'pipe'],
			});
			children.add(child);
			let text = '';
			child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
			child.once('exit', (code) => {
				resolve({ code, text });
			});
		});
	const taken = await attempt(['--port', port, '--data', ':memory:', '--keep-history', '30']);
	expect(taken.code).toBe(1);
	expect(taken.text).toContain('Another program uses this port');
	for (const args of [
		['--port', 'many'],
		['--seed', 'flowers'],
		['--nonsense'],
		['constructor'],
		['user', 'remove', 'x'],
		['token', '--data', ':memory:'],
	]) {
		const { code, text } = await attempt(args);
		expect([code, text]).toEqual([1, expect.stringContaining('Usage:')]);
	}
	const over = ended(running.child);
	running.child.kill('SIGTERM');
	await over;
}, 120_000);
