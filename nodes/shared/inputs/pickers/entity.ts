import { type Entity, ownMember } from '../../../../client';
import { idPicker } from './locators';
import { LIST_PAGE, pagedSearch, listingPages } from './pagedList';
import { valueText } from '../../display/shownText';
import { gridOfParentPickers } from './grid';
import { permitted } from './permitted';

const entityPickerOf = (searchMethod: string) =>
	idPicker('entity', {
		displayName: 'Row',
		name: 'entity',
		description: 'The row, shown by its first column',
		searchMethod,
		urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1/entities/e1',
		idPlaceholder: 'e.g. {{ $json._id }}',
	});

/** An entity, listed by the text of its first column. */
export const entityPicker = entityPickerOf('searchEntities');

/** An entity to change: the list omits entities without the link `update` (§2.6). */
export const updatableEntityPicker = entityPickerOf('searchUpdatableEntities');

/** An entity to delete: the list omits entities without the link `remove` (§2.6). */
export const removableEntityPicker = entityPickerOf('searchRemovableEntities');

/**
 * The entities of the grid chosen above, by the text of their first column.
 * @param rel the link that a listed entity must have in its full representation (§2.6)
 */
const entitySearch = (rel?: 'update' | 'remove') =>
	pagedSearch(['entity'], async ({ client, context, request }) => {
		const grid = await gridOfParentPickers(context, client);
		const first = (await client.fields.of(grid))[0];
		const open = async (entity: Entity) => await client.entities.open(grid, entity);
		return {
			pages: listingPages(client.entities.list(grid), request),
			item: (entity: Entity) => ({ name: labelOf(entity, first?.id), value: entity._id }),
			search: async (matching: string) => (await client.entities.search(grid, { matching }, LIST_PAGE)).items,
			...(rel === undefined
				? {}
				: { kept: async (found: readonly Entity[]) => await permitted(client, found, rel, open) }),
		};
	});
export const searchEntities = entitySearch();
export const searchUpdatableEntities = entitySearch('update');
export const searchRemovableEntities = entitySearch('remove');

function labelOf(entity: Entity, fieldId: string | undefined): string {
	const value = fieldId === undefined ? undefined : ownMember(entity, fieldId);
	if (value === undefined || value === null || value === '') return entity._id;
	return typeof value === 'string' ? value : valueText(value);
}
