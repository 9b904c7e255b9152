import fc from 'fast-check';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
	BadRequest,
	EndlessPages,
	EntryTooLarge,
	Forbidden,
	InvalidList,
	NotFound,
} from '../../../../client/errors';
import { ResponseTooLarge } from '../../../../client/http/responseLimit';
import { MAX_PAGES } from '../../../../client/lists/page';
import { Random } from '../../../simulation/random';
import { ids, list, rowsNumbered, SimulatedList, type Row } from '../../../simulation/simulatedList';
import { VirtualTime } from '../../../simulation/virtualTime';

/** Pages that were requested, in the order of their numbers. */
const inOrder = ({ asked }: SimulatedList) => [...asked].sort(([a], [b]) => a - b);

describe('a part is never presented as the whole', () => {
	it.each([
		[0, 300, 1],
		[1, 300, 1],
		[300, 300, 1],
		[301, 300, 2],
		[5000, 300, 17],
		[30_000, 1000, 30],
		[2500, 5000, 3],
	])('%d items with pages of at most %d take %d requests, in order', async (count, cap, requests) => {
		const simulated = list(count, cap);
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, count) });
		expect(simulated.asked).toHaveLength(requests);
	});

	it('an error on one page fails the whole read', async () => {
		const simulated = list(3000, 300);
		const error = new Forbidden({ status: 403 });
		simulated.answer = (page, pageIndex) => {
			if (pageIndex === 7) throw error;
			return page;
		};
		await expect(simulated.read()).rejects.toBe(error);
	});

	it.each([0, 5, 300, 301, 900])('bare arrays of %d items are read to their end', async (count) => {
		const simulated = list(count, 300);
		simulated.isBare = true;
		expect(await simulated.read({ maxPageSize: 300 })).toEqual({ items: rowsNumbered(1, count) });
		expect(simulated.asked).toHaveLength(Math.floor(count / 300) + 1);
	});

	it('a bare array that is longer than requested is the whole list', async () => {
		const simulated = list(0);
		simulated.answer = () => ({ items: rowsNumbered(1, 1500) });
		expect(await simulated.read({ maxPageSize: 300 })).toEqual({ items: rowsNumbered(1, 1500) });
		expect(simulated.asked).toHaveLength(1);
	});

	it('a bare array of exactly the requested size that is repeated has ended', async () => {
		const simulated = list(0);
		simulated.answer = () => ({ items: rowsNumbered(1, 300) });
		expect(await simulated.read({ maxPageSize: 300 })).toEqual({ items: rowsNumbered(1, 300) });
		expect(simulated.asked).toHaveLength(3);
	});

	it('a bare array whose page is pushed to the next place by new items goes on after it', async () => {
		const simulated = list(900);
		simulated.isBare = true;
		simulated.change = (answers) => {
			const added = Array.from({ length: 300 }, (_, index) => ({ _id: `new${index}` }));
			if (answers === 1) simulated.rows = [...added, ...simulated.rows];
		};
		expect(await simulated.read({ maxPageSize: 300 })).toEqual({ items: rowsNumbered(1, 900) });
	});

	it('a bare array of a larger size than the documented one may be cut, so it is read in that size', async () => {
		const simulated = list(700, 300);
		simulated.isBare = true;
		expect(await simulated.read()).toEqual({ items: simulated.rows });
		expect(simulated.asked.map(([, pageSize]) => pageSize)).toEqual([1000, 300, 300, 300]);
	});

	it('the list ends where the service has no further page', async () => {
		const simulated = list(600, 300);
		simulated.isBare = true;
		simulated.answer = (page) => {
			if (page.items.length === 0) throw new NotFound({ status: 404 });
			return page;
		};
		expect(await simulated.read({ maxPageSize: 300 })).toEqual({ items: simulated.rows });
	});

	it('a missing first page is an error', async () => {
		const simulated = list(600, 300);
		simulated.answer = () => {
			throw new NotFound({ status: 404 });
		};
		await expect(simulated.read()).rejects.toThrow(NotFound);
	});
});

describe('a page with fewer items than its counts say', () => {
	const short = (simulated: SimulatedList, times: number) => {
		simulated.answer = (page, pageIndex) =>
			pageIndex === 2 && times-- > 0
				? {
						...page,
						items: page.items.slice(1),
						contradiction: new InvalidList('short', { status: 200 }, ''),
					}
				: page;
		return simulated;
	};

	it('is read again, because the list may have changed', async () => {
		const simulated = short(list(900, 300), 2);
		expect(await simulated.read()).toEqual({ items: simulated.rows });
	});

	it('is an error if it stays so, not a shorter list', async () => {
		await expect(short(list(900, 300), 3).read()).rejects.toThrow('short');
	});
});

