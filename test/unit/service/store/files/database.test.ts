import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { Database } from '../../../../../service/store/files/database';
import { Slices, type Steps } from '../../../../../service/store/files/slices';
import { TemporaryFolder } from '../../../../fixtures/temporaryFolder';

const folder = new TemporaryFolder();
let databases: Set<Database>;
beforeEach(() => {
	databases = new Set();
});
/** Closes a connection unless it is closed. */
function close(database: Database): void {
	if (databases.delete(database)) database.close();
}
afterEach(() => {
	for (const database of databases) close(database);
});

/**
 * Opens a data file with a table of numbers that may refer to a parent, and a second connection
 * that sees committed rows only.
 */
function open() {
	const path = folder.file('data.db');
	const db = new Database(path);
	db.exec(`CREATE TABLE parents (n INTEGER PRIMARY KEY);
CREATE TABLE numbers (n INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED);`);
	const other = new Database(path);
	databases.add(other).add(db);
	const numbers = (of: Database) =>
		of.all<{ n: number }>('SELECT n FROM numbers ORDER BY n').map(({ n }) => n);
	return {
		db,
		path,
		other,
		seen: () => numbers(other),
		own: () => numbers(db),
		add: (n: number, parent: number | null = null) =>
			db.transaction(() => db.run('INSERT INTO numbers VALUES (?, ?)', n, parent)),
		closeOther: () => {
			close(other);
		},
	};
}

test('without groups a transaction is committed when it returns', () => {
	const { add, seen } = open();
	add(1);
	expect(seen()).toEqual([1]);
});

test('transactions of one turn are committed together, and reported after the commit', async () => {
	const { db, add, seen, own } = open();
	db.groupCommits();
	const writing = [db.write(() => add(1)), db.write(() => add(2))];
	expect([own(), seen()]).toEqual([[1, 2], []]);
	await Promise.all(writing);
	expect(seen()).toEqual([1, 2]);
});

test('a transaction that nobody waits for is refused', () => {
	const { db, add, own } = open();
	db.groupCommits();
	expect(() => add(1)).toThrow('without a report');
	expect(() => db.run('INSERT INTO numbers VALUES (1, NULL)')).toThrow('without a report');
	expect(own()).toEqual([]);
});

test('a failed transaction does not roll back its group', async () => {
	const { db, add, seen } = open();
	let undone = 0;
	db.onRollback(() => undone++);
	db.groupCommits();
	const first = db.write(() => add(1));
	const failing = db.write(() => {
		db.transaction(() => {
			add(2);
			add(1);
		});
	});
	const last = db.write(() => add(3));
	await expect(failing).rejects.toThrow(/UNIQUE/);
	await Promise.all([first, last]);
	expect([seen(), undone]).toEqual([[1, 3], 1]);
});

test('a commit that fails because of one writer fails that writer only', async () => {
	const { db, add, seen } = open();
	db.groupCommits();
	const first = db.write(() => add(1));
	// The reference is only checked at the commit, which fails.
	const failing = db.write(() => add(2, 99));
	const reading = db.read(() => db.all('SELECT n FROM numbers'));
	const last = db.write(() => add(3));
	await expect(failing).rejects.toThrow(/FOREIGN KEY/);
	expect(await Promise.all([first, last])).toEqual([1, 1]);
	expect(await reading).not.toContainEqual({ n: 2 });
	expect(seen()).toEqual([1, 3]);
});

test('an error that is due to the rows of a failed group is none', async () => {
	const { db, add, seen } = open();
	db.groupCommits();
	const failing = db.write(() => add(2, 99));
	const taken = db.write(() => {
		if (db.has('SELECT 1 FROM numbers WHERE n = 2')) throw new Error('taken');
		return add(2);
	});
	await expect(failing).rejects.toThrow(/FOREIGN KEY/);
	expect(await taken).toBe(1);
	expect(seen()).toEqual([2]);
});

