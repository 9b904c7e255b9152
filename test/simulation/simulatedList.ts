import type { Page } from '../../client/hal/links';
import { Limiter } from '../../client/http/limiter';
import { readPages, type Items } from '../../client/session/paging';
import { Random } from './random';
import { VirtualTime } from './virtualTime';

export interface Row {
	_id: string;
}

export const rowsNumbered = (from: number, to: number): Row[] =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({ _id: `r${from + index}` }));
export const ids = (result: Items<Row>) => result.items.map((row) => row._id);

/** A list that is paged like the service (§2.2), with a record of its requests. */
export class SimulatedList {
	readonly asked: Array<[pageIndex: number, pageSize: number]> = [];
	private answers = 0;
	/** Called after each page is built, with the number of pages so far. */
	change: (answers: number) => void = () => undefined;
	/** Rewrites a page. */
	answer: (page: Page<Row>, pageIndex: number) => Page<Row> = (page) => page;

	constructor(
		readonly time: VirtualTime,
		public rows: Row[],
		private readonly cap = 1000,
		private readonly random = new Random(1),
	) {}

	fetchPage = async (pageIndex: number, pageSize: number): Promise<Page<Row>> => {
		this.asked.push([pageIndex, pageSize]);
		await this.time.sleep(1 + this.random.below(20));
		const size = Math.min(pageSize, this.cap);
		const items = this.rows.slice((pageIndex - 1) * size, pageIndex * size);
		const page = {
			page: pageIndex,
			pageSize: size,
			size: items.length,
			numberOfItems: this.rows.length,
			numberOfPages: Math.ceil(this.rows.length / size),
			items,
			_links: new Map(),
		};
		this.change(++this.answers);
		return this.answer(page, pageIndex);
	};

	read(limit?: number): Promise<Items<Row>> {
		const { fetchPage } = this;
		const limiter = new Limiter(this.time);
		const fetchLimited = (pageIndex: number, pageSize: number) =>
			limiter.attempt(() => fetchPage(pageIndex, pageSize));
		return this.time.run(readPages({ fetchPage: fetchLimited, identity: (row) => row._id, limiter, limit }));
	}
}

/** Returns a list of `count` rows with pages of at most `cap`. */
export const list = (count: number, cap?: number) =>
	new SimulatedList(new VirtualTime(), rowsNumbered(1, count), cap);
/** A page without counts. */
export const bare = (items: Row[]): Page<Row> => ({ items, _links: new Map() });
