import type { ResponseTooLarge } from '../http/responseLimit';
import type { Entity } from './entityRows';

/** A value computed from an entity, with the id of the entity. */
export interface MappedEntity<Kept> {
	id: string;
	kept: Kept;
}

/** Selects what to keep of each entity. */
export type Keep<Kept> =
	| ((entity: Entity) => Kept)
	| {
			row: (entity: Entity) => Kept;
			/**
			 * Placeholder for a row that is too large to read, by its sequence number; without it, that
			 * is an error.
			 */
			unreadable?: (position: number, error: ResponseTooLarge) => Kept;
	  };

/** How much of a list to read. */
export interface ReadLimits {
	/** Maximum number of entities. */
	limit?: number | undefined;
	/** A list of more pages is not read past its first page. */
	maxPages?: number | undefined;
	/** IDs of columns whose values decide what is written. */
	needs?: readonly string[] | undefined;
}