describe('the page size', () => {
	it('is the largest one at first, then that of the first response', async () => {
		const simulated = list(700, 300);
		await simulated.read();
		expect(inOrder(simulated)).toEqual([
			[1, 1000],
			[2, 300],
			[3, 300],
		]);
	});

	it('is the documented one if the service refuses a larger one', async () => {
		const simulated = list(700, 300);
		simulated.refuse = (_pageIndex, pageSize) =>
			pageSize > 300 ? new BadRequest({ status: 400 }) : undefined;
		expect(await simulated.read()).toEqual({ items: simulated.rows });
	});

	it('is not lowered after any other refusal', async () => {
		const simulated = list(700, 300);
		simulated.refuse = () => new BadRequest({ status: 400 });
		await expect(simulated.read()).rejects.toThrow(BadRequest);
		expect(simulated.asked.length).toBeLessThan(4);
	});

	it.each([
		['the first page', 1, 40],
		['a later page', 2350, 40],
		['two pages', 980, 70],
	])('is halved for the whole list if rows of %s are too large', async (_which, from, many) => {
		const simulated = list(2500);
		const large = new Set(ids({ items: rowsNumbered(from, from + many - 1) }));
		simulated.refuse = (pageIndex, pageSize) => {
			const rows = simulated.rows.slice((pageIndex - 1) * pageSize, pageIndex * pageSize);
			const size = rows.reduce((sum, { _id }) => sum + (large.has(_id) ? 30 : 1), 0);
			return size > 1000 ? new ResponseTooLarge(1) : undefined;
		};
		expect(await simulated.read()).toEqual({ items: simulated.rows });
	});

	it.each([1, 777, 2500])('of one item that is still too large names its position: %d', async (position) => {
		const simulated = list(2500);
		simulated.refuse = (pageIndex, pageSize) =>
			(pageIndex - 1) * pageSize < position && position <= pageIndex * pageSize
				? new ResponseTooLarge(1)
				: undefined;
		await expect(simulated.read()).rejects.toThrow(EntryTooLarge);
		await expect(simulated.read()).rejects.toThrow(`Number ${position} of the list is too large`);
		expect(simulated.asked.length).toBeLessThan(2 * 40);
	});
});

describe('Limit is exact', () => {
	it.each([
		[50, 1000, [[1, 50]]],
		[1, 1000, [[1, 1]]],
		[
			1000,
			300,
			[
				[1, 1000],
				[2, 300],
				[3, 300],
				[4, 300],
			],
		],
		[
			1500,
			1000,
			[
				[1, 750],
				[2, 750],
			],
		],
	])('%d with pages of at most %d reads only the pages that are needed', async (limit, cap, asked) => {
		const simulated = list(5000, cap);
		expect(await simulated.read({ limit })).toEqual({ items: rowsNumbered(1, limit) });
		expect(inOrder(simulated)).toEqual(asked);
	});

	it('of 0 sends no request', async () => {
		const simulated = list(10);
		expect(await simulated.read({ limit: 0 })).toEqual({ items: [] });
		expect(simulated.asked).toEqual([]);
	});

	it('never requests more pages than needed, and keeps the order', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(3000),
				fc.integer({ min: 1, max: 1200 }),
				fc.integer({ min: 1, max: 3500 }),
				async (count, cap, limit) => {
					const simulated = list(count, cap);
					expect(await simulated.read({ limit })).toEqual({
						items: rowsNumbered(1, Math.min(count, limit)),
					});
					const size = Math.min(simulated.asked[0]?.[1] ?? 0, cap);
					const pages = Math.max(1, Math.ceil(Math.min(count, limit) / size));
					expect(simulated.asked).toHaveLength(pages);
				},
			),
			{ numRuns: 60 },
		);
	});

	it('although a row moves from the first page to the second, and another one takes its place', async () => {
		const simulated = list(900, 300);
		simulated.change = (answers) => {
			const [first, ...others] = simulated.rows;
			if (answers === 1 && first) simulated.rows = others.toSpliced(450, 0, first);
		};
		expect(ids(await simulated.read({ limit: 600 }))).toEqual(ids({ items: simulated.rows.slice(0, 600) }));
	});

	it('of pages: a longer list is not read past its first page', async () => {
		const simulated = list(5000, 300);
		expect(await simulated.read({ maxPages: 16 })).toEqual({ items: [], isTooLong: true });
		expect(simulated.asked).toHaveLength(1);
		expect((await simulated.read({ maxPages: 17 })).items).toHaveLength(5000);
	});
});

