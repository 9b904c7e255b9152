import {
	chmodSync,
	linkSync,
	lstatSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { listUsers } from '../../../../service/cli/accountCommands';
import { addUser, withStore } from '../../../../service/cli/commands';
import { hashSecret } from '../../../../service/rules/access';
import { startService } from '../../../../service/server';
import { Database } from '../../../../service/store/files/database';
import { Store } from '../../../../service/store/store';
import { until } from '../../../../testbed/until';
import { Caller, id, makeGrid, byKey, last, uploadGrid } from '../http';
import { TemporaryFolder } from '../../../fixtures/temporaryFolder';

const folder = new TemporaryFolder();
let data: string;
beforeEach(() => {
	data = folder.file('data.db');
});

const start = async () => {
	const service = await startService({ data });
	return { service, owner: Caller.basic(service.url, service.userId, service.key, service.secret) };
};
const modes = () =>
	Object.fromEntries(
		readdirSync(folder.path).map((name) => [name, (statSync(folder.file(name)).mode & 0o777).toString(8)]),
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
		for (const name of readdirSync(folder.path)) chmodSync(folder.file(name), 0o644);
		const again = await start();
		await makeGrid(again.owner, { a: { name: 'string' } }, 'More');
		expect(modes()).toEqual(Object.fromEntries(names.map((name) => [name, '600'])));
		await again.service.stop();
	} finally {
		process.umask(before);
	}
});

/** The files that this process has open, on Linux; the listing itself was one, and is gone. */
const openFiles = () =>
	readdirSync('/proc/self/fd').flatMap((name) => {
		const path = join('/proc/self/fd', name);
		return lstatSync(path, { throwIfNoEntry: false }) ? [readlinkSync(path)] : [];
	});

test('a second service is refused a data file in use, also under another name', async () => {
	const first = await start();
	symlinkSync(data, folder.file('other.db'));
	for (const name of ['data.db', '../' + basename(folder.path) + '/data.db', 'other.db'])
		await expect(startService({ data: folder.file(name) })).rejects.toThrow('in use by another service');
	await first.service.stop();
	const again = await startService({ data: folder.file('other.db') });
	await again.stop();
});

test('a lock that cannot be read is no other service', async () => {
	writeFileSync(`${data}.lock`, 'not a lock, '.repeat(1000));
	await expect(startService({ data })).rejects.toThrow('cannot be locked by');
	rmSync(`${data}.lock`);
});

test('a start that fails does not leave its log open', async () => {
	const first = await start();
	const log = folder.file('requests.log');
	const port = Number(new URL(first.service.url).port);
	const options = { data: folder.file('another.db'), log, port };
	await expect(startService(options)).rejects.toThrow('EADDRINUSE');
	expect(openFiles()).not.toContain(log);
	await first.service.stop();
});

test('a data file with a second name (hard link) is refused under both', async () => {
	const first = await start();
	await first.service.stop();
	const other = folder.file('other.db');
	linkSync(data, other);
	for (const name of [data, other])
		await expect(startService({ data: name })).rejects.toThrow('several names (hard links)');
	rmSync(other);
	await (await start()).service.stop();
});

test('a data file of an earlier format is refused with the way to carry it over, and left alone', async () => {
	const first = await start();
	await first.service.stop();
	const db = new Database(data);
	db.exec('PRAGMA user_version=7');
	db.close();
	await expect(start()).rejects.toThrow(/format 7 of an earlier version.*export each grid as CSV/);
	const again = new Database(data);
	expect(again.all('PRAGMA user_version')).toEqual([{ user_version: 7 }]);
	again.close();
});

test('times with an impossible offset, as earlier versions stored them, are readable and exported', async () => {
	const first = await start();
	const { grid, ids } = await makeGrid(first.owner, { a: { name: 'date-time' }, n: { name: 'integer' } });
	const row = await first.owner.create(`${grid}/entities`, { fields: ['2026-03-01T10:00:00Z', 1] });
	await first.service.stop();
	const stored = '2026-03-01T09:30:00+25:00';
	const store = new Store({ path: data });
	const gridNo = store.grids.get(last(grid))?.no ?? 0;
	store.entities.update(gridNo, last(row), { [id(ids, 'a')]: stored }, first.service.userId);
	store.close();

	const { service, owner } = await start();
	expect(await owner.read(row, byKey)).toMatchObject({ a: stored, n: 1 });
	expect((await owner.get(`${grid}/csv`)).text).toContain(`${stored},1`);
	const sorting = JSON.stringify({ [id(ids, 'a')]: { $order: 'descending' } });
	expect(await owner.items(`${grid}/entities`, { sorting, layout: 'key' })).toMatchObject([{ a: stored }]); // prettier-ignore
	expect((await owner.items(`${row}/events`))[0]).toMatchObject({
		changes: [{ oldValue: '2026-03-01T10:00:00.000Z', newValue: stored }],
	});
	expect((await owner.put(row, { n: 2 }, byKey)).json()).toMatchObject({ a: stored, n: 2 });
	expect((await owner.put(row, { a: '2026-03-01T09:30:00Z' }, byKey)).status).toBe(200);
	await service.stop();
});

/** Names and contents of all files of the folder. */
const contents = () =>
	Object.fromEntries(readdirSync(folder.path).map((name) => [name, readFileSync(folder.file(name), 'hex')]));

