import fc from 'fast-check';
import { BadRequest, Forbidden, InvalidList, NotFound } from '../../../../client/errors';
import { ResponseTooLarge } from '../../../../client/http/responseLimit';
import { readBatch, type BatchEnd } from '../../../../client/lists/batch';
import type { Page, PageRequest } from '../../../../client/lists/page';

/** Paging of a simulated service. */
interface Paging {
	cap: number;
	refusesLarge: boolean;
	/** Whether a page after the last one is missing (404), not empty. */
	missing: boolean;
}
const DEFAULT_PAGING: Paging = {
	cap: 1000,
	refusesLarge: false,
	missing: false,
};

/** A simulated list. */
class List {
	requests = 0;
	/** Called before each page. */
	beforePage: () => void = () => undefined;
	/** Largest number of items that fit into a response. */
	most = Number.POSITIVE_INFINITY;
	/** Number of responses that lack an item that they count. */
	shortPages = 0;

	constructor(
		public ids: string[],
		private readonly paging: Paging = DEFAULT_PAGING,
	) {}

	page({ pageIndex: page, pageSize: requested }: PageRequest): Page<string> {
		this.requests++;
		this.beforePage();
		const { cap, refusesLarge, missing } = this.paging;
		if (refusesLarge && requested > cap) throw new BadRequest({ status: 400, method: 'GET' });
		const pageSize = Math.min(cap, requested);
		const items = this.ids.slice((page - 1) * pageSize, page * pageSize);
		if (missing && page > 1 && items.length === 0) throw new NotFound({ status: 404 });
		if (items.length > this.most) throw new ResponseTooLarge(1);
		const numberOfItems = this.ids.length;
		const numberOfPages = Math.ceil(numberOfItems / pageSize);
		const counts = { page, pageSize, numberOfItems, numberOfPages };
		if (this.shortPages-- <= 0) return { ...counts, size: items.length, items };
		const contradiction = new InvalidList('short', { status: 200 }, '');
		return { ...counts, size: items.length - 1, items: items.slice(1), contradiction };
	}

	async batch(from: BatchEnd | undefined, size: number) {
		const source = {
			fetchPage: async (request: PageRequest) => await Promise.resolve().then(() => this.page(request)),
			identity: (id: string) => id,
		};
		return await readBatch(source, from, size);
	}

