import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { StatefulView } from '../../../../client/resources/statefulViews';
import { idInUrl } from '../../../../client/endpoints/paths';
import { chosen, list, LIST_PAGE, locator, matches, nextToken, required, tokenSchema } from '../locators';
import type { Parameter } from '../parameter';
import { pickedAbove } from '../pickedUrls';
import { gridAbove } from './grid';
import { optionalViewPicker } from './view';

/** A stateful view of the chosen grid or view; its id. */
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
	read(raw) {
		const { text, isUrl } = required(chosen(raw, 'Stateful View'), 'Stateful View');
		return isUrl ? required(idInUrl('statefulView', text), 'Stateful View') : text;
	},
};

/** The stateful views of the grid, or of its view, chosen above. */
export async function searchStatefulViews(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await list(this, async (client) => {
		const above = await gridAbove(this, client);
		const viewId = await pickedAbove(this, client, optionalViewPicker);
		const grid =
			viewId === undefined
				? above
				: await client.grids.open({ spaceId: above.address.spaceId, gridId: viewId });
		const pageIndex = tokenSchema.parse(token);
		const page = await client.statefulViews.page(grid, false, { pageIndex, pageSize: LIST_PAGE });
		const results = page.items
			.map((view) => ({ name: labelOf(view), value: view.id }))
			.filter(({ name }) => matches(name, filter));
		return { results, ...nextToken(page, pageIndex) };
	});
}

/** §4 Gaps: nothing is known to tell two of one type apart but the id. */
function labelOf({ name, displayValue, type, id }: StatefulView): string {
	if (name) return name;
	return displayValue && displayValue !== type ? displayValue : `${type ?? 'view'} (${id})`;
}
