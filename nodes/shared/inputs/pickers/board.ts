import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { type Field, jsonObject, type StatefulView } from '../../../../client';
import type { Parameter } from '../parameter';
import { fieldPicker, fieldsListed } from './field';
import { chosen, idPicker, locator } from './locators';
import { pagedSearch, listingPages } from './pagedList';
import { gridOrViewAbove } from './view';

/** The id of a board or calendar (§1 stateful view) of the chosen grid or view. */
export const boardPicker = idPicker('statefulView', {
	displayName: 'Board or Calendar',
	name: 'board',
	description: 'The board or calendar to work with',
	searchMethod: 'searchBoards',
	urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1/sviews/k1',
	idPlaceholder: 'e.g. k1',
});

/** The boards and calendars of the chosen grid or view. */
export const searchBoards = pagedSearch(['board'], async ({ client, context, request }) => ({
	pages: listingPages(client.statefulViews.list(await gridOrViewAbove(context, client), false), request),
	item: (view: StatefulView) => ({ name: labelOf(view), value: view.id }),
}));

const KINDS = new Map([
	['kanban', 'Board'],
	['calendar', 'Calendar'],
]);

/** §4 Gaps: only the id is certain to distinguish boards of the same type. */
function labelOf({ name, displayValue, properties, type, id }: StatefulView): string {
	const named = name ?? jsonObject.safeParse(properties).data?.['name'];
	if (typeof named === 'string' && named !== '') return named;
	if (displayValue && displayValue !== type) return displayValue;
	return `${KINDS.get(type ?? '') ?? type ?? 'Board'} (${id})`;
}

const columnLocator = {
	displayName: 'Column',
	name: 'field',
	searchMethod: 'searchBoardColumns',
	urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1/fields/f1',
	idPlaceholder: 'e.g. f1',
};

/** The column by which a board or calendar is arranged. */
export const boardColumnPicker = idPicker('field', {
	...columnLocator,
	description:
		'The choice column whose options are the lanes of the board, or the date column of the calendar',
});

/** The same for an existing one; undefined leaves it unchanged. */
export const optionalBoardColumnPicker: Parameter<string | undefined> = {
	property: locator({
		...columnLocator,
		required: false,
		whenEmpty: 'Unchanged',
		description:
			'The choice column whose options are the lanes of the board, or the date column of the calendar. If empty, it stays unchanged.',
	}),
	read: (raw) => (chosen(raw, 'Column') === undefined ? undefined : fieldPicker.read(raw)),
};

/** The types of columns by which the rows can be arranged, by the type of presentation. */
const COLUMN_TYPES = new Map([
	['kanban', ['enum']],
	['calendar', ['date', 'date-time']],
]);
const ANY = [...COLUMN_TYPES.values()].flat();

/** The columns that suit the chosen type of presentation. */
export async function searchBoardColumns(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const types = COLUMN_TYPES.get(String(this.getCurrentNodeParameter('type'))) ?? ANY;
	return await fieldsListed(this, filter, ({ type }: Field) => types.includes(type.name));
}
