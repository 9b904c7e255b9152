import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { connect } from '../shared/connection/connect';
import { escapedItem } from '../shared/display/expressionEscape';
import { toNodeError } from '../shared/display/nodeError';
import { fieldOptions } from '../shared/inputs/pickers/field';
import { gridOfParentPickers, isGridChosen } from '../shared/inputs/pickers/grid';

/** The views (virtual grids, §4.4) of the chosen grid. */
async function getViews(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	if (!isGridChosen(this)) return [];
	return await connect(this)
		.then(async (client) => {
			const { items } = await client.views.many(await gridOfParentPickers(this, client));
			return items.map(({ id, name }) => escapedItem({ name: name || id, value: id }));
		})
		.catch((error: unknown) => Promise.reject(toNodeError(this, error)));
}

/** The node's option lists, for its `methods`. */
export const loadOptions = { ...fieldOptions, getViews };
