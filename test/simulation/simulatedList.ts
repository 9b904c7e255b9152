import { Limiter } from '../../client/http/limiter';
import type { ListPage, Page, PageRequest } from '../../client/lists/page';
import {
	readList,
	streamList,
	type Items,
	type ListLimits,
	type ListSource,
	type StreamedRead,
} from '../../client/lists/readList';
import { Random } from './random';
import { VirtualTime } from './virtualTime';

export interface Row {
	_id: string;
}

export const rowsNumbered = (from: number, to: number): Row[] =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({ _id: `r${from + index}` }));
export const ids = (result: Pick<Items<Row>, 'items'>) => result.items.map((row) => row._id);

/** A list that is paged like the service (§2.2), with a record of its requests. */
export class SimulatedList {
	readonly asked: Array<[pageIndex: number, pageSize: number]> = [];
	answers = 0;
	/** Number of pages that were requested although the limiter had no room for them. */
	unlimited = 0;
	/** Whether pages are bare arrays. */
	isBare = false;
	/** Called after each page is built, with the number of pages so far. */
	change: (answers: number) => void = () => undefined;
	/** Why a page is refused. */
	refuse: (pageIndex: number, pageSize: number) => Error | undefined = () => undefined;
	/** Rewrites a page. */
	answer: (page: Page<Row>, pageIndex: number) => ListPage<Row> = (page) => page;

	constructor(
		readonly time: VirtualTime,
		public rows: Row[],
		private readonly cap = 1000,
		private readonly random = new Random(1),
	) {}

	private async fetchPage({ pageIndex, pageSize }: PageRequest): Promise<ListPage<Row>> {
		this.asked.push([pageIndex, pageSize]);
		await this.time.sleep(1 + this.random.below(20));
		const refusal = this.refuse(pageIndex, pageSize);
		if (refusal) throw refusal;
		const size = Math.min(pageSize, this.cap);
		const items = this.rows.slice((pageIndex - 1) * size, pageIndex * size);
		const page = {
			page: pageIndex,
			pageSize: size,
			size: items.length,
			numberOfItems: this.rows.length,
			numberOfPages: Math.ceil(this.rows.length / size),
			items,
		};
		this.change(++this.answers);
		const answer = this.answer(page, pageIndex);
		return this.isBare ? { items: answer.items } : answer;
	}

	private source(maxPageSize: number): ListSource<Row> {
		const limiter = new Limiter(this.time);
		let pending = 0;
		return {
			fetchPage: async (request) => {
				if (++pending > limiter.limit) this.unlimited++;
				return await limiter.attempt(() => this.fetchPage(request)).finally(() => pending--);
			},
			identity: (row) => row._id,
			limiter,
			maxPageSize,
		};
	}

	read({ maxPageSize = 1000, ...limits }: ListLimits & { maxPageSize?: number } = {}): Promise<Items<Row>> {
		return this.time.run(readList(this.source(maxPageSize), limits));
	}

	stream<Result>(
		use: (pages: AsyncIterable<Row[]>) => Promise<Result>,
		options: { atOnce?: number } = {},
	): Promise<StreamedRead<Result>> {
		return this.time.run(streamList(this.source(1000), use, options));
	}
}

/** Returns a list of `count` rows with pages of at most `cap`. */
export const list = (count: number, cap?: number) =>
	new SimulatedList(new VirtualTime(), rowsNumbered(1, count), cap);
