import '../../fixtures/skippedWaits';
import { z } from 'zod/v4';
import type { Fault } from '../../../testbed/proxy/faultProxy';
import { rewrite } from '../../../testbed/proxy/rewriting';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** §2.1: a list that lacks a column, from a service that also ignores filters. */
const bed = new ProxiedWorld();
const pageSchema = z.looseObject({ items: z.array(z.looseObject({ _id: z.string() })) });
const ROWS = ['a', 'b', 'c', 'd', 'e'].map((Name) => ({ Name, Amount: Name === 'd' ? 1.5 : null }));
const RENAMED = ROWS.map((row) => (row.Name === 'd' ? { ...row, Name: 'new' } : row));
let grid: WorldGrid;

/** @param disturbed numbers of the reads of single rows that have the fault */
function disturb(fault: Fault, disturbed: { from: number; to: number }) {
	const amount = grid.id('Amount');
	let reads = 0;
	bed.proxy.setRules(
		({ path }) => {
			if (!/\/entities\/[0-9a-f]+\?/.test(path)) return undefined;
			reads += 1;
			return reads >= disturbed.from && reads <= disturbed.to ? fault : undefined;
		},
		rewrite({
			request: (path) => path.replace(/([?&])filter=[^&]*/, '$1'),
			response({ path, status, body }) {
				if (!/\/entities(\?|$)/.test(path) || status !== 200) return {};
				const page = pageSchema.parse(JSON.parse(body));
				const items = page.items.map((row) => ({ ...row, [amount]: undefined }));
				return { body: JSON.stringify({ ...page, items }) };
			},
		}),
	);
}

const FAULTS: Fault[] = [
	{ kind: 'response', status: 503 },
	{ kind: 'response', status: 404 },
	{ kind: 'cutBody' },
];
const cases = FAULTS.flatMap((fault) => [2, Infinity].map((to) => ({ fault, from: 2, to })));

/** Rows are created concurrently, so in any order. */
const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort();

const withoutAmount = () => ({
	conditions: { condition: [{ column: grid.id('Amount'), operator: 'null', value: '' }] },
	options: { limitPercent: 100 },
});
const renamed = [{ Name: 'new', Amount: 1.5 }];
const changed = () => ({ ...grid.mapped({ Name: 'z' }), ...withoutAmount() });

it.each([
	// The service returns a row that does not meet the condition, so nothing may be done.
	['Delete Many', ROWS, async () => await grid.run('deleteMany', withoutAmount())],
	['Update Many', ROWS, async () => await grid.run('updateMany', changed())],
	['Create or Update', RENAMED, async () => await grid.run('upsert', grid.auto(['Amount']), renamed)],
	['Sync', RENAMED, async () => await grid.run('sync', grid.auto(['Amount']), renamed)],
])('%s writes nothing wrong if reading rows in full fails', async (_operation, expected, run) => {
	const errors: boolean[] = [];
	for (const { fault, ...disturbed } of cases) {
		grid = await bed.grid({ Name: 'string', Amount: 'decimal' });
		await grid.fill(...ROWS);
		disturb(fault, disturbed);
		const { error } = await run();
		bed.proxy.setRules();
		const rows = (await grid.rows()).map(({ Name, Amount }) => ({ Name, Amount }));
		const due: object[] = error === undefined ? expected : ROWS;
		expect({ fault, disturbed, rows: sorted(rows) }).toEqual({ fault, disturbed, rows: sorted(due) });
		errors.push(error !== undefined);
	}
	// A fault that ends is survived; one that stays is told.
	expect(errors.filter(Boolean).length).toBeGreaterThanOrEqual(cases.length / 2);
});