test.each(['DELETE', 'WAL'])('a file of another program (journal mode %s) is refused and not touched', async (mode) => {
	const other = new DatabaseSync(data);
	other.exec(`PRAGMA journal_mode=${mode}; CREATE TABLE settings (a); PRAGMA user_version=12`);
	other.close();
	chmodSync(data, 0o640);
	const before = contents();
	const refused = `${data} belongs to another program: set another file with --data`;
	await expect(startService({ data })).rejects.toThrow(refused);
	expect(() => withStore(data, listUsers)).toThrow(refused);
	expect([contents(), statSync(data).mode & 0o777]).toEqual([before, 0o640]);
}); // prettier-ignore

test('the file of another program that runs is refused and not changed', async () => {
	const other = new DatabaseSync(data);
	other.exec('PRAGMA journal_mode=WAL; CREATE TABLE theirs (a)');
	const before = contents();
	await expect(startService({ data })).rejects.toThrow('belongs to another program');
	expect(contents()).toMatchObject({ 'data.db': before['data.db'], 'data.db-wal': before['data.db-wal'] });
	other.close();
});

test('an emptied data file is refused, and the key of its owner stays', async () => {
	const first = await start();
	await first.service.stop();
	const whole = readFileSync(data);
	for (const empty of [Buffer.alloc(0), emptyDatabase()]) {
		writeFileSync(data, empty);
		const before = contents();
		await expect(start()).rejects.toThrow(/data\.db is empty, but .*owner\.json has the key.*restore FILE/);
		expect(contents()).toEqual(before);
	}
	writeFileSync(data, whole);
	const again = await start();
	expect(again.service.key).toBe(first.service.key);
	await again.service.stop();
});

/** Content of a SQLite file without tables. */
function emptyDatabase(): Buffer {
	const path = folder.file('empty.db');
	const empty = new DatabaseSync(path);
	empty.exec('CREATE TABLE a (b); DROP TABLE a');
	empty.close();
	return readFileSync(path);
}

test('an empty file without a key is a new data file', async () => {
	writeFileSync(data, '');
	await (await start()).service.stop();
	await (await start()).service.stop();
});

test('a folder, a missing folder and a file of another kind are refused by their names', async () => {
	await expect(startService({ data: folder.path })).rejects.toThrow(`${folder.path} is a folder`);
	await expect(startService({ data: folder.file('none', 'data.db') })).rejects.toThrow(
		`There is no folder ${folder.file('none')}`,
	);
	writeFileSync(data, 'a text, '.repeat(1000));
	const refused = /data\.db is damaged, or not a data file.*main\.js restore FILE --force --data .*data\.db/;
	await expect(start()).rejects.toThrow(refused);
	expect(() => withStore(data, listUsers)).toThrow(refused);
	expect(readdirSync(folder.path)).toEqual(['data.db']);
});

/** Inverts bytes of the data file. */
function damage(from: number, length: number): void {
	const bytes = readFileSync(data);
	for (let at = from; at < from + length; at++) bytes[at] = ~(bytes[at] ?? 0);
	writeFileSync(data, bytes);
}

test('damage in the middle of a data file is reported after the start, with the next step', async () => {
	const first = await start();
	const { space } = await makeGrid(first.owner, {});
	await uploadGrid(first.owner, space, {
		name: 'Large',
		file: `a\n${`${'x'.repeat(200)}\n`.repeat(10_000)}`,
	});
	await first.service.stop();
	damage(Math.floor(statSync(data).size / 2), 20_000);
	const faults: unknown[] = [];
	const service = await startService({ data, onFault: (error) => faults.push(error) });
	await until('the report', () => Promise.resolve(faults.length > 0));
	expect(String(faults[0])).toMatch(/data\.db is damaged.*restore FILE --force/);
	await service.stop();
});

test('damage that prevents the start is reported with the name of the file', async () => {
	const first = await start();
	await first.service.stop();
	// The first page has the schema; the second one maps pages.
	damage(2 * 4096, statSync(data).size - 2 * 4096);
	await expect(start()).rejects.toThrow(/data\.db is damaged/);
	expect(() => withStore(data, listUsers)).toThrow(/data\.db is damaged/);
});

test('a data file of format 10 is converted, and its links to join end', async () => {
	const first = await start();
	const { grid, space } = await makeGrid(first.owner, { a: { name: 'string' } });
	await first.owner.create(`${grid}/entities`, { a: 'kept' }, byKey);
	const share = await first.owner.create(`${space}/shares`, { email: 'ann@example.com', role: 'reader' });
	await first.service.stop();
	const old = new DatabaseSync(data);
	// As format 10 had it. It stored no owner.
	old.exec(`DELETE FROM settings WHERE name = 'owner';
DROP TABLE joinings;
CREATE TABLE joinings (token_hash TEXT PRIMARY KEY, email TEXT NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO joinings VALUES ('${hashSecret('old')}', 'ann@example.com', 9000000000000);
ALTER TABLE links DROP COLUMN names;
PRAGMA user_version=10`);
	old.close();
	const { service, owner } = await start();
	expect(service.userId).toBe(first.service.userId);
	expect(await owner.items(`${grid}/entities`, byKey)).toMatchObject([{ a: 'kept' }]);
	expect((await owner.get('/api/join/old')).status).toBe(404);
	const link = String((await owner.post(`${share}/joinLink`, {})).json()['href']);
	expect((await owner.get(link)).json()).toMatchObject({ email: 'ann@example.com', name: null });
	await owner.delete(share);
	expect((await owner.get(link)).status).toBe(404);
	await service.stop();
	await (await start()).service.stop();
});
