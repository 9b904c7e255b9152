import {
	type Field,
	type Filter,
	filterOf,
	type Grid,
	InvalidInput,
	isJsonObject,
	sortingOf,
} from '../../../client';
import type { ShowHint } from '../display/hints';
import { valueText } from '../display/shownText';
import { quotedList, unknownOptions } from './columnOptions';
import { typeLabel, type ValueType } from './columnTypes';
import { tryServiceValue } from './values';
import { valueRulesOf } from './valueTypes';

/** What of a filter does not fit the columns of its grid. */
interface Unfit {
	problems: readonly string[];
	/** Whether no row can meet the filter therefore. */
	isEmpty: boolean;
}

const FITS: Unfit = { problems: [], isEmpty: false };
const CURE =
	'Repair the view with the operation Update of the resource View: enter new conditions or a new sort order, or switch on "Remove Filter". Or restore the column or option.';

/** A grid with its columns. */
export interface GridColumns {
	grid: Grid;
	/** Of the grid. */
	fields: readonly Field[];
}

/**
 * Checks that the filter and sorting of a view (§2.8) fit the columns of its grid (§2.5): a column
 * or option may be gone, or have another type. A service would return no rows without a word.
 * @param hint called if some rows can be read all the same; if omitted, any problem is an error
 * @throws InvalidInput
 */
export function requireFit(view: Grid, { grid, fields }: GridColumns, hint?: ShowHint): void {
	const misfit = misfitOf(view, grid, fields);
	if (misfit && (misfit.isEmpty || !hint)) throw new InvalidInput(misfit.message, CURE);
	if (hint) showMisfit(view, { grid, fields }, hint);
}

/** The same for those who look at the view itself: shows any problem as a hint. */
export function showMisfit(view: Grid, { grid, fields }: GridColumns, hint: ShowHint): void {
	const misfit = misfitOf(view, grid, fields);
	if (misfit) hint(`${misfit.message}. Rows may be missing. ${CURE}`, 'warning');
	const gone = view === grid ? [] : goneColumns(Object.keys(sortingOf(view) ?? {}), fields);
	if (gone.length > 0)
		hint(
			`The view "${view.name}" is sorted by a column that the grid no longer has (${quotedList(gone)}), so its rows come in another order. ${CURE}`,
			'warning',
		);
}

function misfitOf(view: Grid, grid: Grid, fields: readonly Field[]) {
	// Of a view that was chosen like a grid, the hidden columns are not known.
	const { problems, isEmpty } = fitOf(filterOf(view) ?? {}, { fields, isWhole: view !== grid });
	if (problems.length === 0) return undefined;
	const message = `The filter of the view "${view.name}" no longer fits the columns of its grid: ${[...new Set(problems)].join('; ')}`;
	return { message, isEmpty };
}

/** The ids that no column has. */
export const goneColumns = (ids: readonly string[], fields: readonly Field[]): string[] =>
	ids.filter((id) => !fields.some((field) => field.id === id));

interface Columns {
	fields: readonly Field[];
	/** Whether these are all columns of the grid. */
	isWhole: boolean;
}

function fitOf(filter: Filter, columns: Columns): Unfit {
	return all(Object.entries(filter).map(([name, condition]) => memberFit(name, condition, columns)));
}

const all = (parts: readonly Unfit[]): Unfit => ({
	problems: parts.flatMap(({ problems }) => problems),
	isEmpty: parts.some(({ isEmpty }) => isEmpty),
});

function memberFit(name: string, condition: unknown, columns: Columns): Unfit {
	const parts = () => [condition].flat().filter(isJsonObject).map((part) => fitOf(part, columns)); // prettier-ignore
	if (name === '$and') return all(parts());
	if (name === '$or') {
		const alternatives = parts();
		const isEmpty = alternatives.length > 0 && alternatives.every((one) => one.isEmpty);
		return { ...all(alternatives), isEmpty };
	}
	if (name === '$not') {
		const { problems } = all(parts());
		return { problems, isEmpty: problems.length > 0 };
	}
	if (name.startsWith('$')) return FITS;
	const field = columns.fields.find(({ id }) => id === name);
	if (!field && columns.isWhole)
		return { problems: [`it names a column that no longer exists ("${name}")`], isEmpty: true };
	if (!field || !isJsonObject(condition)) return FITS;
	return all(Object.entries(condition).map((comparison) => comparisonFit(field, ...comparison)));
}

const ORDERS = new Set(['$gt', '$gte', '$lt', '$lte']);

function comparisonFit(field: Field, operator: string, operand: unknown): Unfit {
	const isOrder = ORDERS.has(operator);
	if (!isOrder && operator !== '$eq' && operator !== '$ne' && operator !== '$in') return FITS;
	const values = operator === '$in' && Array.isArray(operand) ? operand : [operand];
	const reasons = values.map((value) => misfit(field, value, isOrder));
	const problems = reasons.filter((reason) => reason !== undefined);
	return { problems, isEmpty: values.length > 0 && problems.length === values.length };
}

/** Why a column has no such value; undefined if it may. */
function misfit(field: Field, value: unknown, isOrder: boolean): string | undefined {
	if (value === null) return undefined;
	const { type, name } = field;
	const { hasOptions, members, order } = valueRulesOf(field);
	if (hasOptions && type.options) {
		const unknown = unknownOptions(field, [value].flat().map(textOfOption));
		return unknown.length > 0 ? `"${name}" has no option ${quotedList(unknown)}` : undefined;
	}
	const isLink = members.includes('uri') || members.includes('href');
	if (isLink && leadsNowhere(value)) return `a condition on "${name}" links to no row`;
	const isOfType = isOrder ? ORDERED[order](value) : tryServiceValue(field, value);
	return isOfType
		? undefined
		: `"${name}" has the type ${typeLabel(type.name)} and cannot be compared with ${valueText(value)}`;
}

const textOfOption = (option: unknown): unknown => (isJsonObject(option) ? option['value'] : option);

/** Whether a link was cleared, as in the copy of a space without rows. */
const leadsNowhere = (value: unknown): boolean =>
	value === '' ||
	(Array.isArray(value) && value.some(leadsNowhere)) ||
	(isJsonObject(value) && (value['uri'] === '' || value['href'] === ''));

type Check = (value: unknown) => boolean;

/** Which values have an order: those in the form of their type, which is what rows hold (§2.5). */
const ORDERED: Readonly<Record<ValueType['order'], Check>> = {
	number: (value) => typeof value === 'number',
	text: (value) => typeof value === 'string',
	date: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
	'date-time': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]/i.test(value),
	boolean: () => true,
	none: () => true,
};
