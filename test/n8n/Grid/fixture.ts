import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { endpoints } from '../../../client/endpoints/endpoints';
import { pathOf } from '../../../client/endpoints/paths';
import { newId } from '../../../testbed/world/makeGrid';
import { textOf } from '../../../testbed/world/parameters';
import type { World } from '../../../testbed/world/world';

/** A new grid in the world's space, made by the node, as the pickers name it. */
export async function newGrid(
	world: World,
	name: string,
	columns: Array<{ name: string; type?: string; key?: string; options?: string }>,
): Promise<GridPick> {
	const parameters = { space: picked(world.spaceId), name, columns: { column: columns } };
	return pickedGrid(await world.row({ node: 'grid', resource: 'grid', operation: 'create', parameters }));
}

export type GridPick = { grid: INodeParameters };

/** A picker's value as the editor keeps it. */
export const picked = (value: string, mode = 'id'): INodeParameters => ({ __rl: true, mode, value });

/**
 * A row of output that names a grid, as the grid picker holds it when it is chosen from the list.
 */
export const pickedGrid = (row: IDataObject): GridPick => ({
	grid: picked(`${textOf(row.spaceId)}/${textOf(row.id)}`, 'list'),
});

/** The ids that a picked grid stands for. @throws if it was not picked with `pickedGrid` */
export function idsOf({ grid }: GridPick): { spaceId: string; gridId: string } {
	const [spaceId, gridId] = textOf(grid.value).split('/');
	if (!spaceId || !gridId) throw new Error(`Not a space and a grid: ${textOf(grid.value)}`);
	return { spaceId, gridId };
}

/** An object in a row of output. */
export const rowIn = (value: unknown): Record<string, unknown> =>
	z.record(z.string(), z.unknown()).parse(value);

/** A list of rows in a row of output. */
export const rowsIn = (value: unknown): Array<Record<string, unknown>> =>
	z.array(z.record(z.string(), z.unknown())).parse(value);

/** Creates an entity without the node. @param values by column key @returns its id */
export async function addEntity({ client }: World, pick: GridPick, values: object): Promise<string> {
	const { address } = await client.grids.open(idsOf(pick));
	const href = `${pathOf(endpoints.gridGet, address)}/entities`;
	const query = { layout: 'property' };
	return newId(await client.session.create({ method: 'POST', href, query, body: { ...values } }));
}

/** Reads a part of a grid without the node. */
export async function readGrid({ client }: World, pick: GridPick, path: string): Promise<unknown> {
	const { address } = await client.grids.open(idsOf(pick));
	return await client.session.read(z.unknown(), {
		method: 'GET',
		href: `${pathOf(endpoints.gridGet, address)}${path}`,
	});
}