describe('each row once, in the order of the pages', () => {
	it('a list that only grows at its end is not read again completely', async () => {
		const simulated = list(6000, 300);
		simulated.change = (answers) => {
			if (answers % 5 === 0 && answers <= 20) simulated.rows = [...simulated.rows, { _id: `new${answers}` }];
		};
		expect(await simulated.read()).toEqual({ items: simulated.rows });
		expect(simulated.asked.length).toBeLessThanOrEqual(25);
	});

	it('a list that keeps changing is returned with a notice', async () => {
		const simulated = list(3000, 300);
		let gone = 0;
		simulated.change = (answers) => {
			if (answers % 3 !== 0) return;
			gone++;
			simulated.rows = simulated.rows.slice(1);
		};
		const result = await simulated.read();
		expect(result.unstable).toMatchObject({ readings: 3 });
		expect(result.unstable?.found).toBeGreaterThan(2500);
		expect(result.unstable?.numberOfItems.length).toBeGreaterThan(1);
		const given = new Set(ids(result));
		expect(given.size).toBe(result.items.length);
		expect(simulated.rows.filter((row) => !given.has(row._id)).length).toBeLessThanOrEqual(gone);
	});

	it('a list whose count stays wrong is returned with a notice', async () => {
		const simulated = list(900, 300);
		simulated.answer = (page) => ({ ...page, numberOfItems: 950 });
		const result = await simulated.read();
		expect(result.items).toEqual(rowsNumbered(1, 900));
		expect(result.unstable).toEqual({ readings: 3, numberOfItems: [950], found: 900, duplicates: 0 });
	});

	it('pages that overlap, because equal rows have no fixed order, are returned with a notice', async () => {
		const simulated = list(1200, 300);
		const rows = rowsNumbered(1, 1200);
		// Each offset sorts equal rows in its own way, so the same rows are missing in every reading.
		simulated.change = () => undefined;
		simulated.answer = (page, pageIndex) => {
			const ties = pageIndex === 2 ? [...rows.slice(20), ...rows.slice(0, 20)] : rows;
			return { ...page, items: ties.slice((pageIndex - 1) * 300, pageIndex * 300) };
		};
		const result = await simulated.read();
		expect(new Set(ids(result)).size).toBeLessThan(1200);
		expect(result.unstable).toMatchObject({ readings: 3 });
	});

	it('no row that exists the whole time is lost or returned twice', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					seed: fc.integer(),
					count: fc.integer({ min: 1, max: 900 }),
					cap: fc.integer({ min: 5, max: 100 }),
					after: fc.integer({ min: 1, max: 30 }),
					changes: fc.array(fc.record({ adds: fc.boolean(), at: fc.nat() }), { minLength: 1, maxLength: 5 }),
				}),
				async ({ seed, count, cap, after, changes }) => {
					// Simultaneous additions and removals that cancel out leave all counts unchanged.
					fc.pre(changes.every((change) => change.adds === changes[0]?.adds));
					const rows = rowsNumbered(1, count);
					const simulated = new SimulatedList(new VirtualTime(), rows, cap, new Random(seed));
					simulated.change = (answers) => {
						if (answers !== after) return;
						changes.forEach(({ adds, at }, index) => {
							const place = at % (simulated.rows.length + 1);
							const added = adds ? [{ _id: `new${index}` }] : [];
							simulated.rows = [
								...simulated.rows.slice(0, place),
								...added,
								...simulated.rows.slice(adds ? place : place + 1),
							];
						});
					};
					const result = await simulated.read();
					const given = ids(result);
					expect(new Set(given).size).toBe(given.length);
					const kept = simulated.rows.filter((row) => !row._id.startsWith('new')).map((row) => row._id);
					expect(kept.filter((id) => !new Set(given).has(id))).toEqual([]);
					expect(result.unstable).toBeUndefined();
				},
			),
			{ numRuns: 200 },
		);
	});
});

