import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { Database } from '../../../../service/store/files/database';
import { makeGrid, startWithOwner } from '../http';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'datagrid-full-'));
});
afterEach(() => {
	jest.restoreAllMocks();
	rmSync(folder, { recursive: true });
});

test('a full disk responds with 507 and keeps acknowledged writes; writes succeed once it has space', async () => {
	const begin = jest.spyOn(Database.prototype, 'groupCommits');
	const { service, owner } = await startWithOwner({ data: join(folder, 'data.db') });
	const database = z.instanceof(Database).parse(begin.mock.contexts[0]);
	const { grid, space } = await makeGrid(owner, { text: { name: 'string' } });
	// SQLite reports a file at its page limit as a full disk.
	database.exec('PRAGMA max_page_count=1');
	const text = 'x'.repeat(1000);
	let written = 0;
	const create = async () => await owner.post(`${grid}/entities`, { text }, { layout: 'key' });
	let reply = await create();
	for (; reply.status === 201; reply = await create()) written += 1;
	expect([reply.status, reply.json()['message']]).toEqual([507, expect.stringContaining('disk')]);
	const file = `text\n${`${text}\n`.repeat(1000)}`;
	expect((await owner.post(`${space}/uploadCSV`, { name: 'Large', file })).status).toBe(507);
	expect((await owner.get(`${grid}/entities`)).json()['numberOfItems']).toBe(written);
	database.exec('PRAGMA max_page_count=1000000');
	expect((await create()).status).toBe(201);
	expect((await owner.get(`${grid}/entities`)).json()['numberOfItems']).toBe(written + 1);
	await service.stop();
});
