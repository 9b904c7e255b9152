/** §2.7: what the values of an entity are keyed by. */
export type Layout = 'field' | 'indexed' | 'key' | 'keyAndField' | 'property';

/** §2.8: operators by field id; `$eq` is the only documented one. */
export type Filter = Record<string, unknown>;
/** §2.8: `{ $order: "ascending" }` by field id. */
export type Sorting = Record<string, { $order: string }>;

export interface EntitiesQuery {
	layout?: Layout | undefined;
	/** A virtual grid's id (§4.5). */
	viewId?: string | undefined;
	filter?: Filter | undefined;
	sorting?: Sorting | undefined;
	/** §4.5: false replaces the view's filter, true (default) combines with it. */
	compose?: boolean | undefined;
}
