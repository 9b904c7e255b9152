/** A value computed from an entity, with the id of the entity. */
export interface MappedEntity<Kept> {
	id: string;
	kept: Kept;
}

/** How much of a list to read. */
export interface ReadLimits {
	/** Maximum number of entities. */
	limit?: number | undefined;
	/** A list of more pages is not read past its first page. */
	maxPages?: number | undefined;
}
