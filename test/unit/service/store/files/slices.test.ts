import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod/v4';
import { startService } from '../../../../../service/server';
import type { Steps } from '../../../../../service/store/files/slices';
import { Store } from '../../../../../service/store/store';
import { TemporaryFolder } from '../../../../fixtures/temporaryFolder';

const folder = new TemporaryFolder();
let path: string;
let store: Store;
beforeEach(() => {
	path = folder.file('data.db');
	store = new Store({ path });
});

/** Number of rows, events and keys that a data file has. */
function stored(): number {
	const file = new DatabaseSync(path, { readOnly: true });
	const rows: unknown = file
		.prepare(
			'SELECT (SELECT count(*) FROM rows) + (SELECT count(*) FROM events) + (SELECT count(*) FROM keys) AS n',
		)
		.get();
	file.close();
	return z.object({ n: z.number() }).parse({ ...Object(rows) }).n;
}

/** Waits until the data file has no rows, events and keys. */
async function untilCleared(): Promise<void> {
	while (stored() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Takes at least three slices. */
function* busy(name: string, log: string[]): Steps<string> {
	for (let slice = 0; slice < 3; slice++) {
		log.push(name);
		const end = performance.now() + 12;
		while (performance.now() < end);
		yield;
	}
	return name;
}

test('concurrent jobs take turns, and requests are processed between them', async () => {
	const log: string[] = [];
	const tick = (left: number) => {
		log.push('request');
		if (left > 0) setImmediate(tick, left - 1);
	};
	const done = Promise.all([store.slices.read(busy('a', log)), store.slices.read(busy('b', log))]);
	setImmediate(tick, 8);
	expect(await done).toEqual(['a', 'b']);
	expect(log.filter((entry) => entry !== 'request')).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
	const between = log.slice(log.indexOf('a'), log.lastIndexOf('b'));
	expect(between.filter((entry) => entry === 'request').length).toBeGreaterThanOrEqual(5);
	store.close();
});

test('failed work ends with its error and cleans up', async () => {
	let cleaned = false;
	function* failing(): Steps<void> {
		try {
			yield;
			throw new Error('no further');
		} finally {
			cleaned = true;
		}
	}
	await expect(store.slices.read(failing())).rejects.toThrow('no further');
	expect(cleaned).toBe(true);
	store.close();
});

test('stopping ends work at its next pause with 503', async () => {
	const log: string[] = [];
	const work = store.slices.read(busy('a', log));
	store.slices.close();
	await expect(work).rejects.toMatchObject({ status: 503 });
	await expect(store.slices.read(busy('b', log))).rejects.toMatchObject({ status: 503 });
	expect(log).toEqual([]);
	store.close();
});

const owner = () => store.accounts.createUser('owner').id;

function* rows(no: number, count: number, failAt = Infinity): Steps<void> {
	for (let n = 0; n < count; n++) {
		if (n === failAt) throw new Error('broken row');
		store.entities.create(no, { n }, 'me');
		yield;
	}
}

test('a grid is visible with all of its rows or not at all', async () => {
	const space = store.spaces.create(owner(), {});
	let longest = 0;
	const watch = setInterval(() => {
		longest = Math.max(longest, store.grids.list(space.id, undefined).length);
	}, 1);
	const filling = store.fillGrid(
		(no) => rows(no, 5000),
		(draft) => {
			expect(longest).toBe(0);
			return store.addGrid(space.id, { name: 'Filled' }, draft);
		},
	);
	const grid = await filling;
	clearInterval(watch);
	expect(store.entities.positions.total(grid.no)).toBe(5000);
	expect(store.grids.list(space.id, 'persistent')).toEqual([grid]);
	store.close();
	// The next start removes none of its rows as leftovers.
	await (await startService({ data: path })).stop();
	store = new Store({ path });
	expect(store.entities.positions.total(grid.no)).toBe(5000);
	store.close();
});

test('a failed fill leaves no grid and no rows', async () => {
	const space = store.spaces.create(owner(), {});
	const filling = store.fillGrid(
		(no) => rows(no, 2000, 1500),
		() => 'published',
	);
	await expect(filling).rejects.toThrow('broken row');
	await untilCleared();
	expect(store.grids.list(space.id, undefined)).toEqual([]);
	store.close();
});

test('a deleted grid disappears immediately, and its rows and keys later', async () => {
	const space = store.spaces.create(owner(), {});
	const grid = await store.fillGrid(
		(no) => rows(no, 3000),
		(draft) => store.addGrid(space.id, { name: 'Short-lived' }, draft),
	);
	const field = store.fields.add(grid.no, { name: 'N', type: { name: 'integer' } });
	const orders = [{ field, descending: false }];
	const everything = { op: 'all' as const, of: [] };
	await store.selections.page(grid.no, {
		condition: everything,
		orders,
		offset: 0,
		limit: 1,
		caller: { name: 'anyone', isGone: () => false },
	});
	expect(stored()).toBe(9000);
	store.removeGrid(grid);
	expect(store.grids.list(space.id, undefined)).toEqual([]);
	const again = store.addGrid(space.id, { name: 'Short-lived' });
	expect(again.no).not.toBe(grid.no);
	store.removeGrid(again);
	await untilCleared();
	store.close();
});

test('a deletion that is interrupted continues at the next start', async () => {
	const space = store.spaces.create(owner(), {});
	const grid = await store.fillGrid(
		(no) => rows(no, 20_000),
		(draft) => store.addGrid(space.id, { name: 'Deleted' }, draft),
	);
	store.removeGrid(grid);
	while (stored() === 40_000) await new Promise(setImmediate);
	await store.stop();
	store.close();
	expect(stored()).toBeGreaterThan(0);
	const service = await startService({ data: path });
	await untilCleared();
	await service.stop();
}, 60_000);

test('leftovers of a killed service are removed at the next start', async () => {
	const user = owner();
	const draft = store.spaces.draft(user, { name: 'Half a copy' });
	const copied = store.addGrid(draft.id, { name: 'Copied' });
	for (const no of [copied.no, store.leftovers.draft()])
		for (let n = 0; n < 100; n++) store.entities.create(no, { n }, 'me');
	expect(store.spaces.ownedBy(user)).toEqual([]);
	expect(stored()).toBe(400);
	store.close();
	const service = await startService({ data: path });
	await untilCleared();
	await service.stop();
	store = new Store({ path });
	expect([store.spaces.get(draft.id), store.grids.get(copied.id)]).toEqual([undefined, undefined]);
	store.close();
});
