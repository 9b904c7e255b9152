import {
	type EntitiesQuery,
	type Entity,
	type Field,
	type Filter,
	type Grid,
	InvalidInput,
	type Sorting,
} from '../../../client';
import { hasOneOrder, valueOrder } from '../../shared/rows/equality';
import { columnsIn, looseFilterReading, operatorsIn, type Answer } from '../../shared/rows/filterReading';

/** The error for a service that returned rows that do not meet the conditions. */
export function ignoredConditions(
	{ name }: Grid,
	filter: Filter,
	{ nonMatching, all }: { nonMatching: number; all: number },
): InvalidInput {
	const operators = [...new Set(operatorsIn(filter))].join(', ');
	return new InvalidInput(
		`The service returned ${nonMatching} of ${all} rows of "${name}" that do not meet the conditions (${operators}), so it does not filter as requested; nothing was done with them`,
		'Use "Equals", which every service supports, or read all rows with Get Many and filter them in a later node.',
	);
}

/** Checks the rows of a list against the conditions of its query. */
export class ConditionsCheck {
	private readonly answerOf: (row: Entity) => Answer;
	private readonly filter: Filter;
	/** IDs of columns in the conditions that no row has contained yet. A view may hide them. */
	private readonly unseen: Set<string>;
	private all = 0;
	private nonMatching = 0;

	constructor(
		private readonly grid: Grid,
		fields: readonly Field[],
		{ filter = {}, viewId }: Pick<EntitiesQuery, 'filter' | 'viewId'>,
	) {
		this.filter = filter;
		this.answerOf = looseFilterReading(filter, fields);
		this.unseen = new Set(viewId === undefined ? [] : columnsIn(filter));
	}

	/** Takes a row of the list. */
	see(entity: Entity): void {
		for (const id of this.unseen) if (Object.hasOwn(entity, id)) this.unseen.delete(id);
		this.all += 1;
		if (this.answerOf(entity) === 'fails') this.nonMatching += 1;
	}

	/** @throws InvalidInput if a row did not meet the conditions, as far as its columns show */
	end(): void {
		const { all, nonMatching } = this;
		if (nonMatching > 0 && this.unseen.size === 0)
			throw ignoredConditions(this.grid, this.filter, { all, nonMatching });
	}
}

/** The first column that rows are sorted by, if its values show whether they are sorted. */
export function firstSortedColumn(fields: readonly Field[], sorting: Sorting = {}): Field | undefined {
	const [id] = Object.keys(sorting);
	return fields.find((field) => field.id === id && hasOneOrder(field));
}

/**
 * Whether a list is not in the requested order: §2.8 documents `ascending` only, so a service may
 * ignore other orders. The position of empty cells is not specified.
 * @param values of the column, in the order of the list
 */
export function ignoresSorting(column: Field, sorting: Sorting = {}, values: readonly unknown[]): boolean {
	const direction = sorting[column.id]?.$order;
	if (direction !== 'ascending' && direction !== 'descending') return false;
	const filledCells = values.filter((value) => value !== null && value !== undefined);
	return filledCells.some((value, at) => {
		const order = at === 0 ? 0 : (valueOrder(column, filledCells[at - 1], value) ?? 0);
		return direction === 'ascending' ? order > 0 : order < 0;
	});
}
