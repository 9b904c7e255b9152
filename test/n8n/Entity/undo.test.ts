import '../../fixtures/skippedWaits';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';
import { repetitions } from '../../fixtures/repetitions';
import { Random } from '../../simulation/random';

const world = new ProxiedWorld();
const history = { resource: 'history' };
const COLUMNS = { Item: 'string', Count: 'integer', Note: 'string' };
let stock: WorldGrid;

beforeEach(async () => {
	stock = await world.grid(COLUMNS);
});

const undo = async (input: IDataObject[], more: INodeParameters = {}) =>
	await stock.run('undo', { refuseAbove: 1000, ...more }, input, history);
const edit = async (id: string, values: Record<string, unknown>) => {
	const byColumn = Object.entries(values).map(([name, value]) => [stock.id(name), value] as const);
	await world.client.entities.update(stock.grid, id, Object.fromEntries(byColumn));
};

describe('Undo Changes', () => {
	test('takes a sync back value by value; what somebody has edited since stays and is named', async () => {
		await stock.fill({ Item: 'A', Count: 1, Note: 'x' }, { Item: 'B', Count: 2 }, { Item: 'Gone', Count: 3 });
		const before = await stock.rows();
		const given = { ...stock.auto(['Item']), rowsNotInInput: 'delete', options: { deletionLimit: 100 } };
		const input = [
			{ Item: 'A', Count: 7, Note: 'y' },
			{ Item: 'B', Count: 8 },
			{ Item: 'New', Count: 9 },
		];
		const written = (await stock.run('sync', given, input)).rows;
		const changed = written.find(({ Item }) => Item === 'A');
		await edit(z.string().parse(changed?.['_id']), { Count: 70 });
		const planned = await undo(written, { dryRun: true });
		expect(planned.rows.map(({ _outcome }) => _outcome)).toEqual(['recreate', 'revert', 'revert', 'remove']);
		expect(planned.hints).toEqual(['Dry run: would create 1, update 2, delete 1']);
		const { rows, error } = await undo(written);
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([
			{ Item: 'Gone', Count: 3, _outcome: 'recreated' },
			{
				...{ Item: 'A', Count: 70, Note: 'x', _outcome: 'reverted' },
				_changes: [{ fieldId: stock.id('Note'), field: 'Note', old: 'y', new: 'x' }],
				_reasons: ['"Count" is 70, and was 7 after the change'],
			},
			{ Item: 'B', Count: 2, _outcome: 'reverted' },
			{ Item: 'New', _outcome: 'removed' },
		]);
		const edited = before.map((row) => (row['Item'] === 'A' ? { ...row, Count: 70 } : row));
		expect(sorted(await stock.rows())).toEqual(sorted(edited));
		// An undo is a write, and can be undone itself.
		expect((await undo(rows)).error).toBeUndefined();
		expect(sorted(await stock.rows())).toEqual(
			sorted([
				{ Item: 'A', Count: 70, Note: 'y' },
				{ Item: 'B', Count: 8, Note: null },
				{ Item: 'New', Count: 9, Note: null },
			]),
		);
	});

	test('takes back what Get Changes lists, several changes of a row as one', async () => {
		const [first = ''] = await stock.fill({ Item: 'A', Count: 1 }, { Item: 'B', Count: 2 });
		const before = await stock.rows();
		const since = await pause();
		await edit(first, { Count: 5 });
		await edit(first, { Count: 6, Note: 'z' });
		await stock.fill({ Item: 'New' });
		const changes = async (more: object) =>
			(await stock.run('getChanges', { since, returnAll: true, ...more }, [{}], history)).rows;
		const listed = await changes({});
		expect(listed).toHaveLength(3);
		expect(await changes({ options: { by: ['me'] } })).toEqual(listed);
		expect(await changes({ options: { by: ['somebody'] } })).toEqual([]);
		const { rows, items } = await undo(listed);
		expect(rows.map(({ _outcome }) => _outcome).sort()).toEqual(['removed', 'reverted']);
		expect(items).toHaveLength(2);
		expect(sorted(await stock.rows())).toEqual(sorted(before));
	});

	test('overwrites what was changed since if that is chosen, and passes over what was not written', async () => {
		const [id = ''] = await stock.fill({ Item: 'A', Count: 1 });
		const _changes = [{ field: 'Count', old: 1, new: 5 }];
		await edit(id, { Count: 9 });
		const change = { _id: id, _outcome: 'updated', _changes };
		expect((await undo([change])).rows).toMatchObject([{ _id: id, _outcome: 'kept', Count: 9 }]);
		expect((await undo([change], { changedSince: 'overwrite' })).rows).toMatchObject([
			{ _id: id, _outcome: 'reverted', Count: 1 },
		]);
		world.proxy.setRules(() => undefined);
		const again = { ...change, _changes: [{ field: 'Count', old: 3, new: 1 }] };
		expect((await undo([again])).rows).toMatchObject([{ Count: 3 }]);
		const ofRow = world.proxy.requests.filter(({ path }) => path.includes(id));
		expect(ofRow.map(({ method }) => method)).toEqual(['GET', 'PUT']);
		const failed = { ...change, _outcome: 'failed' };
		expect((await undo([failed])).rows).toMatchObject([{ _id: id, _outcome: 'unchanged' }]);
	});

	test('refuses what has no old values, a plan, and more rows than allowed, before it writes', async () => {
		const [id = '', other = ''] = await stock.fill({ Item: 'A', Count: 1 }, { Item: 'B' });
		const change = { _outcome: 'updated', _changes: [{ field: 'Count', old: 0, new: 1 }] };
		const messages = [
			...[await undo([{ _id: id, Item: 'A' }]), await undo([{ ...change, _id: id, _outcome: 'update' }])],
			await undo(
				[
					{ ...change, _id: id },
					{ ...change, _id: other },
				],
				{ refuseAbove: 1 },
			),
		].map(({ error }) => error?.message ?? '');
		expect(messages).toMatchObject([
			expect.stringContaining('does not say which values of which row were changed'),
			expect.stringContaining('is the plan of a dry run'),
			expect.stringContaining('2 rows were changed, more than "Refuse Above" allows (1)'),
		]);
		expect(await stock.rows()).toMatchObject([{ Count: 1 }, { Count: null }]);
	});

	test('an undo that fails half-way goes on where it ended', async () => {
		const ids = await stock.fill({ Item: 'A', Count: 1 }, { Item: 'B', Count: 2 }, { Item: 'C', Count: 3 });
		const before = await stock.rows();
		for (const id of ids) await edit(id, { Count: 9 });
		const written = ids.map((_id, index) => ({
			...{ _id, _outcome: 'updated' },
			_changes: [{ field: 'Count', old: index + 1, new: 9 }],
		}));
		let puts = 0;
		world.proxy.setRules(({ method }) =>
			method === 'PUT' && ++puts > 1 ? { kind: 'response', status: 403, body: '{}' } : undefined,
		);
		expect((await undo(written)).error?.message).toContain('Permission denied');
		expect(sorted(await stock.rows())).not.toEqual(sorted(before));
		world.proxy.setRules(() => undefined);
		const again = await undo(written);
		expect(again.rows.map(({ _outcome }) => _outcome).sort()).toEqual(['reverted', 'reverted', 'unchanged']);
		expect(sorted(await stock.rows())).toEqual(sorted(before));
	});

	test('takes back what a sync has done that failed half-way, from Get Changes', async () => {
		await stock.fill({ Item: 'A', Count: 1 }, { Item: 'B', Count: 2 }, { Item: 'C', Count: 3 });
		const before = await stock.rows();
		const since = await pause();
		let puts = 0;
		world.proxy.setRules(({ method }) =>
			method === 'PUT' && ++puts > 1 ? { kind: 'response', status: 403, body: '{}' } : undefined,
		);
		const input = ['A', 'B', 'C', 'D'].map((Item) => ({ Item, Count: 9 }));
		expect((await stock.run('sync', stock.auto(['Item']), input)).error).toBeDefined();
		world.proxy.setRules(() => undefined);
		expect(sorted(await stock.rows())).not.toEqual(sorted(before));
		const listed = (await stock.run('getChanges', { since, returnAll: true }, [{}], history)).rows;
		expect((await undo(listed)).error).toBeUndefined();
		expect(sorted(await stock.rows())).toEqual(sorted(before));
	});

	test('a row whose making was cut off has an unknown outcome, and its values', async () => {
		const deleted = { _outcome: 'deleted', _changes: [{ field: 'Item', old: 'Gone', new: null }] };
		world.proxy.setRules(({ method }) => (method === 'POST' ? { kind: 'resetAfter' } : undefined));
		const run = await stock.run('undo', { refuseAbove: 9 }, [{ _id: 'gone', ...deleted }], {
			...history,
			onError: 'continueRegularOutput',
		});
		expect(run.rows).toMatchObject([{ Item: 'Gone', _id: null, _outcome: 'unknown' }]);
		world.proxy.setRules(() => undefined);
		expect(await stock.rows()).toMatchObject([{ Item: 'Gone' }]);
	});

	test('leaves out an option that was removed, or refuses it', async () => {
		stock = await world.grid({
			Item: 'string',
			State: { name: 'enum', options: [{ value: 'new', name: 'new' }] },
		});
		const [id = ''] = await stock.fill({ Item: 'A', State: 'new' });
		const changes = [
			{ field: 'State', old: 'lost', new: 'new' },
			{ field: 'Item', old: 'Z', new: 'A' },
		];
		const change = { _id: id, _outcome: 'updated', _changes: changes };
		expect((await undo([change])).error?.message).toContain('"State" no longer has the option "lost"');
		expect((await undo([change], { options: { ifUnfit: 'leaveOut' } })).rows).toMatchObject([
			{ Item: 'Z', State: 'new', _reasons: ['"State" no longer has the option "lost"'] },
		]);
	});
});

