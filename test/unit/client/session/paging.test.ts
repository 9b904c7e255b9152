import fc from 'fast-check';
import { BadRequest, Forbidden, NotFound } from '../../../../client/errors';
import { ResponseTooLarge } from '../../../../client/http/responseLimit';
import { Random } from '../../../simulation/random';
import type { Page } from '../../../../client/hal/links';
import { bare, ids, list, rowsNumbered, SimulatedList, type Row } from '../../../simulation/simulatedList';
import { VirtualTime } from '../../../simulation/virtualTime';

describe('all items of an unchanged list', () => {
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
		const result = await simulated.read();
		expect(result).toEqual({ items: rowsNumbered(1, count) });
		expect(simulated.asked).toHaveLength(requests);
	});

	it('are requested in the largest pages first, then in the size of the first response', async () => {
		const simulated = list(700, 300);
		await simulated.read();
		expect([...simulated.asked].sort(([a], [b]) => a - b)).toEqual([
			[1, 1000],
			[2, 300],
			[3, 300],
		]);
	});

	it('are read in parallel after the first page', async () => {
		const simulated = list(20_000, 100);
		await simulated.read();
		// Sequentially, 200 pages of at least 10 virtual milliseconds would take 2,000.
		expect(simulated.time.now()).toBeLessThan(400);
	});

	it('are requested in pages of the documented size if the service refuses a larger one', async () => {
		const simulated = list(700, 300);
		const { fetchPage } = simulated;
		simulated.fetchPage = async (pageIndex, pageSize) => {
			if (pageSize > 300) throw new BadRequest({ status: 400 });
			return await fetchPage(pageIndex, pageSize);
		};
		expect((await simulated.read()).items).toHaveLength(700);
	});

	it('end where the service says that there is no such page', async () => {
		const simulated = list(700, 300);
		simulated.answer = ({ items }) => {
			if (items.length === 0) throw new NotFound({ status: 404 });
			return bare(items);
		};
		expect(await simulated.read()).toEqual({ items: simulated.rows });
	});

	it('are never returned partially: an error on one page fails the whole read', async () => {
		const simulated = list(3000, 300);
		const error = new Forbidden({ status: 403 });
		simulated.answer = (page, pageIndex) => {
			if (pageIndex === 7) throw error;
			return page;
		};
		await expect(simulated.read()).rejects.toBe(error);
	});
});

describe('a limit', () => {
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
	])('of %d with pages of at most %d reads only the pages that are needed', async (limit, cap, asked) => {
		const simulated = list(5000, cap);
		expect(await simulated.read(limit)).toEqual({ items: rowsNumbered(1, limit) });
		expect([...simulated.asked].sort(([a], [b]) => a - b)).toEqual(asked);
	});

	it('beyond the end returns all items', async () => {
		expect(await list(420, 300).read(1000)).toEqual({ items: rowsNumbered(1, 420) });
	});

	it('of 0 sends no request', async () => {
		const simulated = list(10);
		expect(await simulated.read(0)).toEqual({ items: [] });
		expect(simulated.asked).toEqual([]);
	});

	it('is reached with the next pages if pages are shorter than stated', async () => {
		const simulated = list(3000, 300);
		simulated.answer = (page) => ({ ...page, items: page.items.slice(0, 200) });
		const result = await simulated.read(1000);
		expect(result.items).toHaveLength(1000);
		expect(simulated.asked.length).toBeLessThanOrEqual(6);
	});

	it('never requests more pages than needed, and keeps the order', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(3000),
				fc.integer({ min: 1, max: 1200 }),
				fc.integer({ min: 1, max: 3500 }),
				async (count, cap, limit) => {
					const simulated = list(count, cap);
					expect(await simulated.read(limit)).toEqual({ items: rowsNumbered(1, Math.min(count, limit)) });
					const size = Math.min(simulated.asked[0]?.[1] ?? 0, cap);
					const pages = Math.max(1, Math.ceil(Math.min(count, limit) / size));
					expect(simulated.asked).toHaveLength(pages);
				},
			),
			{ numRuns: 60 },
		);
	});
});

