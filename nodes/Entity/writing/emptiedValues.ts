import { InvalidInput, ownMember, type Values } from '../../../client';
import { columnsToClear } from '../../shared/inputs/options';
import { numberInput, type Parameter } from '../../shared/inputs/parameter';
import { ColumnNames } from '../../shared/rows/columnNames';
import { isEmptyCell } from '../../shared/rows/values';
import type { GridColumns } from '../../shared/rows/viewFit';
import type { ItemContext } from '../../shared/runner/context';
import { stopAt } from './changeLimits';

/** Fewer values are no pattern. */
const MIN_FILLED = 20;

/** Protects against a source that no longer sends a column. @param share default, in percent */
export const emptiedValuesLimit = (share: number) =>
	numberInput({
		displayName: 'Emptied Values (%)',
		name: 'emptiedValues',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: share,
		description:
			'Maximum share of the values of a column that one run may empty, of those in the rows that it compares, if these are at least 20. If it would be more, nothing is written. Protects against a source that no longer sends a column; Columns to Clear are exempt.',
	});

/** Counts the values of each column that a run compares, and those that it would empty. */
export class EmptiedValues {
	private readonly columns = new Map<string, { filled: number; emptied: number }>();

	/**
	 * @param input of a row that exists
	 * @param held what the row holds
	 * @param written the values of the input that differ
	 */
	add(input: Values, held: Values, written: Values): void {
		for (const id of Object.keys(input)) {
			if (isEmptyCell(ownMember(held, id))) continue;
			const column = this.columns.get(id) ?? { filled: 0, emptied: 0 };
			column.filled++;
			if (Object.hasOwn(written, id) && isEmptyCell(written[id])) column.emptied++;
			this.columns.set(id, column);
		}
	}

	/**
	 * @param limit the share, in percent
	 * @param cleared columns that are to be emptied
	 * @throws InvalidInput naming the first column of which more than the share would be emptied
	 */
	refuse(
		item: ItemContext,
		{ grid, fields }: GridColumns,
		limit: Parameter<number>,
		cleared: readonly string[] = [],
	): void {
		const percent = item.option(limit);
		const { displayName } = columnsToClear.property;
		const names = ColumnNames.of(fields);
		const exempt = new Set(cleared.map((name) => names.get(name, displayName).id));
		for (const { id, name } of fields) {
			const { filled, emptied } = this.columns.get(id) ?? { filled: 0, emptied: 0 };
			if (filled < MIN_FILLED || exempt.has(id) || (emptied * 100) / filled <= percent) continue;
			const excess = new InvalidInput(
				`${emptied} of the ${filled} values of "${name}" in "${grid.name}" would be emptied, which is more than ${percent} %`,
				`Check that the source still sends the column. To empty it, raise "Emptied Values (%)" under Options → Limits, or choose it in "${displayName}" where that is an option.`,
			);
			stopAt(excess, item);
		}
	}
}
