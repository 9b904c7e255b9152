import { isJsonObject } from '../../formats/json';
import type { ListPage } from '../../lists/page';
import type { Update } from './updateRecord';

/** Members that may differ each time a change is read: links, and the current values of its row. */
const CHANGING = new Set(['_links', '_embedded', 'entity', 'row', 'record', 'entry']);
const NONE: ReadonlySet<string> = new Set();

/**
 * The same text each time the same change is read. A change is identified by its id, row, time and
 * kind, without an id by its members; a changed row by its id, its time and its stored values.
 * @param computed ids, keys and names of columns that change although nobody writes the row
 */
function identityOf(update: Update, computed: ReadonlySet<string>): string {
	const { isRow, id, entityId, time = null, kind, raw } = update;
	if (isRow)
		return JSON.stringify([
			entityId,
			time,
			contentOf(raw, (name) => name.startsWith('_') || computed.has(name)),
		]);
	return JSON.stringify(
		id === undefined
			? [entityId, time, contentOf(raw, (name) => CHANGING.has(name))]
			: [id, entityId, time, kind],
	);
}

/** An entry that `readList` can tell from others. */
export interface IdentifiedUpdate {
	update: Update;
	identity: string;
}

/**
 * The identities of the entries of one reading. Equal changes without an id are different ones if
 * they are on one page, or on pages with the same total. If the total has changed, one may have
 * moved to the next page.
 */
export class EntryIdentities {
	/** Numbers of equal changes on the pages before, and on the last page. */
	private before = new Map<string, number>();
	private onPage = new Map<string, number>();
	private pageIndex = 0;
	private total: number | undefined;

	/** The entries of a page with their identities. */
	identified(page: ListPage<Update>, pageIndex: number): IdentifiedUpdate[] {
		const own = this.of(page, pageIndex);
		return page.items.map((update, index) => ({ update, identity: own[index] ?? '' }));
	}

	/** @param computed ids, keys and names of columns that change although nobody writes the row */
	of(
		{ items, numberOfItems: total }: ListPage<Update>,
		pageIndex: number,
		computed: ReadonlySet<string> = NONE,
	): string[] {
		// A page that is read again counts once.
		if (pageIndex !== this.pageIndex)
			for (const [identity, count] of this.onPage) this.before.set(identity, count);
		if (pageIndex === 1 || total === undefined || total !== this.total) this.before.clear();
		this.onPage = new Map();
		this.pageIndex = pageIndex;
		this.total = total;
		return items.map((update) => {
			const identity = identityOf(update, computed);
			if (update.isRow === true || update.id !== undefined) return identity;
			const count = (this.onPage.get(identity) ?? this.before.get(identity) ?? 0) + 1;
			this.onPage.set(identity, count);
			return count === 1 ? identity : `${identity}#${count}`;
		});
	}
}

const contentOf = (raw: Record<string, unknown>, isLeftOut: (name: string) => boolean) =>
	Object.keys(raw)
		.filter((name) => !isLeftOut(name))
		.sort()
		.map((name) => [name, canonical(raw[name])]);

/** Independent of the order of members, which means nothing in JSON. */
function canonical(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(canonical);
	return isJsonObject(value) ? contentOf(value, (name) => name === '_links') : value;
}