describe('a list that changes while it is read', () => {
	it('is read again after a row was deleted, so that none is missing', async () => {
		const simulated = list(3000, 300);
		simulated.change = (answers) => {
			if (answers === 4) simulated.rows = simulated.rows.filter((row) => row._id !== 'r2');
		};
		const result = await simulated.read();
		expect(result).toEqual({ items: simulated.rows });
	});

	it.each([true, false])(
		'is read again if its page was read in parts meanwhile (counts: %s)',
		async (isCounted) => {
			const simulated = list(20, 1000);
			const { fetchPage } = simulated;
			simulated.fetchPage = async (pageIndex, pageSize) => {
				const page = await fetchPage(pageIndex, pageSize);
				if (page.items.length > 4) throw new ResponseTooLarge(1);
				if (page.items.some(({ _id }) => _id === 'r4'))
					simulated.rows = simulated.rows.filter(({ _id }) => _id !== 'r2');
				return isCounted ? page : { ...bare(page.items), pageSize };
			};
			expect(await simulated.read()).toEqual({ items: simulated.rows });
		},
	);

	it('returns a row once that moved from one page to the next', async () => {
		const simulated = list(3000, 300);
		simulated.change = (answers) => {
			if (answers === 4) simulated.rows = [{ _id: 'new' }, ...simulated.rows];
		};
		const result = await simulated.read();
		expect(ids(result)).toHaveLength(3001);
		expect(new Set(ids(result)).size).toBe(3001);
		expect(result.unstable).toBeUndefined();
	});

	it('is not read again completely if it only grows at its end', async () => {
		const simulated = list(6000, 300);
		simulated.change = (answers) => {
			if (answers % 5 === 0 && answers <= 20) simulated.rows = [...simulated.rows, { _id: `new${answers}` }];
		};
		const result = await simulated.read();
		expect(result).toEqual({ items: simulated.rows });
		expect(simulated.asked.length).toBeLessThanOrEqual(25);
	});

	it('that keeps changing is returned with a notice', async () => {
		const simulated = list(3000, 300);
		let gone = 0;
		simulated.change = (answers) => {
			if (answers % 3 !== 0) return;
			gone++;
			simulated.rows = simulated.rows.slice(1);
		};
		const result = await simulated.read();
		expect(result.unstable).toMatchObject({ scans: 3 });
		expect(result.unstable?.found).toBeGreaterThan(2500);
		expect(result.unstable?.numberOfItems.length).toBeGreaterThan(1);
		expect(new Set(ids(result)).size).toBe(result.items.length);
		const given = new Set(ids(result));
		expect(simulated.rows.filter((row) => !given.has(row._id)).length).toBeLessThanOrEqual(gone);
	});

	it('whose count stays wrong is returned with a notice', async () => {
		const simulated = list(900, 300);
		simulated.answer = (page) => ({ ...page, numberOfItems: 950 });
		const result = await simulated.read();
		expect(result.items).toEqual(rowsNumbered(1, 900));
		expect(result.unstable).toEqual({ scans: 3, numberOfItems: [950], found: 900, duplicates: 0 });
	});

	it.each([
		['counted', (page: Page<Row>) => page],
		['not counted', (page: Page<Row>) => bare(page.items)],
	])(
		'whose pages overlap, because equal rows have no fixed order, is returned with a notice: %s',
		async (_counts, answer) => {
			const simulated = list(1200, 300);
			const inOrder = simulated.rows;
			// Each offset sorts equal rows in its own way, so the same rows are missing in every scan.
			simulated.fetchPage = async (pageIndex, pageSize) => {
				simulated.asked.push([pageIndex, pageSize]);
				const size = Math.min(pageSize, 300);
				const ties = pageIndex === 2 ? [...inOrder.slice(20), ...inOrder.slice(0, 20)] : inOrder;
				const items = ties.slice((pageIndex - 1) * size, pageIndex * size);
				const page = { items, pageSize: size, numberOfItems: 1200, numberOfPages: 4, _links: new Map() };
				return await Promise.resolve(answer(page));
			};
			const result = await simulated.read();
			expect(new Set(ids(result)).size).toBeLessThan(1200);
			expect(result.unstable).toMatchObject({ scans: 3 });
		},
	);

	it('neither loses nor duplicates a row that exists the whole time', async () => {
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
