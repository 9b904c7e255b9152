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
import {
	columnMapper,
	columnMappers,
	KEY_COLUMNS,
	keyColumns,
	keysOf,
} from '../../shared/inputs/columns/columnMapper';
import type { Mapping } from '../../shared/inputs/columns/storedColumns';
import { formats } from '../../shared/inputs/formats';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import { columnNaming } from '../../shared/inputs/output/outputOptions';
import type { ItemsContext, Result } from '../../shared/runner/context';
import { choice } from '../../shared/inputs/choice';
import type { ReadParameter } from '../../shared/inputs/parameter';
import { columnsToClear, keepOrder, dryRun } from '../../shared/inputs/options';
import type { RowWriter } from '../../shared/rows/output';
import { filterReading } from '../../shared/rows/filterReading';
import { compareAs, comparedFields } from '../keys/compareAs';
import { KeyedGrids, type KeyedRows } from '../keys/keyedRows';
import type { RowKey } from '../keys/keyColumns';
import { duplicatesMadeMeanwhile, settled } from '../writing/settling';
import { RunTurns } from '../keys/turns';
import { addMissingOptionsOrThrow, OptionReader, unknownOptions } from '../writing/unknownOptions';
import { WriteReader, type Write } from '../writing/write';
import { carryOut, createInTurn } from '../writing/carryOut';
import { checkChanges, noKeys } from '../writing/checks';
import { rowsPerRun } from '../writing/rowsPerRun';
import { RunCounts } from '../writing/runCounts';
import { beginLog, writeOperation } from '../writing/runLog';
import { columnRules, requireOwnedColumn, rulesById } from '../writing/columnRules';
import { emptiedValuesLimit } from '../writing/emptiedValues';
import { invalidRow, invalidRows } from '../writing/invalidRows';
import {
	addTo,
	missing,
	missingColumns,
	missingIn,
	newKeyColumns,
	withColumns,
} from '../writing/missingColumns';
import { comparedColumns, type Rules } from '../writing/plan';
import { planSync, type SyncItem, type SyncPlanSource } from '../writing/syncPlan';
import { syncResults, type SyncShape } from '../writing/syncReport';
import {
	columnsToSet,
	creationLimit,
	deletesOthers,
	deletionLimit,
	faultyRows,
	limits,
	onlyRowsWhere,
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
const emptiedValues = emptiedValuesLimit(20);
export const sync = writeOperation({
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
		limits(creationLimit, deletionLimit, emptiedValues, updateLimit),
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

/** An item, read and checked. */
interface SyncWrite extends SyncItem, Pick<Write, 'grid' | 'addsOptions'> {
	/** The columns without the rules of "Compare As". */
	exactFields: Write['fields'];
	rows: KeyedRows;
}

/** @param added columns that `chosen` has and the grid lacks */
async function syncItems(
	context: ItemsContext,
	chosen: ChosenGrid,
	added: readonly NewField[],
): Promise<Array<Result | Error>> {
	const { client, node, hint } = context;
	const { option } = context.at(0);
	const reader = new WriteReader(context, columns, false, formats);
	reader.assume(context.at(0), chosen);
	const keyed = new KeyedGrids(client, new RunTurns(context));
	const prepared = await prepareAll(context, async (item): Promise<SyncWrite | undefined> => {
		const write = await reader.read(item, item.option(columnsToClear));
		const { grid, mapping, values, addsOptions, fields: exactFields } = write;
		const fields = comparedFields(item.option(compareAs), exactFields);
		const rows = keyed.of(grid, keysIn(mapping, item.option, fields), fields);
		const isSkipped = item.option(rowsWithoutKey) === 'skip' && rows.keys.emptyKeyOf(values);
		if (isSkipped) return undefined;
		return {
			grid,
			values,
			addsOptions,
			exactFields,
			rows,
			key: rows.keys.keyOf(values),
			itemIndex: item.itemIndex,
		};
	});
	reader.showHints(context);
	const items = prepared.flatMap((outcome) =>
		outcome.state === 'done' && outcome.value ? [outcome.value] : [],
	);
	const invalid = invalidItemsOf(prepared);
	const isListed = option(invalidRows) === 'skip' && items.length > 0;
	// Which rows to delete depends on the whole input, so one invalid item stops the run.
	if (!(isListed && invalid) && prepared.some(({ state }) => state !== 'done'))
		return resultsOf(node, markNotTried(prepared));
	const [first] = items;
	if (!first || !invalid)
		throw noKeys(
			'No item',
			'Check that the source returned its rows, and that "Columns" maps a value to each key column.',
		);
	const other = items.find((item) => item.grid.id !== first.grid.id);
	if (other)
		throw new InvalidInput(
			`Item ${other.itemIndex} selects a different grid from item 0`,
			'Sync works on one grid at a time. Choose a fixed grid, or split the items into one run per grid.',
		);
	const skipped = prepared.length - items.length - invalid.length;
	if (skipped > 0)
		hint(`${skipped} of ${prepared.length} items have no value in a key column and were skipped.`, 'warning');
	return await syncGrid(context, { items, invalid, added }, first);
}

/** The key columns chosen in the mapper and those in `newKeyColumns`. @throws InvalidInput */
function keysIn(mapping: Mapping, option: ReadParameter, fields: readonly Field[]): Field[] {
	const { matchingColumns: chosen } = mapping;
	const named = option(newKeyColumns);
	const { displayName: label } = newKeyColumns.property;
	const where = option(missingColumns) === 'add' ? `${KEY_COLUMNS}" or "${label}` : KEY_COLUMNS;
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
	const items: Array<SyncPlanSource['invalid'][number]> = [];
	for (const [itemIndex, outcome] of prepared.entries()) {
		if (outcome.state === 'done') continue;
		if (outcome.state === 'untried' || !(outcome.error instanceof InvalidInput)) return undefined;
		items.push({ itemIndex, error: outcome.error });
	}
	return items;
}

interface SyncInput {
	items: readonly SyncWrite[];
	invalid: SyncPlanSource['invalid'];
	/** Columns to add. */
	added: readonly NewField[];
}

async function syncGrid(
	context: ItemsContext,
	{ items, invalid, added }: SyncInput,
	{ grid, exactFields, rows: keyed }: SyncWrite,
): Promise<Array<Result | Error>> {
	const { client, node } = context;
	const { parameter, option, timezone, columnNames, rowWriter } = context.at(0);
	const { fields, keys } = keyed;
	const isDryRun = parameter(dryRun);
	const kind = parameter(rowsNotInInput);
	const writes = option(rowsToWrite);
	const columnsByRule = rulesById(option(columnRules), fields);
	// Conditions are compared exactly, as the service does.
	const scope = scopeOf(context.at(0), exactFields);
	const answerOf = scope && filterReading(scope, exactFields);
	const isInScope = (row: Values) => !answerOf || answerOf(row, true) === 'meets';
	const toSet =
		kind === 'setColumns'
			? valuesToSet(parameter(columnsToSet), fields, { timezone, keys: keys.columns, rules: columnsByRule })
			: {};
	const options = new OptionReader();
	const marks = await options.read(context.at(0), { grid, fields, values: toSet });
	options.showHints(context);
	if (parameter(output) === 'differences') requireOwnedColumn(columnsByRule);
	const names = columnNames(fields);
	const rules: Rules = {
		...{ fields, names, matched: 'update', unmatched: 'create', several: 'all' },
		...{ columns: columnsByRule, keys, marks: marks.values },
	};
	const written = new Set(items.flatMap(({ values }) => Object.keys(values)));
	const plan = await planSync({
		...{ items, invalid, keyed, rules, isInScope, rowsToWrite: writes },
		missing: { kind, values: marks.values },
		reportsDifferences: parameter(output) !== 'changes' && [...columnsByRule.values()].includes('never'),
		needs: comparedColumns({ keys, written, marks: marks.values, scope }),
	});
	plan.totals.check({ ...context, option }, { kind, rows: plan.missing }, isDryRun);
	const run = { isDryRun, hint: context.hint };
	const cleared = option(columnsToClear);
	plan.emptied.refuse({ grid, fields }, { percent: option(emptiedValues), cleared, run });
	const steps = plan.steps.map((step) => ({ ...step, grid }));
	await checkChanges(context, steps, isDryRun);
	const counts = new RunCounts(isDryRun);
	if (!isDryRun) {
		const planned = new RunCounts(true);
		planned.add({ kind: 'unchanged' }, grid, plan.totals.counts.unchanged);
		for (const step of steps) planned.add(step, grid);
		await beginLog(node, { planned, isWhole: true, run: counts });
	}
	// All is checked: the run begins again with the new columns.
	const changed = await addTo({ ...context, parameter }, grid, added);
	if (changed) return await syncItems(context, changed, []);
	const addsOptions = marks.addsOptions || items.some((item) => item.addsOptions);
	const writings = steps.flatMap(({ kind: change, values }) =>
		change === 'delete' ? [] : [{ grid, fields, values, addsOptions }],
	);
	await addMissingOptionsOrThrow(context, writings, isDryRun);
	const shape: SyncShape = {
		...{ names, row: uniform(rowWriter(fields), fields), dryRun: isDryRun, output: parameter(output) },
		invalidItems: new Map(invalid.map(({ itemIndex, error }) => [itemIndex, invalidRow(node, error)])),
		...{ run: counts, nameOf: ({ key }) => keyed.keys.describe(key.values) },
	};
	if (isDryRun) return syncResults(context, plan, undefined, shape);
	keyed.markAbsent(
		steps.flatMap((step) => (step.kind === 'create' ? [step.key] : [])),
		plan.gridRows,
	);
	// Of rows that another run creates meanwhile, Only New keeps those, too.
	const again: Rules = writes === 'onlyNew' ? { ...rules, matched: 'keep' } : rules;
	const find = async (key: RowKey) => await keyed.matchingBeforeCreation(key);
	const outcomes = await carryOut(client, steps, {
		fields,
		create: async (step) => await createInTurn(step, { keyed, rules: again, isInScope, find }),
		inOrder: option(keepOrder) || client.session.limiter.isSequential,
	});
	return await settled(
		context,
		syncResults(context, plan, outcomes, shape),
		{ all: [keyed] },
		{
			doubles: option(duplicatesMadeMeanwhile),
			writesValues: writes !== 'onlyNew',
			mayChange: isInScope,
		},
	);
}
