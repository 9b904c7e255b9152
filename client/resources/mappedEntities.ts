import type { ListLimits } from '../lists/readList';

/** A value computed from an entity, with the id of the entity. */
export interface MappedEntity<Kept> {
	id: string;
	kept: Kept;
}

/** How much of a list to read. */
export interface ReadLimits extends ListLimits {
	/** IDs of columns whose values decide what is written. */
	needs?: readonly string[] | undefined;
}
