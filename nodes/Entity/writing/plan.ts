import { type Entity, type Filter, InvalidInput, ownMember, type Values } from '../../../client';
import type { ComparedField } from '../../shared/rows/equality';
import { columnsIn } from '../../shared/rows/filterReading';
import { isBlank, isEmptyCell } from '../../shared/rows/values';
import type { KeyColumns, RowKey } from '../keys/keyColumns';
import type { ColumnRules } from './columnRules';
import { differing } from './differences';
import { conflictsOf, type ExpectedValue } from './expectedValues';
import type { EntityChange, RowChange, Unwritten } from './steps';

/** A row of the input, as far as its plan depends on it. */
export interface InputRow {
	/** By field id. */
	values: Values;
	/** Undefined if it was not found by its key. */
	key?: RowKey | undefined;
	/** What the matching row must still hold. */
	expected?: readonly ExpectedValue[] | undefined;
	/** Plans a row of the input that is no row of values, such as one of an undo. */
	plan?: (matches: readonly Entity[]) => Array<RowChange | Unwritten>;
}

/** Refuses an input row, with this advice. */
interface Refusal {
	advice: string;
}

/** What the options of an operation make of an input row and the rows that it matches. */
export interface Rules {
	/** All columns of the grid, with the rules of "Compare As". */
	fields: readonly ComparedField[];
	/** Output names of the columns, by id. */
	names: ReadonlyMap<string, string>;
	/** What happens to a matching row; `keep` writes nothing to it. */
	matched: 'update' | 'delete' | 'keep';
	/** What happens if no row matches; `skip` if omitted. */
	unmatched?: 'create' | 'skip' | Refusal;
	/** What happens if several rows match; `all` if omitted. */
	several?: 'all' | 'first' | Refusal;
	/** By field id; columns without a rule are always written. */
	columns?: ColumnRules | undefined;
	/** Describes keys in messages. */
	keys?: KeyColumns | undefined;
	/** Values that mark rows which are not in the input, cleared when a row returns. */
	marks?: Values;
	/** Whether an empty text equals no value. */
	emptyIsNone?: boolean;
}

/**
 * The changes of one input row, without sending anything: the same for a dry run and before a
 * write.
 * @param matches the rows of the grid that it concerns, as preceding input rows leave them
 * @throws InvalidInput if the rules refuse the number of matching rows
 */
export function planRow(
	row: InputRow,
	matches: readonly Entity[],
	rules: Rules,
): Array<RowChange | Unwritten> {
	if (row.plan) return row.plan(matches);
	const { unmatched, several, keys } = rules;
	const { key, values } = row;
	const [first] = matches;
	if (!first && unmatched === 'create') return [{ kind: 'create', values }];
	if (!first) {
		const reason = `No row has ${key && keys ? keys.describe(key.values) : 'its ID'}`;
		if (typeof unmatched === 'object') throw new InvalidInput(reason, unmatched.advice);
		return [{ kind: 'notFound', entity: undefined, values, reasons: [reason] }];
	}
	if (matches.length > 1 && typeof several === 'object')
		throw new InvalidInput(
			`${matches.length} rows have ${key && keys ? keys.describeRows(key, matches) : ''}`,
			several.advice,
		);
	return (several === 'first' ? [first] : matches).map((entity) => {
		const reasons = row.expected ? conflictsOf(row.expected, rules, entity) : [];
		if (reasons.length > 0) return { kind: 'conflict', entity, values: {}, reasons };
		return changeOf(row, entity, rules);
	});
}

/** The change to one matching row that holds what is expected of it. */
export function changeOf(row: InputRow, entity: Entity, rules: Rules): EntityChange {
	const { fields, matched, marks, emptyIsNone } = rules;
	if (matched === 'delete') return { kind: 'delete', entity, values: {} };
	if (matched === 'keep') return { kind: 'unchanged', entity, values: {} };
	const written = writtenValues(row.values, entity, rules);
	const all = marks ? { ...written, ...returningMarks(row.values, entity, marks, fields) } : written;
	return updateOf(fields, entity, all, emptyIsNone);
}

/** An update with only the values that differ. */
export function updateOf(
	fields: readonly ComparedField[],
	entity: Entity,
	values: Values,
	emptyIsNone = false,
): EntityChange {
	const changed = differing(fields, entity, values, emptyIsNone);
	return { kind: Object.keys(changed).length > 0 ? 'update' : 'unchanged', entity, values: changed };
}

/** The values of an input row that "Column Rules" let it write to a row that exists. */
function writtenValues(values: Values, entity: Entity, { columns }: Rules): Values {
	if (!columns || columns.size === 0) return values;
	return Object.fromEntries(
		Object.entries(values).filter(([id, value]) => {
			const rule = columns.get(id);
			if (rule === 'ifEmpty') return isEmptyCell(ownMember(entity, id));
			if (rule === 'ifValue')
				return !isEmptyCell(value) && !(typeof value === 'string' && isBlank(value.trim()));
			return rule !== 'never';
		}),
	);
}

/** Marks that a row still has although it is in the input, as null. */
function returningMarks(values: Values, entity: Entity, marks: Values, fields: readonly ComparedField[]) {
	const held = Object.entries(marks).filter(
		([id, mark]) =>
			!Object.hasOwn(values, id) && Object.keys(differing(fields, entity, { [id]: mark })).length === 0,
	);
	return Object.fromEntries(held.map(([id]) => [id, null]));
}

/** The values of an input row that differ where the grid owns the column. */
export function unwrittenValues({ values }: InputRow, entity: Entity, rules: Rules): Values {
	const owned = Object.entries(values).filter(([id]) => rules.columns?.get(id) === 'never');
	return differing(rules.fields, entity, Object.fromEntries(owned), rules.emptyIsNone);
}

/**
 * The ids of the columns whose stored values plan and report compare: a list may leave out columns
 * (§2.1), so these are read for certain.
 * @param written ids of the columns that the input writes
 */
export function comparedColumns({
	keys,
	written,
	marks = {},
	scope = {},
}: {
	keys: KeyColumns;
	written: Iterable<string>;
	marks?: Values;
	scope?: Filter | undefined;
}): string[] {
	const ids = [...keys.ids, ...columnsIn(scope), ...Object.keys(marks), ...written];
	return [...new Set(ids)];
}
