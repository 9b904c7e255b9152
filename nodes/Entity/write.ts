import type { Client } from '../../client';
import type { Entity, Layout, Values } from '../../client/resources/entities';
import { Forbidden, type CreatedUnlocated, type OutcomeUnknown } from '../../client/errors';
import type { Field } from '../../client/resources/fields';
import type { Grid } from '../../client/resources/grids';
import { outcomeOf } from '../../client/http/limiter';
import type { BulkItem } from '../shared/runner/bulk';
import { chosenGrid, chosenReference, type ChosenGrid } from '../shared/inputs/chosenGrid';
import { valuesOf, type Mapping } from '../shared/inputs/columnMapper';
import { refuseEmpty } from '../shared/inputs/emptyRow';
import { unreadColumns } from './unreadColumns';
import type { rowWriter } from '../shared/rows/output';
import type { ItemsContext } from '../shared/runner/operation';
import type { Parameter } from '../shared/inputs/parameter';

/** What one item is to write. */
export interface Write {
	grid: Grid;
	fields: Field[];
	mapping: Mapping;
	/** By what the layout says. */
	values: Values;
	/** §2.7: `field`, unless the columns may not be read. */
	layout: Layout;
	/** Members of the input that no column answers to. */
	unknown: string[];
}

/**
 * Reads what an item is to write, and remembers which members of the input found no column, to say it once; and which columns
 * an expression gave nothing for.
 * @param columns the operation's column mapper
 * @param unreadable whether it goes on where the grid may not be read (role creator, §5): then with the columns that the editor knew and
 * the names that the item gives, as keys or ids
 */
export class WriteReader {
	private readonly unplaced = new Map<string, Set<string>>();
	private readonly holes = new Set<string>();

	private readonly unread = new Map<string, Grid>();

	constructor(
		private readonly columns: Parameter<Mapping>,
		private readonly unreadable = false,
	) {}

	/** @param clear columns to write null to @throws InvalidInput where a value does not fit its column, or a column is gone */
	async read(source: BulkItem, clear: readonly string[] = []): Promise<Write> {
		const { item, parameter, timezone } = source;
		const mapping = parameter(this.columns);
		const { grid, fields, layout } = await this.gridOf(source, mapping);
		const { values, unknown, holes } = valuesOf({ mapping, input: item.json, fields, clear, timezone });
		if (unknown.length > 0) {
			const names = this.unplaced.get(grid.name) ?? new Set();
			for (const name of unknown) names.add(name);
			this.unplaced.set(grid.name, names);
		}
		for (const name of holes) this.holes.add(name);
		return { grid, fields, mapping, values, layout, unknown };
	}

	private async gridOf(
		{ client, item, parameter }: BulkItem,
		mapping: Mapping,
	): Promise<ChosenGrid & { layout: Layout }> {
		const { spaceId, gridId } = chosenReference(parameter);
		const key = JSON.stringify([spaceId, gridId]);
		const blind = (grid: Grid) => {
			this.unread.set(key, grid);
			return { grid, fields: unreadColumns(mapping, item.json), layout: 'keyAndField' as const };
		};
		const known = this.unread.get(key);
		if (known) return blind(known);
		const outcome = await outcomeOf(chosenGrid(client, parameter));
		if (outcome.state === 'done') return { ...outcome.value, layout: 'field' };
		// Without the space, a grid that cannot be read has no address either.
		if (!this.unreadable || spaceId === undefined || !(outcome.error instanceof Forbidden))
			throw outcome.error;
		return blind(await client.grids.unread({ spaceId, gridId }));
	}

	/** Says what of the input was not written. */
	tell({ hint }: Pick<ItemsContext, 'hint'>): void {
		for (const [gridName, names] of this.unplaced)
			hint(`Not written, because "${gridName}" has no such column: ${[...names].join(', ')}`);
		if (this.holes.size > 0)
			hint(
				`Left out in some items, because the expression yields nothing there (undefined): ${[...this.holes].join(', ')}`,
			);
	}
}

/** Makes sure that an item has a value for a column, if there are any. @throws InvalidInput */
export function refuseNothing({ grid, fields, values, unknown }: Write, hint?: string): void {
	const where = 'Columns';
	if (fields.length > 0 || unknown.length > 0)
		refuseEmpty({ values, unknown, where, owner: `the grid "${grid.name}"` }, hint);
}

/** The row of output for a creation of which only the outcome is known, if that. */
export function unlocatedRow(
	{ row, values }: { row: ReturnType<typeof rowWriter>; values: Values },
	{ outcome, message }: OutcomeUnknown | CreatedUnlocated,
): object {
	return { ...row({ ...values, _id: '' }), _id: null, _outcome: outcome, _error: message };
}

/** The row of output for a creation of which this identity is told the address only (§5, role creator). */
export function addressedRow(
	{ row, values }: { row: ReturnType<typeof rowWriter>; values: Values },
	href: string,
): object {
	return { ...row({ ...values, _id: '' }), _id: null, _href: href };
}

/** A row as the service holds it. One that may not be read (role creator, §5) was written all the same: then what was sent. */
export async function readBack(
	{ hint }: Pick<ItemsContext, 'hint'>,
	client: Client,
	grid: Grid,
	sent: Values & { _id: string },
): Promise<Entity | (Values & { _id: string })> {
	const outcome = await outcomeOf(client.entities.get(grid, sent._id));
	if (outcome.state === 'done') return outcome.value;
	const { error } = outcome;
	hint(
		`Rows were written, but could not be read back: ${error instanceof Error ? error.message : String(error)}`,
	);
	return sent;
}
