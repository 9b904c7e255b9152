import { type Entity, NotFound, outcomeOf } from '../../../client';
import type { BulkWork } from '../../shared/runner/bulk';
import { dryRun, columnsToClear, keepOrder } from '../../shared/inputs/options';
import { changeableGridFields } from '../../shared/inputs/pickers/chosenGrid';
import { columnMapper, columnMappers, keysOf } from '../../shared/inputs/columns/columnMapper';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import {
	columnNaming,
	outputColumns,
	readRowsBack,
	simplify,
} from '../../shared/inputs/output/outputOptions';
import type { ItemsContext, Row } from '../../shared/runner/context';
import { batchOperation } from '../../shared/runner/operation';
import { choice } from '../../shared/inputs/choice';
import { PartlyDone } from '../../shared/rows/partlyDone';
import { writeItems } from '../writing/dryRuns';
import { columnRules, rulesById } from '../writing/columnRules';
import { compareAs, comparedFields } from '../keys/compareAs';
import { findRows } from '../keys/findRows';
import { CLEAN_UP, KeyedGrids, readAllAhead, type KeyedRows, type RowKey } from '../keys/keyedRows';
import { duplicatesMadeMeanwhile, settled } from '../writing/settling';
import { RunTurns } from '../keys/turns';
import {
	changeRow,
	plannedRow,
	type ChangeShape,
	type EntityChange,
	type RowChange,
	type Unwritten,
} from '../writing/steps';
import { changeOf, type Rules } from '../writing/plan';
import { returnOf, type ReturnedRows } from '../writing/returnedRows';
import { unknownOptions } from '../writing/unknownOptions';
import { readBack, unlocatedRow, WriteReader, type Write } from '../writing/write';

const columns = columnMapper('upsert');
const whenSeveral = choice(
	'whenSeveral',
	'When Several Rows Match',
	{
		fail: { name: 'Fail', description: 'Write nothing for the item; the error lists the rows' },
		all: { name: 'Update All', description: 'Output one item per row' },
		first: { name: 'Update First', description: 'The first row in the order of the grid' },
	},
	{
		default: 'fail',
		description: 'What to do if the key columns of an item match more than one row',
	},
);

const whenUnmatched = choice(
	'whenUnmatched',
	'When No Row Matches',
	{
		create: { name: 'Create', description: 'Add a row with the values of the item' },
		fail: { name: 'Fail', description: 'The item goes to the error output, if the node has one' },
		skip: { name: 'Skip', description: 'Write nothing; the outcome is "notFound"' },
	},
	{
		default: 'create',
		description: 'What to do with an item if no row has its key. Change it to update only what exists.',
	},
);

