import { type Field, type Filter, type Grid, InvalidInput, isWritable, type Values } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { columnsToClear, optionGroup } from '../../shared/inputs/options';
import {
	numberInput,
	type Parameter,
	type ReadParameter,
	rowsInput,
	shownFor,
} from '../../shared/inputs/parameter';
import {
	columnAndValue,
	columnValue,
	conditionsOption,
	filterOfAll,
} from '../../shared/inputs/selection/conditions';
import { ColumnNames, requireOnce } from '../../shared/rows/columnNames';
import { filterReading } from '../../shared/rows/filterReading';
import { toServiceValue } from '../../shared/rows/values';
import type { GridColumns } from '../../shared/rows/viewFit';
import type { ItemContext } from '../../shared/runner/context';
import { stopAt } from './changeLimits';
import type { ColumnRules } from './columnRules';
import { EmptiedValues } from './emptiedValues';
import { findRows } from '../keys/findRows';
import type { RowKey } from '../keys/keyColumns';
import { invalidRows } from './invalidRows';
import { log, logTo } from './runLog';
import type { RowChange, Unwritten } from './steps';

const missingChoices = {
	keep: { name: 'Keep', description: 'They stay as they are' },
	delete: {
		name: 'Delete',
		description: 'If that would delete more than 20 % of the rows, nothing is written',
	},
};

/** What Sync does with rows whose key is not in the input. */
export const rowsNotInInput = choice(
	'rowsNotInInput',
	'Rows Not in the Input',
	{
		...missingChoices,
		setColumns: { name: 'Set Columns', description: 'Write values that mark them, e.g. Active = no' },
	},
	{
		default: 'keep',
		description:
			'What to do with rows of the grid whose key no item has. Delete and Set Columns change at most 20 % of the rows; Limits → Deletion Limit (%) changes that.',
	},
);

/** The same for a file. */
export const rowsNotInFile = choice('rowsNotInInput', 'Rows Not in the File', missingChoices, {
	default: 'keep',
	description:
		'What to do with rows of the grid whose key no line has. Delete deletes at most 20 % of the rows; Limits → Deletion Limit (%) changes that.',
});

/** The values that mark rows which are not in the input. */
export const columnsToSet = shownFor(
	rowsInput(
		{
			displayName: 'Columns to Set',
			name: 'columnsToSet',
			placeholder: 'Add column',
			description:
				'The values to write to rows that are not in the input. When a row is in the input again, a column that still has its value here is written from the input or cleared.',
		},
		{
			displayName: 'Column',
			name: 'set',
			values: columnAndValue({
				placeholder: 'e.g. retired, 2026-12-31 or no',
				description: 'The value to write, of the type of the column',
			}),
		},
		columnValue,
	),
	{ rowsNotInInput: ['setColumns'] },
);

/** Values to set, by field id. @throws InvalidInput if there are none or one is not writable */
export function valuesToSet(
	given: ReadonlyArray<{ column: string; value?: unknown }>,
	fields: readonly Field[],
	{ timezone, keys, rules }: { timezone: string; keys: readonly Field[]; rules: ColumnRules },
): Values {
	const where = columnsToSet.property.displayName;
	if (given.length === 0)
		throw new InvalidInput(
			`"${where}" is empty`,
			'Add the columns that mark rows which are not in the input, e.g. Active with the value no.',
		);
	const columns = given.map(({ column }) => ColumnNames.of(fields).get(column, where));
	requireOnce(columns, where);
	for (const field of columns) {
		const because = keys.some(({ id }) => id === field.id)
			? 'it is a key column, so all these rows would get one key'
			: !isWritable(field)
				? 'the service computes its values'
				: rules.has(field.id)
					? 'its rule in "Column Rules" would keep the mark when a row is in the input again'
					: undefined;
		if (because !== undefined)
			throw new InvalidInput(
				`"${where}" cannot contain the column "${field.name}": ${because}`,
				'Choose another column that marks the rows, e.g. Active with the value no.',
			);
	}
	return Object.fromEntries(
		columns.map((field, at) => [field.id, toServiceValue(field, given[at]?.value ?? null, timezone)]),
	);
}

/** Which rows of the grid the input concerns. */
export const onlyRowsWhere = conditionsOption({
	displayName: 'Only Rows Where',
	name: 'onlyRowsWhere',
	description:
		'The rows of the grid to compare with the input: those that meet all of these conditions, e.g. Source = Shop. Rows outside are neither changed nor deleted. Add it when several sources feed one grid; without it, the whole grid is compared.',
});

/** The rows to compare with: the conditions as a filter, and exactly as the service compares. */
export interface Scope {
	scope: Filter | undefined;
	isInScope: (row: Values) => boolean;
}

/** @throws InvalidInput */
export function scopeOf(
	{ option, timezone }: Pick<ItemContext, 'option' | 'timezone'>,
	fields: readonly Field[],
): Scope {
	const where = onlyRowsWhere.property.displayName;
	const scope = filterOfAll(option(onlyRowsWhere), { fields, timezone, where });
	const answerOf = scope && filterReading(scope, fields);
	return { scope, isInScope: (row) => !answerOf || answerOf(row, true) === 'meets' };
}

/** Shown before a run that deletes. */
export const deletesOthers = {
	type: 'danger' as const,
	when: '$parameter.rowsNotInInput === "delete" && !$parameter.dryRun',
	message:
		'Other rows will be deleted: this run deletes every row whose key is not in the input. Switch on "Dry Run" to see them first.',
};

