import { type NewField, ownMember } from '../../../client';
import { openGridWithFields, type ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { columnMapper, columnMappers } from '../../shared/inputs/columns/columnMapper';
import { formats } from '../../shared/inputs/formats';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import { columnNaming } from '../../shared/inputs/output/outputOptions';
import type { ItemsContext, Result } from '../../shared/runner/context';
import { choice } from '../../shared/inputs/choice';
import { columnsToClear, keepOrder, dryRun } from '../../shared/inputs/options';
import { compareAs } from '../keys/compareAs';
import type { RowKey } from '../keys/keyColumns';
import { duplicatesMadeMeanwhile, settled } from '../writing/settling';
import { addMissingOptionsOrThrow, OptionReader, unknownOptions } from '../writing/unknownOptions';
import { WriteReader } from '../writing/write';
import { carryOut, createInTurn } from '../writing/carryOut';
import { checkPermissions } from '../writing/checks';
import { RunCounts } from '../writing/runCounts';
import { beginRun, writeOperation } from '../writing/runLog';
import { columnRules, requireOwnedColumn, rulesById } from '../writing/columnRules';
import { emptiedValuesLimit } from '../writing/emptiedValues';
import { addTo, missing, missingIn, newKeyColumns, withColumns } from '../writing/missingColumns';
import type { Rules } from '../writing/plan';
import { readSyncItems } from '../writing/syncItems';
import { planSync, type SyncPlan } from '../writing/syncPlan';
import { syncResults, type SyncShape, uniformRow } from '../writing/syncReport';
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
	fields: [...columnMappers(columns), rowsNotInInput, columnsToSet, output],
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

/** @param added columns that `chosen` has and the grid lacks */
async function syncItems(
	context: ItemsContext,
	chosen: ChosenGrid,
	added: readonly NewField[],
): Promise<Array<Result | Error>> {
	const reader = new WriteReader(context, columns, false, formats);
	reader.assume(context.at(0), chosen);
	const read = await readSyncItems(context, reader, ({ option: of }) => of(rowsWithoutKey) === 'skip');
	if (Array.isArray(read)) return read;
	const { first, items, invalid } = read;
	const { grid, exactFields, rows: keyed } = first;
	const { client } = context;
	const { parameter, option, timezone, columnNames, rowWriter } = context.at(0);
	const { fields, keys } = keyed;
	const isDryRun = parameter(dryRun);
	const kind = parameter(rowsNotInInput);
	const writes = option(rowsToWrite);
	const columnsByRule = rulesById(option(columnRules), fields);
	const scope = scopeOf(context.at(0), exactFields);
	const { isInScope } = scope;
	const where = { timezone, keys: keys.columns, rules: columnsByRule };
	const toSet = kind === 'setColumns' ? valuesToSet(parameter(columnsToSet), fields, where) : {};
	const options = new OptionReader();
	const marks = await options.read(context.at(0), { grid, fields, values: toSet });
	options.showHints(context);
	if (parameter(output) === 'differences') requireOwnedColumn(columnsByRule);
	const names = columnNames(fields);
	const rules: Rules = {
		...{ fields, names, matched: 'update', unmatched: 'create' },
		...{ columns: columnsByRule, keys, marks: marks.values },
	};
	const plan = await planSync({
		...{ items, invalid, keyed, rules, ...scope, rowsToWrite: writes, deletesOthers: kind === 'delete' },
		reportsDifferences: parameter(output) !== 'changes' && [...columnsByRule.values()].includes('never'),
	});
	const missingRows = { kind, rows: plan.missing };
	plan.totals.check(context.at(0), missingRows, emptiedValues, option(columnsToClear));
	const steps = plan.steps.map((step) => ({ ...step, grid }));
	await checkPermissions(client, steps);
	const counts = new RunCounts(isDryRun);
	if (!isDryRun) await beginRun(context.at(0), { planned: plan.totals.planned(missingRows), run: counts });
	// All is checked: the run begins again with the new columns.
	const changed = await addTo({ ...context, parameter }, grid, added);
	if (changed) return await syncItems(context, changed, []);
	const addsOptions = marks.addsOptions || items.some((item) => item.addsOptions);
	const writings = steps.flatMap(({ kind: change, values }) =>
		change === 'delete' ? [] : [{ grid, fields, values, addsOptions }],
	);
	await addMissingOptionsOrThrow(context, writings, isDryRun);
	const shape: SyncShape = {
		...{ names, row: uniformRow(rowWriter(fields), fields), output: parameter(output) },
		...{ invalid, run: counts, keys },
	};
	if (isDryRun) return syncResults(context, plan, undefined, shape);
	const missingKeys = steps.flatMap((step) => (step.kind === 'create' ? [step.key] : []));
	keyed.markAbsent(missingKeys, plan.gridRows);
	// Of rows that another run creates meanwhile, Only New keeps those, too.
	const again: Rules = writes === 'onlyNew' ? { ...rules, matched: 'keep' } : rules;
	const find = async (key: RowKey) => await keyed.matchingBeforeCreation(key);
	const create = async (step: SyncPlan['steps'][number]) =>
		await createInTurn(step, { keyed, rules: again, isInScope, find });
	const inOrder = option(keepOrder) || client.session.limiter.isSequential;
	const outcomes = await carryOut(keyed, plan.steps, create, inOrder);
	const results = syncResults(context, plan, outcomes, shape);
	const settling = { writesValues: writes !== 'onlyNew', mayChange: isInScope };
	return await settled(context, results, { all: [keyed] }, settling);
}
