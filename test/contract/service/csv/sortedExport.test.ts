import { fieldIds, id, makeGrid, testService } from '../http';

/** More rows than one statement reads. */
const ROWS = 9000;
type Direction = 'ascending' | 'descending';
type Line = readonly [text: string | null, n: number | null, position: number];

const { owner } = testService();
let grid: string;
let ids: Record<string, string>;
/** Many texts and numbers are equal, and some cells are empty. */
const lines = Array.from({ length: ROWS }, (_, position): Line => {
	const text = (position * 7919) % 41;
	return [text === 0 ? null : `text ${text}`, position % 13 === 0 ? null : (position * 31) % 17, position];
});
const toCsv = (all: readonly Line[]) =>
	`text,n,position\n${all.map((line) => `${line.join(',')}\n`).join('')}`;

beforeAll(async () => {
	const { space } = await makeGrid(owner, {});
	const types = { text: 'string', n: 'integer', position: 'integer' };
	grid = await owner.create(`${space}/uploadCSV`, { name: 'Large', file: toCsv(lines), types });
	ids = await fieldIds(owner, grid, 'name');
});

/** Compares values; an empty one is before all others. */
const compared = (one: string | number | null, other: string | number | null) =>
	one === other ? 0 : one === null || (other !== null && one < other) ? -1 : 1;

const COLUMNS = { text: 0, n: 1 } as const;
type Orders = ReadonlyArray<readonly [keyof typeof COLUMNS, Direction]>;

/** Equal rows keep the order of the grid in the direction of the first field. */
function sorted(orders: Orders): Line[] {
	const sign = (direction: Direction | undefined) => (direction === 'descending' ? -1 : 1);
	return [...lines].sort(
		(one, other) =>
			orders
				.map(([column, direction]) => {
					const index = COLUMNS[column];
					return sign(direction) * compared(one[index], other[index]);
				})
				.find((difference) => difference !== 0) ?? sign(orders[0]?.[1]) * (one[2] - other[2]),
	);
}

const orderings: Orders[] = [
	[['text', 'ascending']],
	[['text', 'descending']],
	[['n', 'ascending']],
	[['n', 'descending']],
	[['text', 'ascending'], ['n', 'descending']], // prettier-ignore
	[['n', 'descending'], ['text', 'ascending']], // prettier-ignore
	[['n', 'descending'], ['text', 'descending']], // prettier-ignore
];
const sortingOf = (orders: Orders) =>
	Object.fromEntries(orders.map(([column, direction]) => [id(ids, column), { $order: direction }]));

test.each(orderings.map((orders) => [JSON.stringify(orders), orders] as const))(
	'an export of a large grid is in the order of %s, also through a view',
	async (name, orders) => {
		const expected = toCsv(sorted(orders));
		const sorting = sortingOf(orders);
		const all = await owner.get(`${grid}/csv`, { sorting: JSON.stringify(sorting) });
		expect(all.text).toBe(expected);
		const fields = Object.values(ids);
		const view = await owner.create(`${grid}/virtualgrids`, { name, fields, filter: {}, sorting });
		expect((await owner.get(`${view}/csv`)).text).toBe(expected);
	},
);
