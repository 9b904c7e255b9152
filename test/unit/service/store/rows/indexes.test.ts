import type { Order } from '../../../../../service/rules/filter';
import { runAll, type Steps } from '../../../../../service/store/files/slices';
import { Store } from '../../../../../service/store/store';

/** Enough rows for an index that is sorted first and takes many slices. */
const ROWS = 60_000;

test('rows that are changed, deleted and created while their index is built are sorted correctly', async () => {
	const store = new Store({ path: ':memory:' });
	const user = store.accounts.createUser('owner').id;
	const space = store.spaces.create(user, {});
	const ids: string[] = [];
	const grid = store.addGrid(space.id, { name: 'Rows' });
	const field = store.fields.add(grid.no, { name: 'N', type: { name: 'integer' } });
	const model = new Map<string, number>();
	const put = (id: string, n: number) => model.set(id, n);
	function* fill(): Steps<void> {
		for (let n = 0; n < ROWS; n++) {
			const { id } = store.entities.create(grid.no, { [field.id]: (n * 7919) % ROWS }, user);
			ids.push(id);
			put(id, (n * 7919) % ROWS);
			yield;
		}
	}
	store.transaction(() => {
		runAll(fill());
	});

	store.groupCommits();
	const orders: Order[] = [{ field, descending: false }];
	const everything = { op: 'all' as const, of: [] };
	const page = (offset: number, limit: number) =>
		store.selections.page(grid.no, {
			condition: everything,
			orders,
			offset,
			limit,
			caller: { name: 'anyone', isGone: () => false },
		});
	const progress = { made: false };
	const making = page(0, 10).then(() => (progress.made = true));
	let writes = 0;
	for (let n = 0; !progress.made; n++) {
		await store.write(() => {
			const changed = ids[(n * 31) % ROWS] ?? '';
			if (model.has(changed)) {
				store.entities.update(grid.no, changed, { [field.id]: n }, user);
				put(changed, n);
			}
			const removed = ids[(n * 17 + 5) % ROWS] ?? '';
			if (store.entities.remove(grid.no, removed, user)) model.delete(removed);
			put(store.entities.create(grid.no, { [field.id]: -1 - n }, user).id, -1 - n);
		});
		writes += 1;
		await new Promise((resolve) => setImmediate(resolve));
	}
	await making;
	expect(writes).toBeGreaterThan(3);
	const all = await page(0, 2 * ROWS);
	const selection = all.read().map((entity) => {
		const { id, values } = entity();
		return [id, values[field.id]] as const;
	});
	expect(all.total).toBe(model.size);
	expect(new Map(selection.map(([id, n]) => [id, n]))).toEqual(model);
	const ns = selection.map(([, n]) => Number(n));
	expect(ns).toEqual([...ns].sort((a, b) => a - b));
	store.close();
}, 60_000);
