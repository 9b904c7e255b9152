import fc from 'fast-check';
import { createClient } from '../../../../../client';
import { InvalidInput } from '../../../../../client/errors';
import { fieldSchema } from '../../../../../client/resources/fields';
import { gridSchema } from '../../../../../client/resources/grids';
import { countRows, selectedRows } from '../../../../../nodes/Entity/reading/selectedRows';

const fields = [
	fieldSchema.parse({ id: 'n', name: 'Number', type: { name: 'integer' } }),
	fieldSchema.parse({ id: 's', name: 'State', type: { name: 'enum' } }),
];
const links = { entities: { href: '/api/rows', method: 'get' } };
const address = { userId: 'u', spaceId: 's', gridId: 'g' };
const grid = { ...gridSchema.parse({ id: 'g', name: 'Grid', _links: links }), address };

interface Row {
	n: number | null;
	s: string | null;
}
const row = fc.record({
	n: fc.option(fc.integer({ min: 0, max: 3 })),
	s: fc.option(fc.constantFrom('new', 'done')),
});
/** A condition as a filter and as a predicate: undefined for rows on which services may differ. */
const condition = fc.oneof(
	fc.integer({ min: 0, max: 3 }).map((n) => ({ filter: { n: { $eq: n } }, meets: (of: Row) => of.n === n })),
	fc.integer({ min: 0, max: 3 }).map((n) => ({
		filter: { n: { $gt: n } },
		meets: (of: Row) => (of.n === null ? undefined : of.n > n),
	})),
	fc.constantFrom('new', 'done').map((s) => ({ filter: { s: { $ne: s } }, meets: (of: Row) => of.s !== s })),
	fc.constant({ filter: { s: { $eq: null } }, meets: (of: Row) => of.s === null }),
);

/** Returns a client of a service that ignores filters. */
function clientOf(rows: readonly Row[]) {
	const items = rows.map((values, at) => ({ _id: `r${at}`, ...values }));
	const { length } = items;
	const counts = { page: 1, size: length, numberOfItems: length, numberOfPages: 1 };
	return createClient({
		baseUrl: 'http://127.0.0.1:1',
		transport: {
			send: ({ url }) => {
				const pageSize = Number(new URL(url).searchParams.get('pageSize'));
				const body = JSON.stringify({ ...counts, pageSize, items });
				return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body });
			},
			now: () => 0,
			sleep: () => Promise.resolve(),
		},
	});
}

test('of a service that ignores filters, no row is selected that does not meet the conditions', async () => {
	let refused = 0;
	let accepted = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(row, { maxLength: 8 }), condition, async (rows, given) => {
			const selection = { viewId: undefined, filter: given.filter };
			const read = () => {
				throw new Error('No input is read');
			};
			const client = clientOf(rows);
			const answers = rows.map(given.meets);
			const isRefused = answers.includes(false);
			const met = answers.filter((meets) => meets === true).length;
			const nameOf = (error: unknown) => (error instanceof InvalidInput ? InvalidInput.name : error);
			const found = await selectedRows(client, { grid, fields }, { selection, read }).then(
				({ length }) => length,
				nameOf,
			);
			const counted = await countRows(client, { grid, fields }, { selection, read }).catch(nameOf);
			if (isRefused) refused++;
			else accepted++;
			const { name } = InvalidInput;
			expect([found, counted]).toEqual(isRefused ? [name, name] : [met, rows.length]);
		}),
		{ numRuns: 2000, seed: 7 },
	);
	expect(Math.min(refused, accepted)).toBeGreaterThan(200);
});
