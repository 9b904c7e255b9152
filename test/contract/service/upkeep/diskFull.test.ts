import { z } from 'zod/v4';
import { Database } from '../../../../service/store/files/database';
import { makeGrid, startWithOwner, byKey } from '../http';
import { TemporaryFolder } from '../../../fixtures/temporaryFolder';
import { ServiceProcess } from './serviceProcess';

const folder = new TemporaryFolder();
afterEach(() => {
	jest.restoreAllMocks();
});

test('a full disk responds with 507 and keeps acknowledged writes; writes succeed once it has space', async () => {
	const begin = jest.spyOn(Database.prototype, 'groupCommits');
	const { service, owner } = await startWithOwner({ data: folder.file('data.db') });
	const database = z.instanceof(Database).parse(begin.mock.contexts[0]);
	const { grid, space } = await makeGrid(owner, { text: { name: 'string' } });
	// SQLite reports a file at its page limit as a full disk.
	database.exec('PRAGMA max_page_count=1');
	const text = 'x'.repeat(1000);
	let written = 0;
	const create = async () => await owner.post(`${grid}/entities`, { text }, byKey);
	let reply = await create();
	for (; reply.status === 201; reply = await create()) written += 1;
	expect([reply.status, reply.json()['message']]).toEqual([507, expect.stringContaining('disk')]);
	const file = `text\n${`${text}\n`.repeat(1000)}`;
	expect((await owner.post(`${space}/uploadCSV`, { name: 'Large', file })).status).toBe(507);
	expect((await owner.read(`${grid}/entities`))['numberOfItems']).toBe(written);
	database.exec('PRAGMA max_page_count=1000000');
	expect((await create()).status).toBe(201);
	expect((await owner.read(`${grid}/entities`))['numberOfItems']).toBe(written + 1);
	await service.stop();
});

test('a row that does not fit fails its request only: not those of others, and no read', async () => {
	const begin = jest.spyOn(Database.prototype, 'groupCommits');
	const { service, owner } = await startWithOwner({ data: folder.file('data.db') });
	const database = z.instanceof(Database).parse(begin.mock.contexts[0]);
	const columns = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`text${n}`, { name: 'string' }]));
	const { grid, space } = await makeGrid(owner, columns);
	const [pages] = database.all<{ page_count: number }>('PRAGMA page_count');
	database.exec(`PRAGMA max_page_count=${(pages?.page_count ?? 0) + 400}`);
	const file = `text\n${'short\n'.repeat(3000)}`;
	const upload = owner.post(`${space}/uploadCSV`, { name: 'Small enough', file });
	const progress = { uploading: true };
	const uploaded = upload.finally(() => (progress.uploading = false));
	const statuses: Record<string, Set<number>> = { large: new Set(), small: new Set(), read: new Set() };
	const add = async (kind: string, reply: Promise<{ status: number }>) =>
		statuses[kind]?.add((await reply).status);
	const large = Object.fromEntries(Object.keys(columns).map((key) => [key, 'x'.repeat(95_000)]));
	for (let round = 0; progress.uploading || round < 10; round++)
		await Promise.all([
			add('large', owner.post(`${grid}/entities`, large, byKey)),
			add('small', owner.post(`${grid}/entities`, { text0: 'short' }, byKey)),
			...Array.from({ length: 5 }, () => add('read', owner.get(`${grid}/entities`))),
		]);
	expect((await uploaded).status).toBe(201);
	expect(statuses).toEqual({ large: new Set([507]), small: new Set([201]), read: new Set([200]) });
	await service.stop();
});

test('a limit of the size of files responds with 507, and nothing is lost', async () => {
	const service = new ServiceProcess(4000);
	try {
		const owner = await service.start();
		const { grid } = await makeGrid(owner, { text: { name: 'string' } });
		const text = 'x'.repeat(90_000);
		const create = () => owner.post(`${grid}/entities`, { text }, byKey);
		let written = 0;
		let reply = await create();
		for (; reply.status === 201 && written < 1000; reply = await create()) written += 1;
		expect([reply.status, reply.json()['message']]).toEqual([507, expect.stringContaining('limit')]);
		expect((await owner.read(`${grid}/entities`))['numberOfItems']).toBe(written);
		await service.kill();
		const again = await service.start();
		expect((await again.read(`${grid}/entities`))['numberOfItems']).toBe(written);
	} finally {
		await service.remove();
	}
});
