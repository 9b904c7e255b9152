import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { endpoints } from '../../../client/endpoints/endpoints';
import { pathOf } from '../../../client/endpoints/paths';
import { newId, post } from '../../../testbed/world/makeGrid';
import { textOf } from '../../../testbed/world/parameters';
import type { World } from '../../../testbed/world/world';

/** Creates a grid in the world's space with the node. @returns its picker value */
export async function newGrid(
	world: World,
	name: string,
	columns: Array<{ name: string; type?: string; key?: string; options?: string }>,
): Promise<GridPick> {
	const parameters = { space: picked(world.spaceId), name, columns: { column: columns } };
	return pickedGrid(await world.row({ node: 'grid', resource: 'grid', operation: 'create', parameters }));
}

export type GridPick = { grid: INodeParameters };

/** Returns a picker value as the editor stores it. */
export const picked = (value: string, mode = 'id'): INodeParameters => ({ __rl: true, mode, value });

/**
 * Returns the picker value of the grid in an output row, as chosen from the list.
 */
export const pickedGrid = (row: IDataObject): GridPick => ({
	grid: picked(`${textOf(row.spaceId)}/${textOf(row.id)}`, 'list'),
});

/** Returns the IDs of a picked grid. @throws if it was not picked with `pickedGrid` */
export function idsOf({ grid }: GridPick): { spaceId: string; gridId: string } {
	const [spaceId, gridId] = textOf(grid.value).split('/');
	if (!spaceId || !gridId) throw new Error(`Not a space and a grid: ${textOf(grid.value)}`);
	return { spaceId, gridId };
}

/** Narrows an output value to an object. */
export const rowIn = (value: unknown): Record<string, unknown> =>
	z.record(z.string(), z.unknown()).parse(value);

/** Narrows an output value to an array of objects. */
export const rowsIn = (value: unknown): Array<Record<string, unknown>> =>
	z.array(z.record(z.string(), z.unknown())).parse(value);

/** Creates an entity without the node. @param values by column name @returns its ID */
export async function addEntity({ client }: World, pick: GridPick, values: object): Promise<string> {
	const { address } = await client.grids.open(idsOf(pick));
	const href = `${pathOf(endpoints.gridGet, address)}/entities`;
	const query = { layout: 'property' };
	return newId(await post(client.session, { href, query, body: { ...values } }));
}

/** Reads a part of a grid without the node. */
export async function readGrid({ client }: World, pick: GridPick, path: string): Promise<unknown> {
	const { address } = await client.grids.open(idsOf(pick));
	return await client.session.read(z.unknown(), {
		method: 'GET',
		href: `${pathOf(endpoints.gridGet, address)}${path}`,
	});
}