test('a read that saw rows of a failed group is repeated', async () => {
	const { db, add } = open();
	db.groupCommits();
	let wait = (): void => undefined;
	const paused = new Promise<void>((resolve) => {
		wait = resolve;
	});
	let times = 0;
	const reading = db.read(async () => {
		times += 1;
		await paused;
		return db.all('SELECT n FROM numbers');
	});
	await new Promise(setImmediate);
	const failing = db.write(() => add(2, 99));
	wait();
	await expect(failing).rejects.toThrow(/FOREIGN KEY/);
	expect([await reading, times]).toEqual([[], 2]);
});

test('closing commits open transactions and leaves one file', () => {
	const { db, path, add, closeOther } = open();
	closeOther();
	db.groupCommits();
	void db.write(() => add(1));
	close(db);
	expect([existsSync(`${path}-wal`), existsSync(`${path}-shm`)]).toEqual([false, false]);
	const again = new Database(path);
	expect(again.all('SELECT n FROM numbers')).toEqual([{ n: 1 }]);
	again.close();
});

test('the connection syncs the log at each commit, so acknowledged writes survive a power cut', () => {
	// https://sqlite.org/pragma.html#pragma_synchronous: in WAL
	// mode only FULL (2) syncs the log after each transaction.
	const { db } = open();
	const held = (pragma: string) =>
		Object.values(db.all<Record<string, string | number>>(`PRAGMA ${pragma}`)[0] ?? {})[0];
	const pragmas = ['journal_mode', 'synchronous', 'foreign_keys', 'wal_autocheckpoint'];
	expect(Object.fromEntries(pragmas.map((name) => [name, held(name)]))).toEqual({
		journal_mode: 'wal',
		synchronous: 2,
		foreign_keys: 1,
		wal_autocheckpoint: 1000,
	});
	// This also applies to a group of transactions.
	db.groupCommits();
	expect(held('synchronous')).toBe(2);
});

test('a long operation lets the log start again before a commit has to copy it', async () => {
	const { db, path, closeOther } = open();
	closeOther();
	db.groupCommits();
	db.exec('CREATE TABLE texts (v TEXT)');
	const log = openSync(`${path}-wal`, 'r');
	/** How often the log has started (https://sqlite.org/walformat.html). */
	const starts = () => {
		const header = Buffer.alloc(16);
		readSync(log, header, 0, 16, 0);
		return header.readUInt32BE(12);
	};
	const written = function* (): Steps<number> {
		const before = starts();
		while (starts() === before && fstatSync(log).size < 60 * 2 ** 20) {
			for (let n = 0; n < 10; n++) db.run('INSERT INTO texts VALUES (?)', 'x'.repeat(10_000));
			yield;
		}
		return starts() - before;
	};
	const slices = new Slices(db);
	expect(await slices.write(written())).toBe(1);
	await db.stop();
	closeSync(log);
}, 60_000);

test('a transaction that frees and adds pages survives a data file that a checkpoint has cut', () => {
	const { db, other } = open();
	const store = (through: Database, table: string) => {
		through.exec(`CREATE TABLE ${table} (v TEXT)`);
		for (let n = 0; n < 100; n++) through.run(`INSERT INTO ${table} VALUES (?)`, 'x'.repeat(50_000));
	};
	const free = (table: string) => {
		db.forgetStatements(table);
		db.exec(`DROP TABLE ${table}; PRAGMA incremental_vacuum(10000)`);
	};
	const cut = () => other.all('PRAGMA wal_checkpoint(PASSIVE)');
	store(other, 'large');
	cut();
	expect(db.all('SELECT sum(length(v)) AS n FROM large')).toEqual([{ n: 5_000_000 }]);
	free('large');
	cut();
	// If the file were mapped, reading beyond its new end would end the process (SIGBUS).
	db.transaction(() => {
		store(db, 'freed');
		store(db, 'moved');
		free('freed');
		store(db, 'added');
	});
	const lengths = 'SELECT sum(length(v)) AS n FROM moved UNION ALL SELECT sum(length(v)) FROM added';
	expect(db.all(lengths)).toEqual([{ n: 5_000_000 }, { n: 5_000_000 }]);
	expect(db.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});
