import '../../fixtures/skippedWaits';
import { parse } from 'csv-parse/sync';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { fileItem } from '../../../testbed/world/fileItem';
import { byId } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';
import { repetitions } from '../../fixtures/repetitions';
import { Random } from '../../simulation/random';

/** W1: a dry run is the run without its last stages, in all operations that write rows. */
const bed = World.forTests();
const COLUMNS = { Item: 'string', Count: 'integer', Note: 'string', Done: 'boolean' };
const NAMES = ['Item', 'Count', 'Note', 'Done'];
const OPERATIONS = [
	...(['create', 'upsert', 'update', 'delete'] as const),
	...(['updateMany', 'deleteMany', 'sync', 'importFile'] as const),
] as const;
type Operation = (typeof OPERATIONS)[number];

type Cells = Record<string, string | number | boolean | null>;
/** A row of the grid after a run; undefined ids are those of rows that the run makes. */
type Stored = Array<Cells & { _id: string }>;

interface Drawn {
	operation: Operation;
	parameters: INodeParameters;
	input: IDataObject[];
}

const pick = <Value>(random: Random, values: readonly [Value, ...Value[]]): Value =>
	values[random.below(values.length)] ?? values[0];

const cellsOf = (random: Random): Cells => ({
	Item: pick(random, ['A', 'B', 'C', 'D', 'E']),
	Count: pick(random, [1, 2, 3, null]),
	Note: pick(random, ['x', 'y', null, null]),
	Done: pick(random, [true, false, null]),
});

/** Some of the cells of an item; its key always. */
function someOf(random: Random, cells: Cells): Cells {
	return Object.fromEntries(Object.entries(cells).filter(([name]) => name === 'Item' || random.chance(0.7)));
}

const keyed = (random: Random) => ({
	...(random.chance(0.4) ? { findRows: pick(random, ['oneByOne', 'allAtOnce', 'automatic']) } : {}),
	...(random.chance(0.2)
		? { compareAs: { column: [{ column: 'Item', rule: 'ignoreCaseAndSpaces', decimals: 2 }] } }
		: {}),
});
const ruled = (random: Random, rules: readonly [string, ...string[]]) =>
	random.chance(0.5) ? { columnRules: { rule: [{ column: 'Note', write: pick(random, rules) }] } } : {};
const written = (random: Random) => ({
	...(random.chance(0.3) ? { rowsToWrite: pick(random, ['onlyNew', 'onlyChanged', 'newAndChanged']) } : {}),
	...(random.chance(0.3)
		? { onlyRowsWhere: { condition: [{ column: 'Count', operator: '$gte', value: '1' }] } }
		: {}),
	deletionLimit: 100,
});

function optionsOf(random: Random, operation: Operation): INodeParameters {
	switch (operation) {
		case 'create':
			return { avoidDuplicatesBy: ['Item'], ...keyed(random) };
		case 'upsert':
			return {
				...keyed(random),
				...ruled(random, ['ifEmpty', 'never', 'always', 'ifValue']),
				whenSeveral: pick(random, ['all', 'first', 'fail']),
				whenUnmatched: pick(random, ['create', 'create', 'skip', 'fail']),
			};
		case 'update':
			return { ...keyed(random), ...ruled(random, ['ifEmpty', 'always', 'ifValue']), keepOldValues: true };
		case 'delete':
			return { ...keyed(random), keepOldValues: true };
		case 'updateMany':
			return {};
		case 'deleteMany':
			return { limitPercent: 100 };
		case 'sync':
		case 'importFile':
			return { ...written(random), ...ruled(random, ['ifEmpty', 'never', 'always', 'ifValue']) };
	}
}

function drawn(random: Random, grid: WorldGrid, operation: Operation, stored: Stored): Drawn {
	const items = Array.from({ length: random.below(5) + 1 }, () => someOf(random, cellsOf(random)));
	const options = optionsOf(random, operation);
	const chosen = stored[random.below(Math.max(1, stored.length))]?._id ?? 'none';
	const matchBy = { key: [{ column: 'Item', value: '={{ $json.Item }}' }] };
	const byKey = { rowBy: 'keyColumns', matchBy };
	switch (operation) {
		case 'update':
		case 'delete': {
			const rowBy = random.chance(0.6) ? byKey : { rowBy: 'rowId', entity: byId(chosen) };
			return { operation, parameters: { ...grid.auto(), ...rowBy, options }, input: items };
		}
		case 'updateMany':
		case 'deleteMany': {
			const value = pick(random, ['A', 'B', 'C']);
			const conditions = { condition: [{ column: 'Item', operator: '$eq', value }] };
			const values = Object.fromEntries(Object.entries(cellsOf(random)).filter(([name]) => name !== 'Item'));
			return {
				operation,
				parameters: { ...grid.mapped(values), conditions, options },
				input: items.slice(0, 2),
			};
		}
		case 'sync': {
			const rowsNotInInput = pick(random, ['keep', 'delete', 'setColumns']);
			const columnsToSet = { set: [{ column: 'Done', value: 'false' }] };
			return {
				operation,
				parameters: { ...grid.auto(['Item']), rowsNotInInput, columnsToSet, options },
				input: items,
			};
		}
		case 'importFile': {
			const rowsNotInInput = pick(random, ['keep', 'delete']);
			return { operation, parameters: { keyColumns: ['Item'], rowsNotInInput, options }, input: items };
		}
		case 'create':
		case 'upsert':
			return { operation, parameters: { ...grid.auto(['Item']), options }, input: items };
	}
}

