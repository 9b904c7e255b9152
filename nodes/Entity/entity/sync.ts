import {
	type Field,
	InvalidInput,
	isWritable,
	type NewField,
	type Outcome,
	ownMember,
	type Values,
} from '../../../client';
import { prepareAll, resultsOf, markNotTried } from '../../shared/runner/bulk';
import {
	changeableGridFields,
	openGridWithFields,
	type ChosenGrid,
} from '../../shared/inputs/pickers/chosenGrid';
import { columnMapper, columnMappers, keyColumns, keysOf } from '../../shared/inputs/columns/columnMapper';
import type { Mapping } from '../../shared/inputs/columns/storedColumns';
import { formats } from '../../shared/inputs/formats';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import { columnNaming } from '../../shared/inputs/output/outputOptions';
import type { ItemsContext, Result } from '../../shared/runner/context';
import { batchOperation } from '../../shared/runner/operation';
import { choice } from '../../shared/inputs/choice';
import type { ReadParameter } from '../../shared/inputs/parameter';
import { columnsToClear, keepOrder, dryRun } from '../../shared/inputs/options';
import type { RowWriter } from '../../shared/rows/output';
import { unstableListError } from '../../shared/rows/unstableListError';
import { filterReading } from '../../shared/rows/filterReading';
import { compareAs, comparedFields } from '../keys/compareAs';
import { KeyedGrids, type KeyedRows, type RowKey } from '../keys/keyedRows';
import { duplicatesMadeMeanwhile, settled } from '../writing/settling';
import { RunTurns } from '../keys/turns';
import { addMissingOptionsOrThrow, OptionReader, unknownOptions } from '../writing/unknownOptions';
import { WriteReader, type Write } from '../writing/write';
import { carryOut, createInTurn } from '../writing/carryOut';
import { checkChanges, noKeys } from '../writing/checks';
import { rowsPerRun } from '../writing/rowsPerRun';
import { columnRules, requireOwnedColumn, rulesById } from '../writing/columnRules';
import { invalidRow } from '../writing/items';
import { invalidRows, InvalidRows } from '../writing/invalidRows';
import {
	addTo,
	missing,
	missingColumns,
	missingIn,
	newKeyColumns,
	withColumns,
} from '../writing/missingColumns';
import { comparedColumns, type Rules } from '../writing/plan';
import { SyncPlan, type Desired, type PlanSource } from '../writing/syncPlan';
import { syncResults, type SyncShape } from '../writing/syncReport';
import {
	columnsToSet,
	creationLimit,
	deletesOthers,
	deletionLimit,
	faultyRows,
	limits,
	onlyRowsWhere,
	refuseOverLimits,
	rowsNotInInput,
	rowsToWrite,
	rowsWithoutKeyOf,
	scopeOf,
	updateLimit,
	valuesToSet,
	writing,
} from '../writing/settings';

const columns = columnMapper('upsert');
const output = choice(
	'output',
	'Output',
	{
		changes: { name: 'Changes', description: 'One item per change; a hint says how many there were' },
		differences: {
			name: 'Changes and Differences',
			description:
				'Also each row that differs from its item in a column with the rule Only in New Rows, to send it to the other system',
		},
		changesWithReport: {
			name: 'Changes, with Report',
			description:
				'One item per change, each with the report in "_report"; without changes, one item with the report',
		},
		report: { name: 'Report', description: 'One item with the number of changes of each kind' },
	},
	{ default: 'changes', description: 'What to return after the sync' },
);

const rowsWithoutKey = rowsWithoutKeyOf('an item');
export const sync = batchOperation({
	value: 'sync',
	name: 'Sync',
	action: 'Sync rows',
	description:
		'Make a grid match the input items: create missing rows, update rows that differ and, optionally, delete or mark all others. Key columns identify the rows.',
	hintsBeforeRun: [deletesOthers],
	fields: [
		...changeableGridFields,
		...columnMappers(columns),
		rowsNotInInput,
		columnsToSet,
		output,
		dryRun,
		rowsPerRun,
	],
	options: [
		findLinkedRowsBy,
		formats,
		columnRules,
		columnsToClear,
		compareAs,
		faultyRows(rowsWithoutKey),
		limits(creationLimit, deletionLimit, updateLimit),
		missing(newKeyColumns),
		columnNaming,
		onlyRowsWhere,
		unknownOptions,
		writing(duplicatesMadeMeanwhile, keepOrder, rowsToWrite),
	],
	async runAll(context) {
		const { parameter, option } = context.at(0);
		const chosen = await openGridWithFields(context.client, parameter);
		const isAutomatic = parameter(columns).mappingMode === 'autoMapInputData';
		const rows = isAutomatic ? context.items : [];
		const added = await missingIn(
			{ ...chosen, option },
			{
				rows,
				names: () => new Set(rows.flatMap(({ json }) => Object.keys(json))),
				cellOf: (name) => (item) => ownMember(item.json, name),
				hasOnlyTexts: false,
				keys: `enter their names in "${newKeyColumns.property.displayName}"`,
			},
		);
		return await syncItems(context, withColumns(chosen, added), added);
	},
});