const WRITES = ['upsert', 'update', 'updateMany', 'delete', 'deleteMany', 'sync'] as const;

function parametersOf(operation: (typeof WRITES)[number]): INodeParameters {
	const conditions = { condition: [{ column: 'Item', operator: '$eq', value: 'B' }] };
	const byKey = { rowBy: 'keyColumns', matchBy: { key: [{ column: 'Item', value: '={{ $json.Item }}' }] } };
	const given: Record<(typeof WRITES)[number], INodeParameters> = {
		upsert: { ...stock.auto(['Item']) },
		update: { ...stock.auto(), ...byKey, options: { keepOldValues: true } },
		updateMany: { ...stock.mapped({ Count: 9 }), conditions, refuseAbove: 100 },
		delete: { ...byKey, options: { keepOldValues: true } },
		deleteMany: { conditions, refuseAbove: 100, options: { limitPercent: 100 } },
		sync: { ...stock.auto(['Item']), rowsNotInInput: 'delete', options: { deletionLimit: 100 } },
	};
	return given[operation];
}

/** Any write, edits by somebody else, the undo: only the edits are left. */
test.each(
	WRITES.flatMap((operation) =>
		Array.from({ length: repetitions({ inCi: 20, local: 4 }) }, (_, seed) => [operation, seed] as const),
	),
)(
	'after %s and its undo, the grid holds what it held before, and what others edited (seed %i)',
	async (operation, seed) => {
		const random = new Random(seed * 104_729 + WRITES.indexOf(operation));
		const cells = (Item: string) => ({
			Item,
			Count: random.below(3),
			Note: ['x', 'y', null][random.below(3)] ?? null,
		});
		const ids = await stock.fill(...['A', 'B', 'C', 'D'].slice(random.below(2)).map(cells));
		const before = await storedById();
		const input = ['A', 'B', 'E'].slice(random.below(2)).map(cells);
		const isMany = operation.endsWith('Many');
		const run = await stock.run(operation, parametersOf(operation), isMany ? [{}] : input, {
			onError: 'continueRegularOutput',
		});
		const written = run.rows.filter(({ _outcome }) => _outcome !== undefined);
		const after = await storedById();
		const edited = ids.filter((id) => after.has(id) && random.chance(0.3));
		for (const id of edited) await edit(id, { Note: 'edited' });
		const undone = await undo(written);
		expect(undone.error).toBeUndefined();
		const expected = [...before].map(([id, row]) => (edited.includes(id) ? { ...row, Note: 'edited' } : row));
		expect(sorted(await stock.rows())).toEqual(sorted(expected));
	},
);

