import {
	chmodSync,
	linkSync,
	lstatSync,
	readdirSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { addUser } from '../../../../service/cli/commands';
import { startService } from '../../../../service/server';
import { Database } from '../../../../service/store/files/database';
import { Store } from '../../../../service/store/store';
import { Caller, id, makeGrid, byKey, last } from '../http';
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

test('a file of another program is refused and gets no tables', async () => {
	const other = new Database(data);
	other.exec('CREATE TABLE theirs (a)');
	other.close();
	await expect(startService({ data })).rejects.toThrow(
		`${data} belongs to another program: set another file with --data`,
	);
	const after = new Database(data);
	expect(after.all('SELECT name FROM sqlite_master')).toEqual([{ name: 'theirs' }]);
	after.close();
});
