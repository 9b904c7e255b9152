import { searchEntities } from './entity';
import { searchGrids } from './grid';
import { searchSpaces } from './space';

/** The list searches of all pickers, for a node's `methods`. */
export const listSearch = { searchEntities, searchGrids, searchSpaces };