/** @param added columns that `chosen` has and the grid lacks */
async function syncItems(
	context: ItemsContext,
	chosen: ChosenGrid,
	added: readonly NewField[],
): Promise<Array<Result | Error>> {
	const { client, node } = context;
	const { parameter, option, columnNames, rowWriter } = context.at(0);
	const reader = new WriteReader(context, columns, false, true);
	reader.assume(context.at(0), chosen);
	const keyed = new KeyedGrids(client, new RunTurns(context));
	let first: SyncTarget | undefined;
	const prepared = await prepareAll(context, async (item): Promise<SyncWrite | undefined> => {
		const write = await reader.read(item, item.option(columnsToClear));
		const { grid, mapping, values, addsOptions } = write;
		const fields = comparedFields(item.option(compareAs), write.fields);
		const keys = keysIn(mapping, item.option, fields);
		const rows = keyed.of(grid, keys, fields);
		const isSkipped = item.option(rowsWithoutKey) === 'skip' && rows.emptyKeyOf(values);
		if (isSkipped) return undefined;
		const key = rows.keyOf(values);
		first ??= { grid, fields, exactFields: write.fields, keys, rows };
		return { grid, values, addsOptions, key, itemIndex: item.itemIndex };
	});
	reader.showHints(context);
	const writes = prepared.flatMap((outcome) =>
		outcome.state === 'done' && outcome.value ? [outcome.value] : [],
	);
	const invalid = invalidItemsOf(prepared);
	const isListed = option(invalidRows) === 'skip' && writes.length > 0;
	// Which rows to delete depends on the whole input, so one invalid item stops the run.
	if (!(isListed && invalid) && prepared.some(({ state }) => state !== 'done'))
		return resultsOf(node, markNotTried(prepared));
	if (!first || !invalid)
		throw noKeys(
			'No item',
			'Check that the source returned its rows, and that "Columns" maps a value to each key column.',
		);
	const listed = new InvalidRows('item');
	const leftOut = leftOutBy(listed, invalid, first);
	listed.showHint(context.hint, prepared.length);
	const skipped = prepared.length - writes.length - invalid.length;
	if (skipped > 0)
		context.hint(
			`${skipped} of ${prepared.length} items have no value in a key column and were skipped.`,
			'warning',
		);
	const shape: SyncShape = {
		names: columnNames(first.fields),
		row: uniform(rowWriter(first.fields), first.fields),
		dryRun: parameter(dryRun),
		output: parameter(output),
		invalid: listed,
		invalidItems: new Map(invalid.map(({ itemIndex, error }) => [itemIndex, invalidRow(node, error)])),
	};
	return await syncGrid(context, { writes, leftOut, added }, first, shape);
}

/** The key columns chosen in the mapper and those in `newKeyColumns`. @throws InvalidInput */
function keysIn(mapping: Mapping, option: ReadParameter, fields: readonly Field[]): Field[] {
	const { matchingColumns: chosen } = mapping;
	const named = option(newKeyColumns);
	const { displayName: label } = newKeyColumns.property;
	const where = option(missingColumns) === 'add' ? `Columns" or "${label}` : 'Columns';
	if (named.length === 0) return keyColumns(chosen, fields, where);
	const keys = chosen.length > 0 ? keysOf(mapping, fields) : [];
	return [...new Set([...keys, ...keyColumns(named, fields, label)])];
}

/** Outputs all writable columns in every row, so that n8n's table has no gaps. */
function uniform(row: RowWriter, fields: readonly Field[]): RowWriter {
	const ids = fields.filter(isWritable).map(({ id }) => id);
	return (entity) =>
		row({ ...Object.fromEntries(ids.map((id) => [id, entity[id] ?? null])), _id: entity._id });
}

/** The invalid items; undefined if something else is wrong with an item. */
function invalidItemsOf(prepared: ReadonlyArray<Outcome<unknown>>) {
	const items: Array<{ itemIndex: number; error: InvalidInput }> = [];
	for (const [itemIndex, outcome] of prepared.entries()) {
		if (outcome.state === 'done') continue;
		if (outcome.state === 'untried' || !(outcome.error instanceof InvalidInput)) return undefined;
		items.push({ itemIndex, error: outcome.error });
	}
	return items;
}

/** Lists invalid items. @returns those with a key, so that their rows count as in the input */
function leftOutBy(
	listed: InvalidRows,
	invalid: ReadonlyArray<{ itemIndex: number; error: InvalidInput }>,
	{ keys, rows }: SyncTarget,
): Desired[] {
	return invalid.flatMap(({ itemIndex, error }): Desired[] => {
		if (!listed.add(itemIndex, error, keys) || rows.emptyKeyOf(error.values)) return [];
		const { values } = error;
		return [{ itemIndex, values, key: rows.keyOf(values), isInvalid: true }];
	});
}

/** One input item, read and checked. */
interface SyncWrite extends Desired, Pick<Write, 'grid' | 'addsOptions'> {}

