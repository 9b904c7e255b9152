import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { GRACE_MS } from '../../../../service/server';
import { makeGrid, startWithOwner, type Caller } from '../http';
import { TemporaryFolder } from '../../../fixtures/temporaryFolder';

const folder = new TemporaryFolder();

/** The numbers in all rows of a grid with one column, sorted. */
async function numbersIn(owner: Caller, grid: string): Promise<number[]> {
	const [, ...lines] = (await owner.get(`${grid}/csv`)).text.trim().split('\n');
	return lines.map(Number).sort((a, b) => a - b);
}

test('a stopping service completes the requests of every sequential client', async () => {
	const data = folder.file('data.db');
	const first = await startWithOwner({ data, graceMs: GRACE_MS });
	const { grid } = await makeGrid(first.owner, { n: { name: 'integer' } });
	let sent = 0;
	const created: number[] = [];
	const refused: string[] = [];
	const writer = async () => {
		for (;;) {
			const n = ++sent;
			try {
				await first.owner.create(`${grid}/entities`, { fields: [n] });
				created.push(n);
			} catch (error) {
				refused.push(/code: '(\w+)'/.exec(inspect(error))?.[1] ?? inspect(error));
				return;
			}
		}
	};
	const writers = Promise.all(Array.from({ length: 30 }, writer));
	while (created.length < 100) await delay(1);
	await first.service.stop();
	await writers;
	// Writers end with a refused connection, except those that connect while the port closes.
	const resets = refused.filter((code) => code === 'ECONNRESET').length;
	expect(refused.filter((code) => code === 'ECONNREFUSED')).toHaveLength(30 - resets);
	expect(resets).toBeLessThan(15);
	const second = await startWithOwner({ data });
	expect(await numbersIn(second.owner, grid)).toEqual(created.sort((a, b) => a - b));
	await second.service.stop();
});

test('a request without a response from a stopping service was not performed and can be sent again', async () => {
	const data = folder.file('data.db');
	const first = await startWithOwner({ data, graceMs: GRACE_MS });
	const { grid } = await makeGrid(first.owner, { n: { name: 'integer' } });
	const { url, key, secret } = first.service;
	const { port } = new URL(url);
	/** Creates a row over a new connection. @throws if no response arrives */
	const create = (n: number) =>
		new Promise<number>((resolve, reject) => {
			const sent = request(
				`${url}${grid}/entities`,
				{ method: 'POST', agent: false, auth: `${key}:${secret}`, headers: { 'content-type': 'application/json' } }, // prettier-ignore
				(response) => {
					response.resume().once('end', () => {
						resolve(response.statusCode ?? 0);
					});
				},
			);
			sent.once('error', reject);
			sent.end(JSON.stringify({ fields: [n] }));
		});
	let repeated = 0;
	const createOnce = async (n: number): Promise<number> => {
		for (;;) {
			try {
				return await create(n);
			} catch {
				repeated += 1;
				await delay(20);
			}
		}
	};
	// Clients connect continuously, also at the moment when the port closes.
	const statuses: Array<Promise<number>> = [];
	const sendUntil = async (settled: () => boolean) => {
		while (!settled()) {
			statuses.push(createOnce(statuses.length));
			await delay(3);
		}
	};
	await sendUntil(() => statuses.length === 100);
	let running = false;
	const restarting = first.service
		.stop()
		.then(() => startWithOwner({ data, port: Number(port) }))
		.finally(() => {
			running = true;
		});
	await sendUntil(() => running);
	const { service, owner } = await restarting;
	expect([...new Set(await Promise.all(statuses))]).toEqual([201]);
	expect(repeated).toBeGreaterThan(0);
	expect(await numbersIn(owner, grid)).toEqual(statuses.map((_, n) => n));
	await service.stop();
});

test('a stopping service waits at most --grace for a request', async () => {
	const { service, owner } = await startWithOwner({ graceMs: 100, bodyLimit: 64 * 1024 * 1024 });
	const space = await owner.create(`/api/users/${owner.userId}/spaces`, { name: 'Large' });
	const file = `n,text\n${Array.from({ length: 20_000 }, (_, n) => `${n},${'x'.repeat(1000)}`).join('\n')}\n`;
	const upload = owner.post(`${space}/uploadCSV`, { name: 'Large', file }).then(
		({ status }) => status,
		() => 'cut off',
	);
	// The upload takes longer than this and the grace together.
	await delay(50);
	await service.stop();
	expect([503, 'cut off']).toContain(await upload);
});