export const upsert = batchOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update row',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields: [...changeableGridFields, ...columnMappers(columns), dryRun],
	options: [
		columnRules,
		columnsToClear,
		compareAs,
		duplicatesMadeMeanwhile,
		findLinkedRowsBy,
		findRows,
		keepOrder,
		outputColumns,
		columnNaming,
		readRowsBack,
		simplify,
		unknownOptions,
		whenUnmatched,
		whenSeveral,
	],
	async runAll(context) {
		const { client } = context;
		const reader = new WriteReader(context, columns);
		const keyed = new KeyedGrids(client, new RunTurns(context));
		const how = context.at(0).option(findRows);
		const isDry = context.at(0).parameter(dryRun);
		const work: BulkWork<UpsertWrite> = {
			async prepare(item) {
				const { option } = item;
				const write = await reader.read(item, option(columnsToClear));
				const { grid, mapping, values, addsOptions } = write;
				const fields = comparedFields(option(compareAs), write.fields);
				const unmatched = option(whenUnmatched);
				if (unmatched === 'create') client.entities.mayCreate(grid);
				const rows = keyed.of(grid, keysOf(mapping, fields), fields);
				const key = rows.keyOf(values);
				const names = item.columnNames(fields);
				const { full, row, represent } = returnOf(item, fields);
				const several = option(whenSeveral);
				const columnsById = rulesById(option(columnRules), fields);
				const rules: Rules = {
					...{ fields, names, matched: 'update', unmatched: 'create', several: 'all' },
					columns: columnsById,
				};
				// There are thousands: a copy made by spreading takes several times as much memory.
				return {
					grid,
					fields,
					values,
					addsOptions,
					rows,
					key,
					row,
					names,
					full,
					represent,
					several,
					unmatched,
					rules,
				};
			},
			begin: async (all) => {
				await readAllAhead(all, how);
			},
			// One by One reads each row right before it is written.
			check: how === 'oneByOne' && !isDry ? undefined : async (write) => void (await rowsToUpdate(write)),
			needsCheck: (write) => knownRows(write) === undefined,
			resultWithoutRequest: unchangedRows,
			perform: async (write) => await write.rows.inTurn(write.key, () => writeInTurn(context, write)),
			// Concurrent items with the same key would not see each other's row.
			serialKey: ({ key }) => key.text,
			inOrder: context.at(0).option(keepOrder) || context.client.session.limiter.isSequential,
			unlocated: (write, error) => ({ ...unlocatedRow(write, error), _changes: [] }),
		};
		const results = await writeItems(context, work, planned);
		reader.showHints(context);
		if (isDry) return results;
		const rows = results.flatMap((result) => (result instanceof Error ? [] : result));
		hintUnchanged(context, rows);
		const doubles = context.at(0).option(duplicatesMadeMeanwhile);
		return await settled(context, results, keyed, { doubles, writesValues: true });
	},
});

/** One item, read and checked. */
interface UpsertWrite
	extends Pick<Write, 'grid' | 'fields' | 'values' | 'addsOptions'>,
		ChangeShape,
		ReturnedRows {
	rows: KeyedRows;
	key: RowKey;
	several: 'fail' | 'all' | 'first';
	unmatched: 'create' | 'fail' | 'skip';
	rules: Rules;
}

/**
 * The rows with the key of an item, in the order of the grid.
 * @param find finds them
 * @throws InvalidInput if the user wants no item without a row, or none with several
 */
async function rowsToUpdate(
	write: UpsertWrite,
	find: 'matching' | 'matchingBeforeCreation' = 'matching',
): Promise<Entity[]> {
	const matchingRows = await write.rows[find](write.key);
	const refusal = refusalOf(write, matchingRows);
	if (refusal) throw refusal;
	return matchingRows;
}

/** The same if they are known already. */
function knownRows(write: UpsertWrite): readonly Entity[] | undefined {
	const matchingRows = write.rows.known(write.key);
	return matchingRows && !refusalOf(write, matchingRows) ? matchingRows : undefined;
}

const refusalOf = ({ rows, key, several, unmatched }: UpsertWrite, matchingRows: readonly Entity[]) =>
	rows.refusalOf(key, matchingRows, {
		none: unmatched === 'fail' && 'Add the row, or change "When No Row Matches".',
		several: several === 'fail' && AMBIGUOUS,
	});

/** The changes to the matching rows, or to the first of them, as the user chose. */
function updatesOf({ values, several, rules }: UpsertWrite, matchingRows: readonly Entity[]): EntityChange[] {
	const chosenRows = several === 'first' ? matchingRows.slice(0, 1) : matchingRows;
	return chosenRows.map((entity) => changeOf({ values }, entity, rules));
}

/** The output of an item whose rows are known and already have its values. */
function unchangedRows(write: UpsertWrite): object[] | undefined {
	const matchingRows = knownRows(write) ?? [];
	if (matchingRows.length === 0) return undefined;
	const changes = updatesOf(write, matchingRows);
	if (changes.some(({ kind }) => kind === 'update')) return undefined;
	return changes.map((change) => writtenRow(write, change, change.entity));
}

