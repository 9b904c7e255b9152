import fc from 'fast-check';
import type { Entity } from '../../../../../service/store/rows/entities';
import type { StoredPage } from '../../../../../service/store/rows/storedPage';
import { Store } from '../../../../../service/store/store';

/**
 * Pages by offset are slices of the existing rows, whatever was created and deleted.
 */
/** The IDs of a page. */
const idsOf = (page: StoredPage<Entity>): string[] => page.read().map((entity) => entity().id);

test('pages agree with a plain list after any creations and deletions, also if the counts are reloaded', async () => {
	const store = new Store({ path: ':memory:' });
	const owner = store.accounts.createUser('owner');
	const space = store.spaces.create(owner.id, {});
	const everything = { op: 'all', of: [] } as const;
	await fc.assert(
		fc.asyncProperty(
			fc.array(
				fc.oneof(
					fc.record({ add: fc.integer({ min: 1, max: 900 }) }),
					fc.record({
						remove: fc.double({ min: 0, max: 0.999, noNaN: true }),
						many: fc.integer({ min: 1, max: 700 }),
					}),
				),
				{ maxLength: 12 },
			),
			fc.integer({ min: 1, max: 400 }),
			async (steps, limit) => {
				const grid = store.grids.create(space.id, { name: `Grid ${Math.random()}` });
				const model: string[] = [];
				store.transaction(() => {
					for (const step of steps) {
						if ('add' in step) {
							for (let n = 0; n < step.add; n++) model.push(store.entities.create(grid.no, {}, owner.id).id);
						} else {
							for (const id of model.splice(Math.floor(model.length * step.remove), step.many))
								store.entities.remove(grid.no, id, owner.id);
						}
					}
				});
				for (const round of ['as counted', 'as loaded again']) {
					for (let offset = 0; offset <= model.length; offset += Math.max(1, Math.floor(model.length / 7))) {
						const page = await store.selections.page(grid.no, {
							condition: everything,
							orders: [],
							offset,
							limit,
							caller: { name: 'anyone', isGone: () => false },
						});
						expect([round, page.total]).toEqual([round, model.length]);
						expect(idsOf(page)).toEqual(model.slice(offset, offset + limit));
					}
					store.entities.positions.forget(grid.no);
				}
			},
		),
		{ numRuns: 15 },
	);
	store.close();
}, 60_000);

test('a transaction that fails leaves neither rows nor counts nor events', async () => {
	const store = new Store({ path: ':memory:' });
	const owner = store.accounts.createUser('owner');
	const grid = store.grids.create(store.spaces.create(owner.id, {}).id, { name: 'Grid' });
	const kept = store.entities.create(grid.no, {}, owner.id);
	expect(() =>
		store.transaction(() => {
			store.entities.create(grid.no, {}, owner.id);
			store.entities.remove(grid.no, kept.id, owner.id);
			throw new Error('stop');
		}),
	).toThrow('stop');
	const page = await store.selections.page(grid.no, {
		condition: { op: 'all', of: [] },
		orders: [],
		offset: 0,
		limit: 10,
		caller: { name: 'anyone', isGone: () => false },
	});
	expect([page.total, idsOf(page)]).toEqual([1, [kept.id]]);
	expect(store.events.since(grid.no, 0, 0, 10).total).toBe(1);
	store.close();
});
