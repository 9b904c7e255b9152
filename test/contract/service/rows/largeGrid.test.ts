import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { Random } from '../../../simulation/random';
import { makeGrid, objects, startWithOwner, version2, type Caller, last } from '../http';

/** Enough rows that filters and sorting use an index. */
const ROWS = 2300;
const STEPS = 120;
/** Number of steps between restarts of the service on the same file. */
const RESTART = 40;

let folder: string;
let context: Awaited<ReturnType<typeof startWithOwner>>;
let owner: Caller;
const open = async () => {
	context = await startWithOwner({ data: join(folder, 'data.db') });
	owner = context.owner;
};
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'datagrid-large-'));
	await open();
});
afterAll(async () => {
	await context.service.stop();
	rmSync(folder, { recursive: true });
});

test('§4.5 filter and sorting of a large grid stay correct across writes and restarts', async () => {
	const random = new Random(7);
	const next = (limit: number) => random.below(limit);
	const first = Array.from({ length: ROWS }, () => next(50));
	const { space } = await makeGrid(owner, {});
	const file = `n\n${first.join('\n')}\n`;
	const grid = await owner.create(`${space}/uploadCSV`, { name: 'Large', file, types: { n: 'integer' } });
	const [{ id: field = '' } = {}] = z
		.array(z.object({ id: z.string() }))
		.parse((await owner.read(grid, undefined, version2))['fields']);
	const entities = `${grid}/entities`;
	/** Expected values by ID, in creation order. */
	const model = new Map<string, number>();
	const create = async () => {
		const n = next(50);
		const place = await owner.create(entities, { [field]: n }, { layout: 'field' });
		model.set(last(place), n);
	};
	const anyId = () => [...model.keys()][next(model.size)] ?? '';
	for (let page = 1; model.size < ROWS; page++) {
		const query = { pageSize: '1000', pageIndex: String(page) };
		for (const { _id } of await owner.items(entities, query)) model.set(String(_id), first[model.size] ?? 0);
	}
	const listed = async (query: Record<string, string>) => {
		const reply = await owner.read(entities, { pageSize: '1000', ...query });
		const items = objects(reply['items']).map((item) => [String(item['_id']), item[field]]);
		return { total: reply['numberOfItems'], items };
	};
	const compare = async () => {
		const n = next(50);
		const having = [...model].filter(([, value]) => value === n);
		const found = await listed({ filter: JSON.stringify({ [field]: { $eq: n } }) });
		expect(found.total).toBe(having.length);
		expect(found.items.sort()).toEqual(having.sort());
		const sorted = await listed({ sorting: JSON.stringify({ [field]: { $order: 'ascending' } }) });
		const smallest = [...model.values()].sort((a, b) => a - b).slice(0, 1000);
		expect(sorted.total).toBe(model.size);
		expect(sorted.items.map(([, value]) => value)).toEqual(smallest);
	};
	await compare();
	for (let step = 1; step <= STEPS; step++) {
		const action = next(4);
		if (action < 2) await create();
		else if (action === 2) {
			const [changed, n] = [anyId(), next(50)];
			await owner.put(`${entities}/${changed}`, { [field]: n });
			model.set(changed, n);
		} else {
			const removed = anyId();
			await owner.delete(`${entities}/${removed}`);
			model.delete(removed);
		}
		if (step % 4 === 0) await compare();
		if (step % RESTART === 0) {
			await context.service.stop();
			await open();
		}
	}
	await compare();
});
