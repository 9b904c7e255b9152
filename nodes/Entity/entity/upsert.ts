import { InvalidInput, NotFound } from '../../../client/errors';
import { outcomeOf } from '../../../client/http/limiter';
import type { Entity } from '../../../client/resources/entities';
import type { BulkWork } from '../../shared/runner/bulk';
import { dryRun } from '../../shared/inputs/dryRun';
import { changeableGridFields } from '../../shared/inputs/pickers/chosenGrid';
import { columnMapper, columnMappers, keysOf } from '../../shared/inputs/columns/columnMapper';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import {
	columnNaming,
	outputColumns,
	readRowsBack,
	returnFullEntity,
	simplifySince2,
} from '../../shared/inputs/output/outputOptions';
import type { ItemsContext, Row } from '../../shared/runner/context';
import { batchOperation } from '../../shared/runner/operation';
import { choice } from '../../shared/inputs/choice';
import { columnsToClear, keepOrder, requestsAtATime } from '../../shared/inputs/options';
import { writeItems } from '../writing/dryRuns';
import { findRows } from '../keys/findRows';
import { KeyedGrids, readAllAhead, type KeyedRows } from '../keys/keyedRows';
import {
	changeRow,
	plannedRow,
	updateOf,
	type ChangeShape,
	type EntityChange,
	type RowChange,
} from '../writing/rowChanges';
import { returnOf, type ReturnedRows } from '../output/returnedRows';
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

export const upsert = batchOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update row',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields: [
		...changeableGridFields,
		...columnMappers(columns),
		returnFullEntity,
		simplifySince2,
		columnNaming,
	],
	options: [
		columnsToClear,
		dryRun,
		findLinkedRowsBy,
		findRows,
		keepOrder,
		outputColumns,
		readRowsBack,
		requestsAtATime,
		unknownOptions,
		whenSeveral,
	],
	async runAll(context) {
		const { client } = context;
		const reader = new WriteReader(context, columns);
		const keyed = new KeyedGrids(client);
		const how = context.at(0).option(findRows);
		const isDry = context.at(0).option(dryRun);
		const work: BulkWork<UpsertWrite> = {
			async prepare(item) {
				const { option } = item;
				const write = await reader.read(item, option(columnsToClear));
				const { grid, fields, mapping, values, addsOptions } = write;
				client.entities.mayCreate(grid);
				const rows = keyed.of(grid, keysOf(mapping, fields));
				const key = rows.keyOf(values);
				const row = item.rowWriter(fields);
				const names = item.columnNames(fields);
				const { full, represent } = returnOf(item, fields);
				const several = option(whenSeveral);
				// There are thousands: a copy made by spreading takes several times as much memory.
				return { grid, fields, values, addsOptions, rows, key, row, names, full, represent, several };
			},
			begin: async (all) => {
				await readAllAhead(all, how);
			},
			// One by One reads each row right before it is written.
			check: how === 'oneByOne' && !isDry ? undefined : async (write) => void (await rowsToUpdate(write)),
			needsCheck: (write) => heldRows(write) === undefined,
			resultWithoutRequest: unchangedRows,
			async perform(write) {
				const { rows, values, key } = write;
				const found = await rows.matching(values, key);
				const outcome = await outcomeOf(createOrUpdate(context, write));
				if (outcome.state === 'done') return outcome.value;
				rows.forget(values);
				// The row may have been deleted since the grid was read.
				if (!(outcome.error instanceof NotFound) || found.length !== 1) throw outcome.error;
				return await createOrUpdate(context, write);
			},
			// Concurrent items with the same key would not see each other's row.
			serialKey: ({ key }) => key,
			inOrder: context.at(0).option(keepOrder),
			unlocated: (write, error) => ({ ...unlocatedRow(write, error), _changes: [] }),
		};
		const results = await writeItems(context, work, planned);
		reader.showHints(context);
		if (isDry) return results;
		const rows = results.flatMap((result) => (result instanceof Error ? [] : result));
		hintUnchanged(context, rows);
		return results;
	},
});

