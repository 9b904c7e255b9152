import { EndlessPages, UnreadableResponse } from '../../../../client/errors';
import { parseUpdates } from '../../../../client/resources/updates/feedPage';
import { readFeed } from '../../../../client/resources/updates/feedReading';

const change = { id: 'u1', type: 'updated', entityId: 'e1', timestamp: '2026-03-01T12:00:00Z' };

describe('changes listed by kind in addition to the list', () => {
	test.each([
		[{ items: [change], deleted: ['e2'], page: 1, numberOfPages: 1, numberOfItems: 1 }],
		[{ items: [change], deletedIds: ['e2'] }],
		[{ _embedded: { updates: [change], removed: [{ entityId: 'e2' }] } }],
		[{ updated: [change], removed_ids: ['e2'] }],
	])('are read from %j', (body) => {
		const { updates, total } = parseUpdates(body);
		expect(updates.map(({ entityId, kind }) => [entityId, kind])).toEqual([
			['e1', 'updated'],
			['e2', 'deleted'],
		]);
		expect(total).toBeUndefined();
	});

	test('other lists of a page are not changes', () => {
		const body = { items: [change], warnings: ['slow'], columns: [{ id: 'f1' }], order: ['time'] };
		expect(parseUpdates(body).updates).toHaveLength(1);
	});
});

describe('a list that a service writes as null if it is empty', () => {
	test.each([
		[{ items: null, page: 1, size: 0, numberOfItems: 0, numberOfPages: 0 }],
		[{ items: null, page: 3, size: 0, numberOfItems: 5, numberOfPages: 2 }],
		[{ since: '2026-03-01T12:00:00Z', changes: null }],
		[{ _embedded: { updates: null } }],
		[{ created: null, updated: null, deleted: null }],
	])('is read from %j', (body) => {
		expect(parseUpdates(body).updates).toEqual([]);
	});

	test.each([
		[{ created: null, updated: [change], deleted: null }],
		[{ items: null, size: 0, updated: [change] }],
	])('hides no other list in %j', (body) => {
		expect(parseUpdates(body).updates.map(({ entityId }) => entityId)).toEqual(['e1']);
	});

	test.each([[{ items: null, size: 2 }], [{ items: null, numberOfItems: 2 }], [{ error: null }]])(
		'is not assumed in %j',
		(body) => {
			expect(() => parseUpdates(body)).toThrow(UnreadableResponse);
		},
	);
});

describe('reading a feed to its end', () => {
	/** Reads a feed. @param bodies by page; the last one repeats */
	const entitiesIn = async (bodies: readonly object[], countsExcluded?: () => Promise<boolean>) => {
		let requests = 0;
		const updates = await readFeed({
			fetchPage: (pageIndex) => {
				requests++;
				const body = bodies[Math.min(pageIndex, bodies.length) - 1];
				return Promise.resolve({ ...parseUpdates(body), bytes: 100, took: 1 });
			},
			limit: 1000,
			countsExcluded,
			now: () => 0,
		});
		return { requests, rows: updates.flatMap((update) => ('entityId' in update ? [update.entityId] : [])) };
	};
	const of = (entityId: string) => ({ ...change, id: entityId, entityId });

	test('an empty page does not end the feed if more pages are counted', async () => {
		const pages = [
			{ items: [], page: 1, numberOfPages: 3 },
			{ items: [of('e1')], page: 2, numberOfPages: 3 },
			{ items: [of('e2')], page: 3, numberOfPages: 3 },
		];
		expect(await entitiesIn(pages)).toEqual({ requests: 3, rows: ['e1', 'e2'] });
	});

	test('many empty pages do not end the feed if the service only counts changes after since', async () => {
		const hidden = Array.from({ length: 30 }, (_, index) => ({
			items: [],
			page: index + 1,
			numberOfPages: 31,
		}));
		const pages = [...hidden, { items: [of('e1')], page: 31, numberOfPages: 31 }];
		const read = await entitiesIn(pages, () => Promise.resolve(false));
		expect(read.rows).toEqual(['e1']);
	});

	test('requests only a few empty pages from a service that also counts changes before since', async () => {
		const pages = [
			{ items: [of('e1')], page: 1, numberOfPages: 500 },
			{ items: [], page: 2, numberOfPages: 500 },
		];
		expect(await entitiesIn(pages)).toEqual({ requests: 21, rows: ['e1'] });
	});

	test('a page that repeats another page because changes moved down does not end the feed', async () => {
		const pages = [of('e1'), of('e1'), of('e2')].map((entry, index) => ({
			items: [entry],
			page: index + 1,
			numberOfPages: 3,
		}));
		expect((await entitiesIn(pages)).rows).toEqual(['e1', 'e2']);
	});

	test('a feed that claims more pages but repeats itself causes an error', async () => {
		await expect(entitiesIn([{ items: [of('e1')], page: 1, numberOfPages: 2 }])).rejects.toThrow(
			EndlessPages,
		);
	});

	test.each([3, 5, 6, 7])(
		'pages of at most %i that state the requested size are read to the end',
		async (cap) => {
			for (let total = 1; total <= 40; total++) {
				const all = Array.from({ length: total }, (_, index) => of(`e${index}`));
				const updates = await readFeed({
					fetchPage: (page, pageSize) => {
						const size = Math.min(cap, pageSize);
						const items = all.slice((page - 1) * size, page * size);
						const body = { items, page, pageSize, numberOfItems: total };
						return Promise.resolve({ ...parseUpdates(body), bytes: 100, took: 1 });
					},
					limit: 1000,
					now: () => 0,
				});
				expect(updates).toHaveLength(total);
			}
		},
	);

	test('a feed without counts ends at a page with nothing new', async () => {
		expect(await entitiesIn([[of('e1')], [of('e1')]])).toEqual({ requests: 2, rows: ['e1'] });
	});
});