const table = z.array(z.record(z.string(), z.string()));

const cellText = (value: unknown = '') => (typeof value === 'string' ? value : JSON.stringify(value));

const csvOf = (items: IDataObject[]): string => {
	const cells = (item: IDataObject) => NAMES.map((name) => cellText(item[name])).join(',');
	return `${NAMES.join(',')}\n${items.map(cells).join('\n')}\n`;
};

/** The changes that a run reports, each with its item, its row, outcome, old and new values. */
async function reported(grid: WorldGrid, { operation, parameters, input }: Drawn, dryRun: boolean) {
	const isFile = operation === 'importFile';
	const items = isFile ? [fileItem(csvOf(input))] : input;
	const run = await grid.run(operation, { ...parameters, dryRun }, items, {
		onError: 'continueRegularOutput',
	});
	const changes = Buffer.from(run.items[0]?.binary?.['changes']?.data ?? '', 'base64');
	const rows: IDataObject[] = isFile
		? table.parse(parse(changes, { columns: true, bom: true }))
		: run.items.map(({ json, pairedItem }) => ({ ...json, pairedItem: JSON.stringify(pairedItem) }));
	return { rows, error: run.error?.message, hints: run.hints };
}

const DONE: Record<string, string> = { create: 'created', update: 'updated', delete: 'deleted' };

/** Members of an output row that a plan cannot have, or has in addition. */
const OWN = new Set(['_id', '_outcome', '_reasons', 'deleted', 'error']);
/** The same of what Create has made: its values only. */
const OWN_OF_CREATE = new Set([...OWN, '_changes']);

/**
 * What a dry run and a run must have in common of a change. Ids of rows that the run creates, and
 * their columns without a value, are made by the service.
 */
function comparable(row: IDataObject, before: Stored, own = OWN): IDataObject {
	const outcome = row['_outcome'];
	const word = typeof outcome === 'string' ? (DONE[outcome] ?? outcome) : 'invalid';
	if (word === 'invalid') return { pairedItem: row['pairedItem'], word };
	const cells = Object.entries(row).filter(([name, value]) => !own.has(name) && value !== null);
	const id = before.some(({ _id }) => _id === row['_id']) ? row['_id'] : null;
	return { ...Object.fromEntries(cells), id, word };
}

async function storedIn(grid: WorldGrid): Promise<Stored> {
	const { items } = await bed.client.entities.many(grid.grid);
	return items.map((entity) => {
		const cells = [...grid.fields.values()].map(({ id, name }) => [name, entity[id] ?? null] as const);
		return { ...Object.fromEntries(cells), _id: entity._id };
	});
}

test.each(
	OPERATIONS.flatMap((operation) =>
		Array.from({ length: repetitions({ inCi: 60, local: 8 }) }, (_, seed) => [operation, seed] as const),
	),
)('W1: the plan of %s is what the run then does (seed %i)', async (operation, seed) => {
	const random = new Random(seed * 7919 + OPERATIONS.indexOf(operation));
	const grid = await bed.grid(COLUMNS);
	const isUnique = ['sync', 'importFile'].includes(operation);
	const rows = Array.from({ length: random.below(7) }, () => cellsOf(random));
	await grid.fill(...(isUnique ? [...new Map(rows.map((row) => [row['Item'], row])).values()] : rows));
	const before = await storedIn(grid);
	const work = drawn(random, grid, operation, before);
	if (isUnique) work.input = [...new Map(work.input.map((item) => [item['Item'], item])).values()];
	const planned = await reported(grid, work, true);
	expect(await storedIn(grid)).toEqual(before);
	const done = await reported(grid, work, false);
	// A change of the plan that was passed over would be reported as planned.
	for (const row of done.rows) expect(Object.keys(DONE)).not.toContain(row['_outcome']);
	const [plan, changes] = [planned, done].map(({ rows: all }) =>
		all.map((row) => comparable(row, before, operation === 'create' ? OWN_OF_CREATE : OWN)),
	);
	const refusal = planned.hints.join().includes('this run would fail');
	if (refusal) expect(done.error ?? done.rows[0]?.['error']).toBeDefined();
	else expect({ rows: changes, error: done.error }).toEqual({ rows: plan, error: planned.error });
	await expectGrid(grid, before, done.rows);
});

const changesIn = z.array(z.looseObject({ field: z.string(), old: z.unknown(), new: z.unknown() }));
const asList = (raw: unknown) =>
	changesIn.parse(typeof raw === 'string' ? JSON.parse(raw === '' ? '[]' : raw) : (raw ?? []));

/** The grid holds what it held before, with the reported changes. */
async function expectGrid(grid: WorldGrid, before: Stored, rows: readonly IDataObject[]): Promise<void> {
	const expected = new Map(before.map((row) => [row._id, { ...row }]));
	for (const row of rows) {
		const id = z.string().parse(row['_id'] ?? '');
		const outcome = row['_outcome'] ?? (row['error'] === undefined ? 'created' : 'failed');
		if (outcome === 'deleted') expected.delete(id);
		const known = expected.get(id);
		if (outcome === 'updated' && known)
			for (const change of asList(row['_changes'])) Object.assign(known, { [change.field]: change.new });
		if (outcome === 'created') expected.set(id, { _id: id });
	}
	const after = await storedIn(grid);
	expect(after.map(({ _id }) => _id).sort()).toEqual([...expected.keys()].sort());
	for (const row of after) expect(row).toMatchObject(expected.get(row._id) ?? {});
}
