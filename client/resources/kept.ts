/** What is kept of an entity, with its id. */
export interface Keyed<Kept> {
	id: string;
	kept: Kept;
}

/** How much of a list to read. */
export interface Bounds {
	/** Maximum number of entities. */
	limit?: number | undefined;
	/** A list of more pages is not read past its first page. */
	maxPages?: number | undefined;
}