/** The changes of an item, given the changes of the preceding items. */
async function planned(write: UpsertWrite): Promise<Array<RowChange | Unwritten>> {
	const { values, rows, key, unmatched } = write;
	const matchingRows = await rowsToUpdate(write);
	if (matchingRows.length === 0 && unmatched === 'skip') return [notFound(write)];
	if (matchingRows.length === 0) {
		rows.remember(key, [plannedRow(values)]);
		return [{ kind: 'create', values }];
	}
	const changes = updatesOf(write, matchingRows);
	const states = changes.map((change) => ({ ...change.entity, ...change.values }));
	rows.remember(key, [...states, ...matchingRows.slice(changes.length)]);
	return changes;
}

async function writeInTurn(context: ItemsContext, write: UpsertWrite): Promise<object | object[]> {
	const { rows, key } = write;
	const matchingRows = await rows.matching(key);
	const outcome = await outcomeOf(createOrUpdate(context, write));
	if (outcome.state === 'done') return outcome.value;
	rows.forget(key);
	// The row may have been deleted since the grid was read.
	if (!(outcome.error instanceof NotFound) || matchingRows.length !== 1) throw outcome.error;
	return await createOrUpdate(context, write);
}

async function createOrUpdate(context: ItemsContext, write: UpsertWrite): Promise<object | object[]> {
	const { client } = context;
	const { grid, values, rows, key, represent, full, unmatched } = write;
	const matchingRows = await rowsToUpdate(write, 'matchingBeforeCreation');
	if (matchingRows.length === 0 && unmatched === 'skip') return writtenRow(write, notFound(write), undefined);
	if (matchingRows.length === 0) {
		const sent = { ...values, _id: await rows.createOnce(key, values) };
		const entity = full ? await readBack(context, client, grid, sent) : sent;
		return { ...represent(entity), _outcome: 'created', _changes: [] };
	}
	const states = [...matchingRows];
	const written: object[] = [];
	const updatedIds: string[] = [];
	const updated = async ({ entity, values: changed }: EntityChange) => {
		const updating = await outcomeOf(client.entities.update(grid, entity, changed));
		if (updating.state === 'done') {
			updatedIds.push(entity._id);
			return updating.value;
		}
		throw updatedIds.length === 0 ? updating.error : partlyUpdated(updatedIds, entity, updating.error);
	};
	for (const [at, change] of updatesOf(write, matchingRows).entries()) {
		const { kind, entity } = change;
		const state = kind === 'update' ? await updated(change) : entity;
		states[at] = state;
		written.push(writtenRow(write, change, state));
	}
	rows.remember(key, states);
	return written;
}

/** @param ids of the rows that were updated */
function partlyUpdated(ids: readonly string[], { _id }: Entity, reason: unknown): PartlyDone {
	const done = `Updated ${ids.length === 1 ? 'the row' : 'the rows'} ${ids.join(', ')}`;
	const hint = 'Remove the cause, then run this item again: rows that have its values are not written.';
	return new PartlyDone(done, [`the row ${_id}`, 'updated'], reason, hint);
}

/** @param state the current row */
function writtenRow(
	{ represent, names }: UpsertWrite,
	change: RowChange | Unwritten,
	state: Entity | undefined,
): object {
	return changeRow(change, { row: represent, names }, { state });
}

/** An item whose key no row has, and that is not to be created. */
const notFound = ({ values, rows, key }: UpsertWrite): Unwritten => ({
	kind: 'notFound',
	entity: undefined,
	values,
	reasons: [`No row has ${rows.describe(key.values)}`],
});

const AMBIGUOUS = `${CLEAN_UP} Or change "When Several Rows Match".`;

/** Reports rows that were not written and thus have no entry in the history. */
function hintUnchanged({ hint }: Pick<ItemsContext, 'hint'>, rows: readonly Row[]): void {
	const unchanged = rows.filter((row) => '_outcome' in row && row._outcome === 'unchanged').length;
	if (unchanged > 0)
		hint(`${unchanged} of ${rows.length} rows already had these values and were not written.`);
}
