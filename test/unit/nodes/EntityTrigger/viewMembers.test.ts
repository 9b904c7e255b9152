import { createClient } from '../../../../client';
import { gridSchema } from '../../../../client/resources/grids';
import { isSampleDue, sampleView } from '../../../../nodes/EntityTrigger/viewMembers';

const address = { userId: 'u', spaceId: 's', gridId: 'g' };
const links = { entities: { href: '/api/rows', method: 'get' } };
const grid = { ...gridSchema.parse({ id: 'g', name: 'Grid', _links: links }), address };
const PAGE_SIZE = 2;

/** A view that loses rows. @param deletions number of rows deleted before a request, by request */
function viewOf(rows: string[], deletions: ReadonlyMap<number, number>) {
	let requests = 0;
	const page = (pageIndex: number) => {
		rows.splice(0, deletions.get(++requests) ?? 0);
		const items = rows.slice((pageIndex - 1) * PAGE_SIZE, pageIndex * PAGE_SIZE).map((_id) => ({ _id }));
		const counts = { numberOfItems: rows.length, numberOfPages: Math.ceil(rows.length / PAGE_SIZE) };
		return { page: pageIndex, pageSize: PAGE_SIZE, size: items.length, ...counts, items };
	};
	const client = createClient({
		baseUrl: 'http://127.0.0.1:1',
		transport: {
			send: ({ url }) => {
				const { pathname, searchParams } = new URL(url);
				const isList = pathname === '/api/rows';
				const row = /\/entities\/(.+)$/.exec(pathname)?.[1];
				const other = row === undefined ? { id: 'u', name: 'View' } : { _id: row };
				const body = isList ? page(Number(searchParams.get('pageIndex'))) : other;
				const headers = { 'content-type': 'application/json' };
				const status = row === undefined || rows.includes(row) ? 200 : 404;
				return Promise.resolve({ status, headers, body: JSON.stringify(body) });
			},
			now: () => 0,
			sleep: () => Promise.resolve(),
		},
	});
	return { client, grid, fields: [], viewId: 'v', isOver: () => false };
}

test('rows that the first sample passes over while the view changes have not entered it', async () => {
	// One row is deleted during each of the three readings of the first sample.
	const deletions = new Map([3, 6, 9].map((request) => [request, 1]));
	const view = viewOf(['1', '2', '3', '4', '5', '6', '7'], deletions);
	const kinds = new Set(['entered', 'left']);
	const { moves, members } = await sampleView(view, undefined, { limit: 100, now: 0, kinds });
	expect(moves).toEqual([]);
	const next = await sampleView(view, members, { limit: 100, now: 1, kinds });
	expect(new Set(next.members.ids)).toEqual(new Set(['4', '5', '6', '7']));
	expect(next.moves.filter(({ kind }) => kind === 'entered')).toEqual([]);
});

test('moves that are to be told again and exceed the limit are kept for the next sample', async () => {
	const view = viewOf(['1'], new Map());
	const options = { limit: 0, now: 0, kinds: new Set(['entered', 'left']) };
	const { members } = await sampleView(view, undefined, options);
	const again = { entered: ['1'], left: ['2'] };
	const next = await sampleView(view, { ...members, again }, options);
	expect(next.members).toMatchObject({ isDue: true, again });
});

const MINUTE = 60_000;

test.each([
	[2 * MINUTE, MINUTE + 30_000, true],
	[2 * MINUTE, MINUTE + 29_999, false],
	[0, 9 * MINUTE, false],
])('a view checked every %d ms is due after %d ms: %p', (checkViewEvery, now, isDue) => {
	const members = { definition: '', ids: [], at: 0, isDue: false };
	const kinds = new Set(['entered']);
	expect(isSampleDue({ kinds, checkViewEvery }, members, { hasNews: false, now })).toBe(isDue);
});
