import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { StatefulView } from '../../../../client/resources/statefulViews';
import { idOf, locator } from './locators';
import { pagedList } from './pagedList';
import type { Parameter } from '../parameter';
import { gridOrViewAbove } from './view';

/** The id of a stateful view of the chosen grid or view. */
export const statefulViewPicker: Parameter<string> = {
	property: locator({
		displayName: 'Stateful View',
		name: 'statefulView',
		required: true,
		description: 'The stateful view (presentation, such as a kanban board or a calendar) to work with',
		searchMethod: 'searchStatefulViews',
		urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1/sviews/k1',
		idPlaceholder: 'e.g. k1',
	}),
	read: idOf('statefulView', 'Stateful View'),
};

/** The stateful views of the chosen grid or view. */
export async function searchStatefulViews(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await pagedList(this, { filter, token }, async (client, paging) => {
		const grid = await gridOrViewAbove(this, client);
		return {
			page: await client.statefulViews.page(grid, false, paging),
			item: (view: StatefulView) => ({ name: labelOf(view), value: view.id }),
		};
	});
}

/** §4 Gaps: only the id is certain to distinguish stateful views of the same type. */
function labelOf({ name, displayValue, type, id }: StatefulView): string {
	if (name) return name;
	return displayValue && displayValue !== type ? displayValue : `${type ?? 'view'} (${id})`;
}
