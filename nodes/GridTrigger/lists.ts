import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import type { Client } from '../../client';
import type { Grid } from '../../client/resources/grids';
import { labelsOf } from '../shared/rows/columnNames';
import { connect } from '../shared/connection/connect';
import { inertItem } from '../shared/display/inertText';
import { toNodeError } from '../shared/display/nodeError';
import { gridAbove, isGridChosen } from '../shared/inputs/pickers/grid';

async function listOf(
	context: ILoadOptionsFunctions,
	read: (client: Client, grid: Grid) => Promise<INodePropertyOptions[]>,
): Promise<INodePropertyOptions[]> {
	if (!isGridChosen(context)) return [];
	return await connect(context)
		.then(async (client) => (await read(client, await gridAbove(context, client))).map(inertItem))
		.catch((error: unknown) => Promise.reject(toNodeError(context, error)));
}

/** The columns of the chosen grid. */
async function getFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await listOf(this, async (client, grid) => {
		const fields = await client.fields.of(grid);
		const labels = labelsOf(fields);
		return fields.map(({ id, name }) => ({ name: labels.get(id) ?? name, value: id }));
	});
}

/** The views (virtual grids, §4.4) of the chosen grid. */
async function getViews(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await listOf(this, async (client, grid) => {
		const { items } = await client.views.many(grid);
		return items.map(({ id, name }) => ({ name: name || id, value: id }));
	});
}

/** The node's lists, for its `methods`. */
export const loadOptions = { getFields, getViews };