describe('a stream', () => {
	it('has the pages in their order, with few of them in memory', async () => {
		const simulated = list(20_000, 100);
		let read = 0;
		let most = 0;
		const { result } = await simulated.stream(async (pages) => {
			const found: string[] = [];
			for await (const page of pages) {
				read++;
				most = Math.max(most, simulated.answers - read);
				found.push(...page.map(({ _id }) => _id));
			}
			return found;
		});
		expect(result).toEqual(ids({ items: rowsNumbered(1, 20_000) }));
		expect(most).toBeLessThanOrEqual(16);
	});

	it('holds nothing of a row in the JavaScript heap once its page is consumed', async () => {
		setFlagsFromString('--expose-gc');
		const heapUsed = () => {
			runInNewContext('gc()');
			return process.memoryUsage().heapUsed;
		};
		const simulated = list(300_000, 1000);
		const { result: heaps } = await simulated.stream(async (pages) => {
			const found: number[] = [];
			let read = 0;
			for await (const { length } of pages) {
				if (read === 0 || read + length === 300_000) found.push(heapUsed());
				read += length;
			}
			return found;
		});
		const [first = 0, last = Number.NaN] = heaps;
		// A set of the ids takes 11 MB.
		expect(last - first).toBeLessThan(4_000_000);
	});

	it('begins again if the list changed meanwhile', async () => {
		const simulated = list(3000, 300);
		simulated.change = (answers) => {
			if (answers === 4) simulated.rows = simulated.rows.filter((row) => row._id !== 'r2');
		};
		let readings = 0;
		const { result, unstable } = await simulated.stream(async (pages) => {
			readings++;
			const found: string[] = [];
			for await (const page of pages) found.push(...page.map(({ _id }) => _id));
			return found;
		});
		expect({ result, unstable, readings }).toEqual({
			result: ids({ items: simulated.rows }),
			unstable: undefined,
			readings: 2,
		});
	});

	it('begins again if a row left a page already read, and another one restored the count', async () => {
		const simulated = list(900, 300);
		simulated.change = (answers) => {
			if (answers === 1) simulated.rows = simulated.rows.slice(1);
			if (answers === 2) simulated.rows = [...simulated.rows, { _id: 'new' }];
		};
		const collect = async (pages: AsyncIterable<Row[]>) => {
			const found: string[] = [];
			for await (const page of pages) found.push(...page.map(({ _id }) => _id));
			return found;
		};
		const { result } = await simulated.stream(collect, { atOnce: 1 });
		expect(result).toEqual(ids({ items: simulated.rows }));
	});

	it('that is stopped early reads nothing further', async () => {
		const simulated = list(3000, 300);
		const { result } = await simulated.stream(async (pages) => {
			for await (const page of pages) return page.length;
			return 0;
		});
		expect(result).toBe(300);
		expect(simulated.asked).toHaveLength(1);
	});
});

test('every request goes through the limiter, in parallel after the first page', async () => {
	const simulated = list(20_000, 100);
	await simulated.read();
	expect(simulated.asked).toHaveLength(200);
	expect(simulated.unlimited).toBe(0);
	// Sequentially, 200 pages of at least 10 virtual milliseconds would take 2,000.
	expect(simulated.time.now()).toBeLessThan(400);
});

describe('a list has at most 10,000 pages', () => {
	it('one that claims more is refused before they are read', async () => {
		const simulated = list(300, 300);
		const numberOfItems = 300 * (MAX_PAGES + 1);
		simulated.answer = (page) => ({ ...page, numberOfItems, numberOfPages: MAX_PAGES + 1 });
		await expect(simulated.read()).rejects.toThrow(EndlessPages);
		await expect(simulated.read()).rejects.toThrow('The list has 10001 pages of 300 items');
		expect(simulated.asked).toHaveLength(2);
	});

	it('one that claims more is still read up to a limit', async () => {
		const simulated = list(5000, 300);
		simulated.answer = (page) => ({ ...page, numberOfItems: 300e6, numberOfPages: 1e6 });
		expect(await simulated.read({ limit: 500 })).toEqual({ items: rowsNumbered(1, 500) });
		expect(simulated.asked).toHaveLength(2);
	});

	it('one that never ends is refused', async () => {
		const simulated = list(0);
		simulated.answer = (_page, pageIndex) => ({ items: rowsNumbered(pageIndex * 3, pageIndex * 3 + 2) });
		await expect(simulated.read({ maxPageSize: 3 })).rejects.toThrow(EndlessPages);
		expect(simulated.asked).toHaveLength(MAX_PAGES);
	});
});