/** The grid of the first item. */
interface SyncTarget extends Pick<Write, 'grid' | 'fields'> {
	/** The columns without the rules of "Compare As". */
	exactFields: Write['fields'];
	keys: Field[];
	rows: KeyedRows;
}

interface SyncInput {
	writes: readonly SyncWrite[];
	leftOut: readonly Desired[];
	/** Columns to add. */
	added: readonly NewField[];
}

async function syncGrid(
	context: ItemsContext,
	{ writes, leftOut, added }: SyncInput,
	{ grid, fields, exactFields, keys, rows: keyed }: SyncTarget,
	shape: SyncShape,
): Promise<Array<Result | Error>> {
	const { client } = context;
	const { parameter, option, timezone } = context.at(0);
	const other = writes.find((write) => write.grid.id !== grid.id);
	if (other)
		throw new InvalidInput(
			`Item ${other.itemIndex} selects a different grid from item 0`,
			'Sync works on one grid at a time. Choose a fixed grid, or split the items into one run per grid.',
		);
	// Conditions are compared exactly, as the service does.
	const scope = scopeOf(context.at(0), exactFields);
	const answerOf = scope && filterReading(scope, exactFields);
	const isInScope = (row: Values) => !answerOf || answerOf(row, true) === 'meets';
	const kind = parameter(rowsNotInInput);
	const run = { isDryRun: shape.dryRun, hint: context.hint };
	if (kind !== 'keep') shape.invalid.refuseWithoutKey(kind === 'delete' ? 'delete' : 'mark', run);
	const options = new OptionReader();
	const columns = rulesById(option(columnRules), fields);
	const toSet =
		kind === 'setColumns'
			? valuesToSet(parameter(columnsToSet), fields, { timezone, keys, rules: columns })
			: {};
	const marks = await options.read(context.at(0), { grid, fields, values: toSet });
	options.showHints(context);
	const reportsDifferences = shape.output !== 'changes' && [...columns.values()].includes('never');
	if (shape.output === 'differences') requireOwnedColumn(columns);
	const rules: PlanSource['rules'] = {
		...{ fields, names: shape.names, matched: 'update', unmatched: 'create', several: 'all' },
		...{ columns, keyed, marks: marks.values },
	};
	const source = new SyncPlan({
		...{ desired: [...writes, ...leftOut], keys, rules, reportsDifferences },
		scope: scope && isInScope,
		missing: kind === 'setColumns' ? { kind, values: marks.values } : { kind },
		rowsToWrite: option(rowsToWrite),
	});
	const written = new Set(writes.flatMap(({ values }) => Object.keys(values)));
	const needs = comparedColumns({ keys, written, marks: marks.values, scope });
	const { items: rows, unstable } = await client.entities.manyAs(grid, source.found, {}, { needs });
	if (unstable) throw unstableListError(grid);
	const plan = source.stepsFor(rows);
	const ofItems = plan.steps.filter(({ itemIndex }) => itemIndex !== undefined);
	const create = ofItems.filter((step) => step.kind === 'create').length;
	// An empty or broken source would delete many rows.
	refuseOverLimits(
		{
			create,
			update: ofItems.length - create,
			missing: plan.steps.length - ofItems.length,
			compared: plan.compared,
		},
		{
			...{ grid, source: 'input', read: option },
			verb: kind === 'delete' ? 'deleted' : `marked by "${columnsToSet.property.displayName}"`,
			run,
		},
	);
	if (plan.omitted > 0)
		context.hint(
			`Left out by "${rowsToWrite.property.displayName}": ${plan.omitted} of ${writes.length} items`,
		);
	const steps = plan.steps.map((step) => ({ ...step, grid }));
	await checkChanges(context, steps, shape.dryRun);
	// All is checked: the run begins again with the new columns.
	const changed = await addTo({ ...context, parameter }, grid, added);
	if (changed) return await syncItems(context, changed, []);
	const addsOptions = marks.addsOptions || writes.some((write) => write.addsOptions);
	const writings = plan.steps.flatMap((step) =>
		step.kind === 'delete' ? [] : [{ grid, fields, values: step.values, addsOptions }],
	);
	await addMissingOptionsOrThrow(context, writings, shape.dryRun);
	if (shape.dryRun) return syncResults(context, plan, undefined, shape);
	keyed.markAbsent(
		steps.flatMap(({ kind, key }) => (kind === 'create' ? [key] : [])),
		rows.length,
	);
	// Of rows that another run creates meanwhile, Only New keeps those, too.
	const again: Rules = option(rowsToWrite) === 'onlyNew' ? { ...rules, matched: 'keep' } : rules;
	const find = async (key: RowKey) => await keyed.matchingBeforeCreation(key);
	const outcomes = await carryOut(client, steps, {
		create: async (step) => await createInTurn(step, { keyed, rules: again, isInScope, find }),
		inOrder: option(keepOrder) || context.client.session.limiter.isSequential,
	});
	return await settled(
		context,
		syncResults(context, plan, outcomes, shape),
		{ all: [keyed] },
		{
			doubles: option(duplicatesMadeMeanwhile),
			writesValues: option(rowsToWrite) !== 'onlyNew',
			mayChange: isInScope,
		},
	);
}