/** The answer to one write is lost, and nothing gets through after it. */
test.each(
	WRITES.flatMap((operation) =>
		Array.from({ length: repetitions({ inCi: 10, local: 2 }) }, (_, seed) => [operation, seed] as const),
	),
)(
	'after %s was killed half-way, what Get Changes lists is undone except what others edited (seed %i)',
	async (operation, seed) => {
		const random = new Random(seed * 15_485_863 + WRITES.indexOf(operation));
		const cells = (Item: string) => ({ Item, Count: random.below(3), Note: ['x', 'y'][random.below(2)] });
		const isMany = operation.endsWith('Many');
		const ids = await stock.fill(...['A', 'B', isMany ? 'B' : 'G', 'C', 'D'].map(cells));
		const before = await storedById();
		const since = await pause();
		const last = random.below(3) + 1;
		let writes = 0;
		world.proxy.setRules(({ method }) => {
			if (method !== 'GET') writes++;
			if (writes > last || (writes === last && method === 'GET'))
				return { kind: 'response', status: 401, body: '{}' };
			return writes === last ? { kind: 'resetAfter' } : undefined;
		});
		const input = operation === 'sync' || operation === 'upsert' ? ['A', 'C', 'E', 'F'] : ['A', 'C', 'D'];
		await stock.run(operation, parametersOf(operation), isMany ? [{}] : input.map(cells));
		world.proxy.setRules(() => undefined);
		expect(writes).toBeGreaterThan(0);
		const listed = (await stock.run('getChanges', { since, returnAll: true }, [{}], history)).rows;
		const after = await storedById();
		const edited = ids.filter((id) => after.has(id) && random.chance(0.3));
		for (const id of edited) await edit(id, { Note: 'edited' });
		expect((await undo(listed)).error).toBeUndefined();
		const expected = [...before].map(([id, row]) => (edited.includes(id) ? { ...row, Note: 'edited' } : row));
		expect(sorted(await stock.rows())).toEqual(sorted(expected));
	},
);

async function storedById() {
	const { items } = await world.client.entities.many(stock.grid);
	const names = [...stock.fields.values()];
	return new Map(
		items.map((row) => [row._id, Object.fromEntries(names.map(({ id, name }) => [name, row[id] ?? null]))]),
	);
}

/** A time between two changes. */
async function pause(): Promise<string> {
	const until = Date.now() + 20;
	while (Date.now() < until) await new Promise(setImmediate);
	return new Date(until - 5).toISOString();
}

const sorted = (rows: ReadonlyArray<Record<string, unknown>>) =>
	rows.map((row) => JSON.stringify(Object.values(row))).sort();
