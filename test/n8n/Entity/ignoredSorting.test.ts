import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** §2.8 documents the order `ascending` only: a service may ignore another one. */
const bed = new ProxiedWorld();
let grid: WorldGrid;

beforeAll(async () => {
	grid = await bed.grid({ Name: 'string', Count: 'integer', At: 'date-time' });
	await grid.fill(
		{ Name: 'b', Count: 10, At: '2026-03-01T10:00:00Z' },
		{ Name: 'C', Count: 9, At: '2026-03-01T09:00:00Z' },
		{ Name: 'a' },
		{ Name: 'd', Count: 11, At: '2026-03-01T11:00:00Z' },
	);
});

const sorted = async (column: string, direction: string, parameters: object = {}) =>
	await grid.run('getMany', {
		returnAll: true,
		options: { sort: { by: [{ column: grid.id(column), direction }] } },
		...parameters,
	});
const ignoreSorting = () => {
	bed.proxy.setRules(({ path }) => ({
		kind: 'change',
		request: { path: path.replace(/sorting=[^&]*/, '') },
	}));
};

test.each(['ascending', 'descending'])(
	'a hint reports a service that ignores the order %s',
	async (direction) => {
		ignoreSorting();
		for (const column of ['Count', 'At']) {
			const { hints, rows } = await sorted(column, direction);
			expect(hints).toEqual([
				`The service did not sort the rows by "${column}" as requested. Sort them in a later node.`,
			]);
			expect(rows).toHaveLength(4);
		}
	},
);

test('with a limit, the hint says that the first rows may not be the right ones', async () => {
	ignoreSorting();
	const { hints } = await sorted('Count', 'ascending', { returnAll: false, limit: 2 });
	expect(hints.join()).toContain('The first rows may not be the right ones');
});

test.each(['ascending', 'descending'])('rows in %s order cause no hint', async (direction) => {
	for (const column of ['Count', 'At', 'Name']) expect((await sorted(column, direction)).hints).toEqual([]);
});