export const rowsToWrite = choice(
	'rowsToWrite',
	'Rows to Write',
	{
		newAndChanged: {
			name: 'New and Changed',
			description: 'Create missing rows and update those that differ',
		},
		onlyChanged: { name: 'Only Changed', description: 'Create no rows' },
		onlyNew: { name: 'Only New', description: 'Update no rows' },
	},
	{
		default: 'newAndChanged',
		description: 'Which rows of the input to write; a hint says how many were left out',
	},
);
export type RowsToWrite = 'newAndChanged' | 'onlyChanged' | 'onlyNew';

export const deletionLimit = numberInput({
	displayName: 'Deletion Limit (%)',
	name: 'deletionLimit',
	typeOptions: { minValue: 0, maxValue: 100 },
	default: 20,
	description:
		'Maximum share of the rows that one run may delete, or mark by Set Columns. If it would be more, nothing is written. Protects against an empty or broken source.',
});

/** Maximum number of rows of a grid that can be read (docs/bulk.md). */
const MAX_ROWS = 10_000_000;

const rowLimit = (displayName: string, name: string, verb: string) =>
	numberInput({
		displayName,
		name,
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: MAX_ROWS,
		description: `Maximum number of rows to ${verb} in one run. If there are more, nothing is written.`,
	});
export const creationLimit = rowLimit('Creation Limit', 'creationLimit', 'create');
export const updateLimit = rowLimit('Update Limit', 'updateLimit', 'update');

/** What stops a run before its first write. */
export const limits = (...members: Array<Parameter<number>>) =>
	optionGroup(
		{
			displayName: 'Limits',
			name: 'limits',
			description: 'How much one run may change. If it would be more, nothing is written.',
		},
		...members,
	);

/** How rows are written. */
export const writing = (...members: ReadonlyArray<Parameter<unknown>>) =>
	optionGroup(
		{
			displayName: 'Writing Rows',
			name: 'writing',
			description: 'Which rows are written, in which order, and where the run is logged',
		},
		...members,
		logTo,
		log,
	);

/**
 * @param changes numbers of rows to create and to update
 * @param source what the rows come from
 * @throws InvalidInput if the plan exceeds a limit, unless it is a dry run
 */
export function refuseOverLimits(
	item: ItemContext,
	{ name }: Grid,
	changes: { create: number; update: number },
	source: 'input' | 'file' = 'input',
): void {
	const limited = [
		{ rows: changes.create, participle: 'created', limit: creationLimit },
		{ rows: changes.update, participle: 'updated', limit: updateLimit },
	];
	for (const { rows, participle, limit } of limited) {
		const most = item.option(limit);
		if (rows <= most) continue;
		const excess = new InvalidInput(
			`${rows === 1 ? '1 row' : `${rows} rows`} of "${name}" would be ${participle}, which is more than ${most}`,
			`Check the ${source} and its key columns, or raise "${limit.property.displayName}" under Options → Limits.`,
		);
		stopAt(excess, item);
	}
}

/** What the items of a run would write to a grid. */
interface PlannedGrid {
	fields: readonly Field[];
	create: Set<string>;
	update: Set<string>;
	emptied: EmptiedValues;
}

/** What the items of a run would write, for its limits. */
export class PlannedRows {
	private readonly byGrid = new Map<Grid, PlannedGrid>();

	/** Adds an item. Items that share the key of a missing row create one row. */
	add(
		{ grid, fields, key, values }: GridColumns & { key: RowKey; values: Values },
		steps: ReadonlyArray<RowChange | Unwritten>,
	): void {
		const before = this.byGrid.get(grid);
		const rows = before ?? { fields, create: new Set(), update: new Set(), emptied: new EmptiedValues() };
		if (!before) this.byGrid.set(grid, rows);
		for (const { kind, entity, values: written } of steps) {
			if (kind === 'create' || kind === 'update') rows[kind].add(entity?._id ?? key.text);
			if (kind === 'update' || kind === 'unchanged') rows.emptied.add(values, entity, written);
		}
	}

	/** @throws InvalidInput if a grid would get more changes than a limit allows */
	refuse(item: ItemContext, emptiedLimit: Parameter<number>): void {
		for (const [grid, { fields, create, update, emptied }] of this.byGrid) {
			refuseOverLimits(item, grid, { create: create.size, update: update.size });
			emptied.refuse(item, { grid, fields }, emptiedLimit, item.option(columnsToClear));
		}
	}
}

/** One by One has no whole plan, which limits need. @throws InvalidInput if one is set */
export function refuseLimitsOneByOne(read: ReadParameter, members: ReadonlyArray<Parameter<number>>): void {
	const limit = members.find((member) => read(member) !== member.property.default);
	if (!limit || read(findRows) !== 'oneByOne') return;
	const { displayName } = limit.property;
	throw new InvalidInput(
		`"${displayName}" cannot be checked if rows are found one by one, right before each write`,
		`Choose another value of "${findRows.property.displayName}", or remove "${displayName}".`,
	);
}

/** What happens to rows of the input that cannot be written. */
export const faultyRows = (rowsWithoutKey: Parameter<unknown>) =>
	optionGroup(
		{
			displayName: 'Invalid Rows',
			name: 'invalid',
			description: 'What to do with rows of the input that cannot be written',
		},
		invalidRows,
		rowsWithoutKey,
	);

/** @param source what the key belongs to, such as `an item` or `a line` */
export function rowsWithoutKeyOf(source: string) {
	const [, noun = source] = source.split(' ');
	return choice(
		'rowsWithoutKey',
		'Rows Without Key',
		{
			fail: { name: 'Fail', description: `Nothing is written, and the error names the ${noun}` },
			skip: { name: 'Skip', description: `The ${noun} is skipped; a hint shows how many were` },
		},
		{
			default: 'skip',
			description: `What to do with ${source} that has no value in a key column, such as an empty line of a file. A row of the grid whose ${noun} has lost its key counts as a row that is not there.`,
		},
	);
}
