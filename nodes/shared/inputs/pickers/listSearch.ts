import { searchEntities, searchRemovableEntities, searchUpdatableEntities } from './entity';
import { searchFields } from './field';
import { searchGrids, searchWritableGrids } from './grid';
import { searchSpaces, searchSpacesForGrids } from './space';
import { searchViews } from './view';

/** The list searches of all pickers, for a node's `methods`. */
export const listSearch = {
	searchEntities,
	searchFields,
	searchGrids,
	searchRemovableEntities,
	searchSpaces,
	searchSpacesForGrids,
	searchUpdatableEntities,
	searchViews,
	searchWritableGrids,
};
