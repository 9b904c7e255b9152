import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { backUp, restore } from '../../../../service/cli/backup';
import { Database } from '../../../../service/store/files/database';
import { allItems, makeGrid, objects, startWithOwner, type Json, byKey, last } from '../http';
import { TemporaryFolder } from '../../../fixtures/temporaryFolder';

const folder = new TemporaryFolder();
let data: string;
let backup: string;
beforeEach(() => {
	[data, backup] = [folder.file('data.db'), folder.file('backup.db')];
});

test('a backup under load is a consistent snapshot with all acknowledged writes and their events', async () => {
	const running = await startWithOwner({ data });
	const { owner } = running;
	const { grid, ids } = await makeGrid(owner, { a: { name: 'integer' }, b: { name: 'integer' } });
	const acknowledged = new Set<string>();
	let writing = true;
	const writer = async (n: number) => {
		while (writing) {
			// Each write sets both values of a row to the same number.
			const path = await owner.create(`${grid}/entities`, { fields: [n, n] });
			acknowledged.add(last(path));
			await owner.put(path, { a: n + 100, b: n + 100 }, byKey);
		}
	};
	const writers = Promise.all(Array.from({ length: 8 }, (_, n) => writer(n)));
	while (acknowledged.size < 100) await new Promise((resolve) => setTimeout(resolve, 1));
	const before = new Set(acknowledged);
	backUp(data, backup);
	const afterwards = acknowledged.size + 100;
	while (acknowledged.size < afterwards) await new Promise((resolve) => setTimeout(resolve, 1));
	writing = false;
	await writers;
	await running.service.stop();

	expect(statSync(backup).mode & 0o777).toBe(0o600);
	const elsewhere = folder.file('elsewhere.db');
	restore(elsewhere, backup, false);
	const copy = await startWithOwner({ data: elsewhere });
	const rows = await allItems(copy.owner, `${grid}/entities`, byKey);
	const found = new Set(rows.map((row) => String(row['_id'])));
	expect([...before].filter((id) => !found.has(id))).toEqual([]);
	expect([...found].filter((id) => !acknowledged.has(id)).length).toBeLessThanOrEqual(8);
	expect(rows.filter((row) => row['a'] !== row['b'])).toEqual([]);
	const replayed = new Map<string, Json>();
	for (const event of await allItems(copy.owner, `${grid}/updates`, { since: '2020-01-01T00:00:00Z' })) {
		const values = { ...replayed.get(String(event['entityId'])) };
		for (const change of objects(event['changes'])) values[String(change['fieldId'])] = change['newValue'];
		replayed.set(String(event['entityId']), values);
	}
	const [a, b] = [ids['a'] ?? '', ids['b'] ?? ''];
	expect(Object.fromEntries(replayed)).toEqual(
		Object.fromEntries(rows.map((row) => [row['_id'], { [a]: row['a'], [b]: row['b'] }])),
	);
	await copy.service.stop();
});

test('restore replaces the data with a backup, keeps the owner, and requires --force', async () => {
	const first = await startWithOwner({ data });
	const { grid } = await makeGrid(first.owner, { a: { name: 'integer' } });
	await first.owner.create(`${grid}/entities`, { fields: [1] });
	backUp(data, backup);
	await first.owner.create(`${grid}/entities`, { fields: [2] });
	expect(() => restore(data, backup, true)).toThrow('in use');
	await first.service.stop();
	expect(() => restore(data, backup, false)).toThrow('--force');
	restore(data, backup, true);
	const again = await startWithOwner({ data });
	expect(again.service.key).toBe(first.service.key);
	expect((await again.owner.read(`${grid}/entities`))['numberOfItems']).toBe(1);
	await again.service.stop();
});

test('a backup does not overwrite a file, and a file of another kind is not restored', async () => {
	const first = await startWithOwner({ data });
	await first.service.stop();
	backUp(data, backup);
	expect(() => backUp(data, backup)).toThrow('already exists');
	expect(() => backUp(folder.file('missing.db'), folder.file('other.db'))).toThrow('no data file');
	const foreign = folder.file('foreign.db');
	writeFileSync(foreign, 'x'.repeat(10_000));
	expect(() => restore(data, foreign, true)).toThrow(`${foreign} is not a data file of this service`);
	const again = await startWithOwner({ data });
	expect(again.service.key).toBe(first.service.key);
	await again.service.stop();
	expect(readdirSync(folder.path).filter((file) => file.includes('.part'))).toEqual([]);
});

test('a data file is not restored from itself or from one whose changes are in its log', async () => {
	const first = await startWithOwner({ data });
	const { grid } = await makeGrid(first.owner, { a: { name: 'integer' } });
	await first.owner.create(`${grid}/entities`, { fields: [1] });
	expect(() => restore(folder.file('new.db'), data, false)).toThrow(`only in ${data}-wal`);
	await first.service.stop();
	expect(() => restore(data, folder.file('.', 'data.db'), true)).toThrow('is the data file itself');
});

test('a backup of a newer version is refused, and the data file stays as it is', async () => {
	const first = await startWithOwner({ data });
	await first.service.stop();
	backUp(data, backup);
	const newer = new Database(backup);
	newer.exec('PRAGMA user_version=1000');
	newer.close();
	const before = readFileSync(data);
	expect(() => restore(data, backup, true)).toThrow('has format 1000');
	expect(readFileSync(data)).toEqual(before);
	expect(readdirSync(folder.path).filter((file) => file.includes('.part'))).toEqual([]);
});

test('a backup of a file of another kind leaves no file', () => {
	writeFileSync(data, 'x'.repeat(10_000));
	expect(() => backUp(data, backup)).toThrow('file is not a database');
	expect(readdirSync(folder.path)).toEqual(['data.db']);
});

test('a backup to a folder.path that does not exist, and the restore of a folder.path, leave no file', async () => {
	const first = await startWithOwner({ data });
	await first.service.stop();
	const before = readdirSync(folder.path);
	expect(() => backUp(data, folder.file('missing', 'backup.db'))).toThrow('ENOENT');
	expect(() => restore(data, folder.path, true)).toThrow(`There is no backup ${folder.path}`);
	expect(() => restore(folder.file('missing', 'data.db'), data, true)).toThrow('There is no folder');
	expect(() => restore(':memory:', data, true)).toThrow('--data must be a file');
	expect(readdirSync(folder.path)).toEqual(before);
});
