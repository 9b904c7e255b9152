import type { Client } from '../../client';
import { EndlessPages, InvalidInput } from '../../client/errors';
import type { Grid } from '../../client/resources/grids';
import { findLink, type Page } from '../../client/hal/links';
import { inSmallerPages } from '../../client/session/smallerPages';
import { ItemsDigest } from '../../client/session/itemsDigest';
import type { FetchPage } from '../../client/session/pageScanPlan';
import { endsBeforeNext, linksNext } from '../../client/session/shortPages';

/** Maximum number of pages of a list (client/session/pageScan.ts). */
const MAX_PAGES = 10_000;
/** Requested page size (§8 has no maximum). */
const PAGE_SIZE = 1000;
/** Maximum number of times a changing view is read. */
const MAX_READINGS = 3;

/** A view (virtual grid, §4.5) of a grid. */
export interface ViewOfGrid {
	client: Client;
	grid: Grid;
	viewId: string;
}

/** Id and address of a row; undefined if the row is too large to read. */
type Member = { id: string; href: string | undefined } | undefined;

/** The error for work that exceeds the time of a poll. */
export function pollTimeExceeded(what: string, fix: string): InvalidInput {
	return new InvalidInput(
		`${what} within the time that a poll may take`,
		`${fix}. The cursor has not moved.`,
	);
}

/**
 * Finds rows in a view by listing it (§4.5), only as far as needed, and again if rows moved in the
 * meantime.
 * @param rows addresses of rows, if known, by id
 * @returns the ids of the listed rows; of all rows if the view has a row that is too large to read
 * @throws InvalidInput if the time of the poll is used up, EndlessPages
 */
export async function rowsInView(
	{ client, grid, viewId }: ViewOfGrid,
	rows: ReadonlyMap<string, string | undefined>,
	isOver: () => boolean,
): Promise<Set<string>> {
	const fetchPage = inSmallerPages<Member>(
		async (pageIndex, pageSize) => {
			if (isOver())
				throw pollTimeExceeded(
					'The view is too large to be searched',
					'Leave "View" empty and filter the items instead',
				);
			const page = await client.entities.page(grid, { viewId, pageIndex, pageSize });
			return {
				...page,
				items: page.items.map((row) => ({ id: row._id, href: findLink(row, 'self')?.href })),
			};
		},
		() => undefined,
	);
	const search = new Search(rows);
	for (let readings = 0; readings < MAX_READINGS; readings++) if (await search.read(fetchPage)) break;
	return search.found;
}

class Search {
	readonly found = new Set<string>();
	private readonly byHref: ReadonlyMap<string, string>;
	/** Digest of the rows that the preceding reading met. */
	private before: string | undefined;

	constructor(private readonly rows: ReadonlyMap<string, string | undefined>) {
		const linked = [...rows].flatMap(([id, href]) => (href === undefined ? [] : [[href, id] as const]));
		this.byHref = new Map(linked);
	}

	/** Reads the view once. @returns whether nothing can have been missed */
	async read(fetchPage: FetchPage<Member>): Promise<boolean> {
		const met = new Set<string>();
		let size = PAGE_SIZE;
		/** The largest count: a smaller one later means that rows moved to pages already read. */
		let count: number | undefined;
		for (let pageIndex = 1; this.found.size < this.rows.size; pageIndex++) {
			if (pageIndex > MAX_PAGES)
				throw new EndlessPages(`The view has more than ${MAX_PAGES} pages, which is the limit`);
			const page = await fetchPage(pageIndex, size);
			count = maxOf([count, page.numberOfItems, ...(page.partCounts ?? [])]);
			const known = met.size;
			for (const member of page.items) this.note(member, met);
			if (pageIndex === 1 && page.pageSize !== undefined) size = Math.min(size, Math.max(1, page.pageSize));
			if (pageIndex === 1 && endsBeforeNext(page, size)) size = page.items.length;
			const isLast = met.size === known || pageIndex >= lastPage(page, size, pageIndex);
			const isOnePage = pageIndex === 1 && page.partCounts === undefined;
			if (isLast) return count === undefined ? isOnePage || this.isRepeated(met) : met.size >= count;
		}
		return true;
	}

	/** Whether the preceding reading met the same rows: the only proof without counts. */
	private isRepeated(met: ReadonlySet<string>): boolean {
		const digest = new ItemsDigest();
		for (const id of met) digest.add(id);
		const { before } = this;
		this.before = digest.value;
		return before === digest.value;
	}

	private note(member: Member, met: Set<string>): void {
		if (!member) {
			// It may be any of the wanted rows, and an additional event is better than a missing one.
			for (const id of this.rows.keys()) this.found.add(id);
			return;
		}
		met.add(member.id);
		const id = this.rows.has(member.id) ? member.id : this.byHref.get(member.href ?? '');
		if (id !== undefined) this.found.add(id);
	}
}

function maxOf(counts: ReadonlyArray<number | undefined>): number | undefined {
	const known = counts.filter((count) => count !== undefined);
	return known.length === 0 ? undefined : Math.max(...known);
}

/** Uses the larger count; a list without counts ends with a short page that links no other. */
function lastPage(page: Page<Member>, size: number, pageIndex: number): number {
	const { numberOfPages, numberOfItems, items } = page;
	if (numberOfPages === undefined && numberOfItems === undefined)
		return items.length < size && !linksNext(page) ? pageIndex : Number.POSITIVE_INFINITY;
	return Math.max(numberOfPages ?? 0, Math.ceil((numberOfItems ?? 0) / size));
}
