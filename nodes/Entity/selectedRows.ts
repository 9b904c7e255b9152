import { z } from 'zod/v4';
import type { Client } from '../../client';
import type { Entity, Filter } from '../../client/resources/entities';
import { InvalidInput } from '../../client/errors';
import type { Field } from '../../client/resources/fields';
import type { Grid } from '../../client/resources/grids';
import { filterOf } from '../../client/resources/views';
import { chosenReference } from '../shared/inputs/chosenGrid';
import { conditionsOf } from '../shared/inputs/selection/conditions';
import { combineWithView } from '../shared/inputs/selection/filters';
import { pickedBy } from '../shared/inputs/locators';
import { numeric, parameter, type ReadParameter } from '../shared/inputs/parameter';
import { optionalViewPicker } from '../shared/inputs/pickers/view';
import { rowTest } from '../shared/rows/matching';
import { keepsChanging } from './keyIndex';

/** Stops a condition that is wider than the user thought. */
export const atMost = parameter(
	{
		displayName: 'At Most',
		name: 'atMost',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 100,
		description:
			'How many rows one run may change, over all items. If the conditions select more, nothing is written.',
	},
	numeric.pipe(z.number().int().min(1)),
);

/** @param share default, in percent of the rows of the grid */
export function limitPercent(share: number) {
	return parameter(
		{
			displayName: 'Limit (%)',
			name: 'limitPercent',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 100 },
			default: share,
			description:
				'How large a share of the rows of the grid one run may change. If the conditions select more, nothing is written.',
		},
		numeric.pipe(z.number().min(0).max(100)),
	);
}

/** Which rows an item selects. */
export interface Selection {
	viewId: string | undefined;
	filter: Filter | undefined;
	/** §4.5: false replaces the filter of the view. */
	compose: boolean;
}

/**
 * The selection that the inputs describe.
 * @param option reads the operation's options
 * @throws InvalidInput
 */
export function selectionIn(
	read: ReadParameter,
	option: ReadParameter,
	fields: readonly Field[],
	timezone: string,
): Selection {
	return {
		viewId: read(optionalViewPicker),
		filter: conditionsOf(read, fields, timezone),
		compose: option(combineWithView),
	};
}

/**
 * Reads the rows of a selection, in full, and compares each with the conditions again, and with the
 * filter of the view where the service tells it.
 * @param limit how many are read; one row more shows that there are too many
 * @throws InvalidInput where the service returned a row that
 *   does not meet the conditions, or the list kept changing
 */
export async function selectedRows(
	client: Client,
	{ grid, fields }: { grid: Grid; fields: readonly Field[] },
	{ selection, read, limit }: { selection: Selection; read: ReadParameter; limit?: number },
): Promise<Entity[]> {
	const { viewId, filter, compose } = selection;
	const meets = [rowTest(filter ?? {}, fields), await viewTest(client, fields, selection, read)];
	const query = { ...(viewId === undefined ? {} : { viewId, compose }), ...(filter ? { filter } : {}) };
	const reading = client.entities.many(grid, query, limit);
	const { items, drift } = await pickedBy(optionalViewPicker, reading);
	if (drift) throw keepsChanging(grid);
	const strangers = items.filter((entity) => !meets.every((test) => test(entity)));
	if (strangers.length > 0) throw ignoresFilters(grid, strangers.length, items.length);
	return items;
}

/**
 * Compares with the view's own filter, as far as the
 * service tells it and this package knows its operators.
 */
async function viewTest(
	client: Client,
	fields: readonly Field[],
	{ viewId, filter, compose }: Selection,
	read: ReadParameter,
): Promise<(row: Entity) => boolean> {
	if (viewId === undefined || (filter && !compose)) return () => true;
	const { spaceId } = chosenReference(read);
	const view = await pickedBy(optionalViewPicker, client.grids.open({ spaceId, gridId: viewId }));
	return await Promise.resolve()
		.then(() => rowTest(filterOf(view) ?? {}, fields))
		.catch((error: unknown) => (error instanceof InvalidInput ? () => true : Promise.reject(error)));
}

/** The number of rows of a selection, or of the grid: from one page where that proves it. */
export async function countRows(
	client: Client,
	{ grid, fields }: { grid: Grid; fields: readonly Field[] },
	{ selection, read }: { selection: Selection; read: ReadParameter },
): Promise<number> {
	const { viewId, filter, compose } = selection;
	const query = { ...(viewId === undefined ? {} : { viewId, compose }), ...(filter ? { filter } : {}) };
	const { items, numberOfItems } = await pickedBy(optionalViewPicker, client.entities.page(grid, query));
	const meets = rowTest(filter ?? {}, fields);
	const strangers = items.filter((entity) => !meets(entity));
	if (strangers.length > 0) throw ignoresFilters(grid, strangers.length, items.length);
	const isWhole = numberOfItems !== undefined && items.length >= numberOfItems;
	if (isWhole || (numberOfItems !== undefined && !filter)) return numberOfItems;
	// A count that differs from that of all rows shows that the service filters.
	const all = numberOfItems === undefined ? undefined : await rowsOf(client, grid);
	if (numberOfItems !== undefined && all !== undefined && numberOfItems < all) return numberOfItems;
	return (await selectedRows(client, { grid, fields }, { selection, read })).length;
}

/** How many rows a grid has. */
async function rowsOf(client: Client, grid: Grid): Promise<number> {
	const { numberOfItems } = await client.entities.page(grid, { pageIndex: 1, pageSize: 1 });
	return numberOfItems ?? (await client.entities.manyAs(grid, ({ _id }) => _id)).items.length;
}

/** Makes sure that a run changes no more rows than the user allowed. @throws InvalidInput */
export async function refuseTooMany(
	client: Client,
	rows: ReadonlyMap<Grid, ReadonlySet<string>>,
	{ most, percent, verb }: { most: number; percent: number; verb: string },
): Promise<void> {
	const total = [...rows.values()].reduce((sum, ids) => sum + ids.size, 0);
	if (total > most)
		throw new InvalidInput(
			`More than ${most} rows meet the conditions; nothing was written`,
			'Narrow the conditions, or raise "At Most".',
		);
	if (percent >= 100) return;
	for (const [grid, ids] of rows) {
		const all = ids.size === 0 ? 0 : await rowsOf(client, grid);
		if (ids.size * 100 > all * percent)
			throw new InvalidInput(
				`${ids.size} of the ${all} rows of "${grid.name}" would be ${verb}, which is more than ${percent} %; nothing was written`,
				'Narrow the conditions, or raise "Limit (%)" under Options.',
			);
	}
}

function ignoresFilters(grid: Grid, strangers: number, all: number): InvalidInput {
	return new InvalidInput(
		`The service returned ${strangers} of ${all} rows of "${grid.name}" that do not meet the conditions, so it does not filter as asked: nothing was done with them`,
		'Use "Equals", which every service supports, or read all rows with Get Many and filter them in a node after it.',
	);
}
