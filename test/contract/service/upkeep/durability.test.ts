import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { inspect } from 'node:util';
import { repetitions } from '../../../fixtures/repetitions';
import { allItems, type Caller, id, makeGrid, objects, uploadGrid, byKey, last } from '../http';
import { ServiceProcess } from './serviceProcess';

let service: ServiceProcess;
beforeAll(() => {
	service = new ServiceProcess();
}, 120_000);
// Jest does not exit while a process of a failed test runs.
afterEach(() => service.kill());
afterAll(() => service.remove());

/** Number of SIGKILL and of SIGTERM signals. */
const [KILLS, TERMS] = [repetitions({ inCi: 5, local: 4 }), repetitions({ inCi: 2, local: 1 })];
/** Number of kills during an upload or a copy. */
const CUT_OFF = 4;

/** An entity that the service has acknowledged. */
interface Acknowledged {
	readonly path: string;
	text: string;
	number: number;
}

test('every acknowledged write survives kills under load, and SIGTERM completes active requests', async () => {
	let owner = await service.start();
	const { grid, ids } = await makeGrid(owner, {
		text: { name: 'string' },
		number: { name: 'integer' },
	});
	const acknowledged = new Map<string, Acknowledged>();
	const deleted = new Set<string>();
	const uncertain = new Set<string>();
	let kills = 0;
	let writes = 0;

	const worker = async (client: Caller, name: number) => {
		for (let n = 0; ; n++) {
			const text = `${kills}-${name}-${n}`;
			const path = await client.create(`${grid}/entities`, { text, number: n }, byKey);
			const entry: Acknowledged = { path, text, number: n };
			acknowledged.set(path, entry);
			uncertain.add(path);
			const reply = await client.put(path, { text: `${text}!`, number: n + 1 }, byKey);
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
		const before = acknowledged.size;
		const load = Array.from({ length: 8 }, (_, name) =>
			worker(client, name).catch((error: unknown) => error),
		);
		// Kill in the middle of the load, at a different point each time.
		while (acknowledged.size < before + 50 + kills * 3)
			await new Promise((resolve) => setTimeout(resolve, 1));
		const code = await service.kill(signal);
		const failures = await Promise.all(load);
		if (signal === 'SIGTERM') {
			expect(code).toBe(0);
			// A refused connection proves that the request was not performed.
			reset.push(...failures.map((error) => inspect(error)).filter((text) => !text.includes('ECONNREFUSED')));
		}
		owner = await service.start();
	}
	expect(reset).toEqual([]);

	const found = new Map<string, Record<string, unknown>>();
	for (const item of await allItems(owner, `${grid}/entities`, byKey))
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
		expect(replayed.get(last(path))).toEqual({
			[id(ids, 'text')]: item['text'],
			[id(ids, 'number')]: item['number'],
		});
	}
	const figures = `${KILLS} kills, ${TERMS} times SIGTERM, ${writes} acknowledged writes, ${lost} lost, ${partial.length} partial`;
	process.stderr.write(`kill -9: ${figures}\n`);
	expect(await service.kill('SIGTERM')).toBe(0);
}, 600_000);

test('an upload or copy that kill -9 interrupts is complete or absent, and its leftovers are removed', async () => {
	const lines = Array.from({ length: 30_000 }, (_, n) => `text ${n},${n}`);
	const csv = `text,n\n${lines.join('\n')}\n`;
	let owner = await service.start();
	const home = `/api/users/${owner.userId}/spaces`;
	const space = await owner.create(home, { name: 'Uploads' });
	const upload = () => uploadGrid(owner, space, { name: 'Whole', file: csv });
	await upload();
	const partial: unknown[] = [];
	for (let kill = 0; kill < CUT_OFF; kill++) {
		const cutOff: Promise<unknown> =
			kill % 2 === 0 ? upload() : owner.post(`${space}/copy`, { includeEntities: true });
		const ending = cutOff.catch((error: unknown) => error);
		await new Promise((resolve) => setTimeout(resolve, 60 + (kill * 480) / CUT_OFF));
		await service.kill();
		await ending;
		owner = await service.start();
		for (const one of await owner.items(home)) {
			for (const grid of await owner.items(`${home}/${String(one['id'])}/grids`)) {
				const list = await owner.get(`${home}/${String(one['id'])}/grids/${String(grid['id'])}/entities`);
				const count = Number(list.json()['numberOfItems']);
				if (grid['name'] === 'Whole' && count !== lines.length) partial.push([one['name'], count]);
				if (grid['name'] === 'Whole' && one['name'] !== 'Uploads')
					await owner.delete(`${home}/${String(one['id'])}`);
			}
		}
	}
	expect(partial).toEqual([]);
	expect(await service.kill('SIGTERM')).toBe(0);
}, 120_000);

test('the key of the owner is stored in a private file and printed again', async () => {
	const { authorization } = await service.start();
	expect(await service.kill('SIGINT')).toBe(0);
	expect((await service.start()).authorization).toBe(authorization);
	expect(statSync(`${service.data}.owner.json`).mode & 0o777).toBe(0o600);
});

test('a used port and an invalid argument end with a message and an exit code', async () => {
	const { port } = new URL((await service.start()).url);
	const attempt = (args: string[]) =>
		new Promise<{ code: number | null; text: string }>((resolve) => {
			const child = spawn(process.execPath, [service.compiled.main, ...args], {
				stdio: ['ignore', 'ignore', 'pipe'],
			});
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
}, 120_000);