	/** Reads all batches. @param between runs after each batch @returns the items in order */
	async all(size: number, between: (read: readonly string[]) => void = () => undefined): Promise<string[]> {
		const read: string[] = [];
		let from: BatchEnd | undefined;
		do {
			const { items, end } = await this.batch(from, size);
			expect(items.length).toBeLessThanOrEqual(size);
			read.push(...items);
			between(items);
			from = end;
		} while (from);
		return read;
	}
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`);

const services = fc.record({
	cap: fc.constantFrom(1, 2, 3, 7, 25, 1000),
	refusesLarge: fc.constant(false),
	missing: fc.boolean(),
});

test('each batch of an unchanged list takes one request, and the batches add up to the list', async () => {
	for (const [count, size] of [
		[1000, 100],
		[1000, 250],
		[997, 97],
		[5000, 500],
	] as const) {
		const list = new List(numbered(count));
		expect(await list.all(size)).toEqual(numbered(count));
		expect(list.requests).toBeLessThanOrEqual(Math.ceil(count / size) + 1);
	}
});

test('reads an empty list, and one that ends with a full batch', async () => {
	expect(await new List([]).batch(undefined, 5)).toEqual({ items: [], end: undefined });
	expect(await new List(numbered(5)).batch(undefined, 5)).toEqual({ items: numbered(5), end: undefined });
});

test('reads pages of any size', async () => {
	await fc.assert(
		fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 30 }), services, async (count, size, paging) => {
			expect(await new List(numbered(count), paging).all(size)).toEqual(numbered(count));
		}),
		{ numRuns: 500 },
	);
});

test('reads from a service that refuses large pages', async () => {
	const list = new List(numbered(1500), { ...DEFAULT_PAGING, cap: 300, refusesLarge: true });
	expect(await list.all(700)).toEqual(numbered(1500));
});

test('reads a page again that lacks items, and refuses it if it always does', async () => {
	const list = new List(numbered(1500));
	list.shortPages = 2;
	expect(await list.all(700)).toEqual(numbered(1500));
	list.shortPages = Number.POSITIVE_INFINITY;
	await expect(list.batch(undefined, 700)).rejects.toThrow('short');
});

test.each([0, 1])('an error of the list is that of the batch, after %d others', async (batches) => {
	const list = new List(numbered(1500));
	const { end } = batches === 0 ? {} : await list.batch(undefined, 700);
	list.beforePage = () => {
		throw new Forbidden({ status: 403 });
	};
	await expect(list.batch(end, 700)).rejects.toBeInstanceOf(Forbidden);
});

test('reads smaller pages if they are too large', async () => {
	const list = new List(numbered(300));
	list.most = 20;
	expect(await list.all(100)).toEqual(numbered(300));
});

test('names the position of an item that is too large', async () => {
	const list = new List(numbered(300));
	const page = list.page.bind(list);
	list.page = (request) => {
		const found = page(request);
		if (found.items.includes('r149')) throw new ResponseTooLarge(1);
		return found;
	};
	await expect(list.all(100)).rejects.toThrow('Number 150 of the list is too large');
});

describe('a list that changes between the batches', () => {
	const edits = fc.array(
		fc.array(fc.record({ kind: fc.constantFrom('add', 'add', 'remove'), at: fc.nat() }), { maxLength: 4 }),
		{ minLength: 1, maxLength: 30 },
	);

	/** Adds and removes items at given positions. @returns the removed IDs */
	function edit(list: List, some: ReadonlyArray<{ kind: string; at: number }>, name: string): string[] {
		return some.flatMap(({ kind, at }, number) => {
			if (kind === 'remove') return list.ids.splice(at % Math.max(1, list.ids.length), 1);
			list.ids.splice(at % (list.ids.length + 1), 0, `${name}.${number}`);
			return [];
		});
	}

	test('every item that exists the whole time occurs once', async () => {
		let lost = 0;
		const runs = 400;
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 60 }),
				fc.integer({ min: 1, max: 12 }),
				fc.constantFrom(1, 2, 3, 7, 1000),
				fc.boolean(),
				edits,
				async (count, size, cap, missing, plan) => {
					const list = new List(numbered(count), { ...DEFAULT_PAGING, cap, missing });
					const removed = new Set<string>();
					let batches = 0;
					const read = await list
						.all(size, () => {
							for (const id of edit(list, plan[batches++ % plan.length] ?? [], `new ${batches}`))
								removed.add(id);
							if (batches > 200) list.ids.splice(0);
						})
						.catch((error: unknown) => {
							// Both items around the start of the next batch were removed.
							expect(String(error)).toContain('no longer in the list');
							lost++;
						});
					if (!read) return;
					expect(new Set(read).size).toBe(read.length);
					const stayed = numbered(count).filter((id) => !removed.has(id) && list.ids.length > 0);
					expect(read).toEqual(expect.arrayContaining(stayed));
				},
			),
			{ numRuns: runs },
		);
		expect(lost).toBeLessThan(runs / 4);
	});

	test('continues if every row that was read is removed', async () => {
		const list = new List(numbered(100));
		const read = await list.all(9, (items) => {
			list.ids = list.ids.filter((id) => !items.includes(id));
		});
		expect(read).toEqual(numbered(100));
		expect(list.ids).toEqual([]);
	});

	test('continues if the list changes while a batch is read', async () => {
		const list = new List(numbered(3000));
		list.beforePage = () => {
			if (list.requests % 5 === 0) list.ids.splice(0, 1);
		};
		const read = await list.all(2500);
		expect(new Set(read).size).toBe(read.length);
		expect(read.slice(-1000)).toEqual(numbered(3000).slice(-1000));
		expect(read).toEqual(numbered(3000));
	});

	test.each([
		['1,000 rows', 5, 1000],
		['a batch, if it is larger,', 2500, 2500],
	])('continues if up to %s were added or removed before it', async (_what, size, changed) => {
		const list = new List(numbered(7000), { ...DEFAULT_PAGING, cap: 300 });
		list.ids.unshift(...Array.from({ length: 3000 }, (_, n) => `first ${n}`));
		const { end } = await list.batch({ position: 5000, last: 'r1999', next: 'r2000' }, size);
		const next = numbered(7000).slice(2000 + size, 2000 + 2 * size);
		list.ids.splice(0, changed);
		expect((await list.batch(end, size)).items).toEqual(next);
		list.ids.unshift(...Array.from({ length: 2 * changed }, (_, n) => `new ${n}`));
		expect((await list.batch(end, size)).items).toEqual(next);
		list.ids.unshift(...numbered(1000).map((id) => `more ${id}`));
		await expect(list.batch(end, size)).rejects.toThrow('no longer in the list near their position');
	});

	test('reports that both rows around the position were deleted', async () => {
		const list = new List(numbered(20));
		const { end } = await list.batch(undefined, 5);
		list.ids = list.ids.filter((id) => id !== 'r4' && id !== 'r5');
		await expect(list.batch(end, 5)).rejects.toThrow('no longer in the list');
	});

	test('ends if the list was emptied', async () => {
		const list = new List(numbered(20));
		const { end } = await list.batch(undefined, 5);
		list.ids = [];
		expect(await list.batch(end, 5)).toEqual({ items: [], end: undefined });
	});

	test('continues with the next row if the last one moved away', async () => {
		const list = new List(numbered(20));
		const { end } = await list.batch(undefined, 5);
		list.ids = [...list.ids.filter((id) => id !== 'r4'), 'r4'];
		expect((await list.batch(end, 5)).items).toEqual(['r5', 'r6', 'r7', 'r8', 'r9']);
	});

	test('reports that the last row and the next one swapped their positions', async () => {
		const list = new List(numbered(20));
		const { end } = await list.batch(undefined, 5);
		list.ids.splice(4, 2, 'r5', 'r4');
		await expect(list.batch(end, 5)).rejects.toThrow('is now after the row that followed it');
	});

	test('reports that the last row keeps moving to the end of what is read', async () => {
		const list = new List(numbered(3000));
		const page = list.page.bind(list);
		list.page = (request) => {
			const place = request.pageIndex * request.pageSize - 1;
			if (list.requests < 50) list.ids = numbered(3000).toSpliced(place, 0, 'last');
			return page(request);
		};
		await expect(list.batch({ position: 10, last: 'last', next: null }, 5)).rejects.toThrow('kept changing');
	});

	test('reports a list that changes before every page', async () => {
		const list = new List(numbered(20), { ...DEFAULT_PAGING, cap: 1 });
		list.beforePage = () => {
			list.ids.push(`new ${list.requests}`);
		};
		await expect(list.batch(undefined, 5)).rejects.toThrow('kept changing');
	});
});