/** One item, read and checked. */
interface UpsertWrite
	extends Pick<Write, 'grid' | 'fields' | 'values' | 'addsOptions'>,
		ChangeShape,
		ReturnedRows {
	rows: KeyedRows;
	key: string;
	several: 'fail' | 'all' | 'first';
}

/** The rows with the key of an item, in the order of the grid. @throws InvalidInput if ambiguous */
async function rowsToUpdate(write: UpsertWrite): Promise<Entity[]> {
	const { rows, values, key } = write;
	const found = await rows.matching(values, key);
	if (!isAmbiguous(write, found)) return found;
	throw new InvalidInput(`${found.length} rows have ${rows.listed(values, found)}`, AMBIGUOUS);
}

/** The same if they are known already and not ambiguous. */
function heldRows(write: UpsertWrite): readonly Entity[] | undefined {
	const held = write.rows.held(write.key);
	return held && !isAmbiguous(write, held) ? held : undefined;
}

const isAmbiguous = ({ several }: UpsertWrite, found: readonly Entity[]) =>
	several === 'fail' && found.length > 1;

/** The changes to the rows that were found, or to the first of them, as the user chose. */
function updatesOf({ fields, values, several }: UpsertWrite, found: readonly Entity[]): EntityChange[] {
	const chosen = several === 'first' ? found.slice(0, 1) : found;
	return chosen.map((entity) => updateOf(fields, entity, values));
}

/** The output of an item whose rows are known and already have its values. */
function unchangedRows(write: UpsertWrite): object[] | undefined {
	const found = heldRows(write) ?? [];
	if (found.length === 0) return undefined;
	const changes = updatesOf(write, found);
	if (changes.some(({ kind }) => kind === 'update')) return undefined;
	return changes.map((change) => writtenRow(write, change, change.entity));
}

/** The changes of an item, given the changes of the preceding items. */
async function planned(write: UpsertWrite): Promise<RowChange[]> {
	const { values, rows } = write;
	const found = await rowsToUpdate(write);
	if (found.length === 0) {
		rows.remember(values, [plannedRow(values)]);
		return [{ kind: 'create', values }];
	}
	const changes = updatesOf(write, found);
	const states = changes.map((change) => ({ ...change.entity, ...change.values }));
	rows.remember(values, [...states, ...found.slice(changes.length)]);
	return changes;
}

async function createOrUpdate(context: ItemsContext, write: UpsertWrite): Promise<object | object[]> {
	const { client } = context;
	const { grid, values, rows, represent, full } = write;
	const found = await rowsToUpdate(write);
	if (found.length === 0) {
		const sent = { ...values, _id: await rows.create(values) };
		const entity = full ? await readBack(context, client, grid, sent) : sent;
		return { ...represent(entity), _outcome: 'created', _changes: [] };
	}
	const states = [...found];
	const written: object[] = [];
	for (const [at, change] of updatesOf(write, found).entries()) {
		const { kind, entity } = change;
		const state = kind === 'update' ? await client.entities.update(grid, entity, change.values) : entity;
		states[at] = state;
		written.push(writtenRow(write, change, state));
	}
	rows.remember(values, states);
	return written;
}

/** @param state the current row */
function writtenRow({ represent, names }: UpsertWrite, change: RowChange, state: Entity | undefined): object {
	return changeRow(change, { row: represent, names }, { state });
}

const AMBIGUOUS =
	'Delete the duplicate rows, add a key column that tells them apart, or change "When Several Rows Match".';

/** Reports rows that were not written and thus have no entry in the history. */
function hintUnchanged({ hint }: Pick<ItemsContext, 'hint'>, rows: readonly Row[]): void {
	const unchanged = rows.filter((row) => '_outcome' in row && row._outcome === 'unchanged').length;
	if (unchanged > 0)
		hint(`${unchanged} of ${rows.length} rows already had these values and were not written.`);
}
