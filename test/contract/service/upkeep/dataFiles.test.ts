import {
	chmodSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	rmSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { hashSecret } from '../../../../service/rules/access';
import { addUser } from '../../../../service/cli/commands';
import { startService } from '../../../../service/server';
import { Database } from '../../../../service/store/files/database';
import { Caller, id, makeGrid, objects } from '../http';

let folder: string;
let data: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'datagrid-files-'));
	data = join(folder, 'data.db');
});
afterEach(() => {
	rmSync(folder, { recursive: true });
});

const start = async () => {
	const service = await startService({ data });
	return { service, owner: Caller.basic(service.url, service.userId, service.key, service.secret) };
};
const modes = () =>
	Object.fromEntries(
		readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
	);

test('the files of the service are accessible to their owner only, also if their modes were wider', async () => {
	const before = process.umask(0o022);
	try {
		const first = await start();
		await makeGrid(first.owner, { a: { name: 'string' } });
		addUser(data, 'second', undefined);
		const names = ['data.db', 'data.db-shm', 'data.db-wal', 'data.db.lock', 'data.db.owner.json'];
		expect(modes()).toEqual(Object.fromEntries(names.map((name) => [name, '600'])));
		await first.service.stop();
		for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
		const again = await start();
		await makeGrid(again.owner, { a: { name: 'string' } }, 'More');
		expect(modes()).toEqual(Object.fromEntries(names.map((name) => [name, '600'])));
		await again.service.stop();
	} finally {
		process.umask(before);
	}
});

test('a second service is refused a data file in use, also under another name', async () => {
	const first = await start();
	symlinkSync(data, join(folder, 'other.db'));
	for (const name of ['data.db', '../' + basename(folder) + '/data.db', 'other.db'])
		await expect(startService({ data: join(folder, name) })).rejects.toThrow('in use by another service');
	await first.service.stop();
	const again = await startService({ data: join(folder, 'other.db') });
	await again.stop();
});

/**
 * Converts a current data file to format 6, whose creation events contain all values.
 */
function toFormat6(): void {
	const db = new Database(data);
	for (const { name } of db.all<{ name: string }>(
		"SELECT name FROM sqlite_master WHERE name GLOB 'creation_*'",
	))
		db.exec(`DROP TRIGGER ${name}`);
	for (const { no } of db.all<{ no: number }>('SELECT no FROM grids WHERE base_no IS NULL')) {
		const list = `SELECT json_group_array(json_object('fieldId', key, 'oldValue', NULL, 'newValue', value)) FROM json_each(`;
		const values = `CASE changes WHEN '' THEN (SELECT v FROM rows_${no} WHERE id = entity) ELSE changes END`;
		db.exec(`UPDATE events_${no} SET changes = (${list}${values})) WHERE type = 'created'`);
	}
	db.exec('PRAGMA user_version=6; PRAGMA auto_vacuum=NONE; VACUUM;');
	db.close();
}

test('a data file of format 6 is migrated: same history, smaller creation events, shrinkable', async () => {
	const first = await start();
	const { grid } = await makeGrid(first.owner, { a: { name: 'string' }, n: { name: 'integer' } });
	const [changed, removed] = [
		await first.owner.create(`${grid}/entities`, { fields: ['changed', 1] }),
		await first.owner.create(`${grid}/entities`, { fields: ['removed', 2] }),
		await first.owner.create(`${grid}/entities`, { fields: ['kept', null] }),
	];
	await first.owner.put(changed, { n: 3 }, { layout: 'key' });
	await first.owner.delete(removed);
	const feed = async ({ owner }: typeof first) =>
		(await owner.get(`${grid}/updates`, { since: '2020-01-01T00:00:00Z' })).json()['items'];
	const before = await feed(first);
	await first.service.stop();
	toFormat6();

	const again = await start();
	expect(await feed(again)).toEqual(before);
	await again.service.stop();
	const db = new Database(data);
	const created = db.all<{ changes: string }>(
		"SELECT changes FROM events_1 WHERE type = 'created' ORDER BY seq",
	);
	expect(created.map(({ changes }) => changes === '')).toEqual([false, false, true]);
	expect(db.all('PRAGMA auto_vacuum')).toEqual([{ auto_vacuum: 2 }]);
	db.close();
});

const FORMAT_3 =
	/^(settings|users|access_keys|spaces|shares|mails|grids|fields|forms|sviews|sview_shares|links|indexes|sqlite_.*|(rows|holes|events)_\d+)$/;

/**
 * Converts a current data file to format 3, in which link IDs are addresses and passwords have
 * no salt.
 */
function toFormat3(password: string): void {
	const db = new Database(data);
	db.exec(`
CREATE TABLE old (id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, kind TEXT NOT NULL, role TEXT NOT NULL,
	grid_no INTEGER NOT NULL REFERENCES grids (no) ON DELETE CASCADE, form_id TEXT REFERENCES forms ON DELETE CASCADE,
	entity_id TEXT, protection TEXT NOT NULL, link_user TEXT, secret_hash TEXT, created_at INTEGER NOT NULL);
INSERT INTO old SELECT id, user_id, kind, role, grid_no, form_id, entity_id, protection, link_user, secret_hash, created_at FROM links;
DROP TABLE links; ALTER TABLE old RENAME TO links; PRAGMA user_version=3;`);
	for (const { name } of db.all<{ name: string }>(
		"SELECT name FROM sqlite_master WHERE name GLOB 'creation_*'",
	))
		db.exec(`DROP TRIGGER ${name}`);
	for (const { name } of db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'"))
		if (!FORMAT_3.test(name)) db.exec(`DROP TABLE ${name}`);
	db.run('UPDATE links SET secret_hash = ? WHERE secret_hash IS NOT NULL', hashSecret(password));
	db.close();
}

test('a data file of format 3 is migrated: links get random addresses, and passwords a salted hash', async () => {
	const password = 'open sesame';
	const first = await start();
	const { grid, ids } = await makeGrid(first.owner, { a: { name: 'string' } });
	const form = await first.owner.create(`${grid}/links`, { kind: 'form' });
	await first.owner.create(`${grid}/links`, { kind: 'form', user: 'guest', password });
	expect((await first.owner.post(form, { [id(ids, 'a')]: 'sent' })).status).toBe(201);
	await first.service.stop();
	toFormat3(password);

	const { service, owner } = await start();
	const links = objects((await owner.get(`${grid}/links`)).json()['items']);
	expect(links).toHaveLength(2);
	const anonymous = new Caller(service.url, owner.userId, undefined);
	const [open, locked] = links.map((link) => String(link['href']));
	for (const link of links)
		expect((await anonymous.get(`/api/a/${owner.userId}/${String(link['id'])}`)).status).toBe(404);
	expect((await anonymous.get(open ?? '')).status).toBe(200);
	const attempt = async (word: string) =>
		(
			await anonymous.get(locked ?? '', undefined, {
				authorization: `Basic ${Buffer.from(`guest:${word}`).toString('base64')}`,
			})
		).status;
	expect([await attempt(password), await attempt('wrong')]).toEqual([200, 401]);
	// The history refers to the link by its ID.
	const [event] = objects(
		(await owner.get(`${grid}/updates`, { since: '2020-01-01T00:00:00Z' })).json()['items'],
	);
	expect(event?.['userId']).toBe(`link:${String(links[0]?.['id'])}`);
	await service.stop();
	expect(readFileSync(data).toString('latin1').includes(`scrypt-sha256:`)).toBe(true);
	expect(existsSync(`${data}-wal`)).toBe(false);
});
