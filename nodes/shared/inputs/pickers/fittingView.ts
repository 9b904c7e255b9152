import type { Client, Field, Grid } from '../../../../client';
import type { ShowHint } from '../../display/hints';
import { requireFit } from '../../rows/viewFit';
import { pickedBy } from './locators';
import { optionalViewPicker } from './view';

/**
 * The view whose rows are read: the chosen one, or the grid itself if that is a view; undefined for
 * a whole grid.
 * @param viewId the chosen view of the grid
 * @param hint as for `requireFit`
 * @throws InvalidInput if its filter no longer fits the columns, NotFound
 */
export async function fittingView(
	client: Client,
	chosen: { grid: Grid; fields: readonly Field[] },
	viewId: string | undefined,
	hint?: ShowHint,
): Promise<Grid | undefined> {
	const view = await viewToRead(client, chosen.grid, viewId);
	if (view) requireFit(view, chosen, hint);
	return view;
}

/** The same without the check. */
export async function viewToRead(
	client: Client,
	grid: Grid,
	viewId: string | undefined,
): Promise<Grid | undefined> {
	if (viewId === undefined) return grid.type === 'virtual' ? grid : undefined;
	const { spaceId } = grid.address;
	return await pickedBy(optionalViewPicker, client.grids.open({ spaceId, gridId: viewId }));
}
