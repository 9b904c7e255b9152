import '../../fixtures/skippedWaits';
import { z } from 'zod/v4';
import type { PassingResponse } from '../../../testbed/proxy/faultProxy';
import { rewrite } from '../../../testbed/proxy/rewriting';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** The specification does not say how soon a list has a new row: here, lists come from an index. */
const bed = new ProxiedWorld();
const rowsSchema = z.looseObject({ items: z.array(z.looseObject({ _id: z.string() })) });

let grid: WorldGrid;
beforeEach(async () => {
	grid = await bed.grid({ Name: 'string', Price: 'decimal', Count: 'integer' });
	await grid.fill({ Name: 'old', Price: 0.5, Count: 0 });
});

const idIn = (path: unknown) => /\/entities\/([^/?]+)/.exec(String(path))?.[1] ?? '';

/**
 * New rows are missing from all lists.
 * @param unreadable number of times that a new row is not found at its own address either
 */
function hideNewRows(unreadable = 0): void {
	const reads = new Map<string, number>();
	const listed = ({ body }: PassingResponse) => {
		const page = rowsSchema.parse(JSON.parse(body));
		const items = page.items.filter(({ _id }) => !reads.has(_id));
		const counts = { size: items.length, numberOfItems: items.length };
		return { body: JSON.stringify({ ...page, ...counts, items }) };
	};
	bed.proxy.setRules(
		rewrite({
			response(passing) {
				const { method, path, status, headers } = passing;
				if (method === 'POST' && status === 201) reads.set(idIn(headers.location), 0);
				if (method !== 'GET' || status !== 200) return {};
				if (/\/entities\?/.test(path)) return listed(passing);
				const read = reads.get(idIn(path));
				if (read === undefined || read >= unreadable) return {};
				reads.set(idIn(path), read + 1);
				return { status: 404, body: '{}' };
			},
		}),
	);
}

const upserted = async (keys: string[], items: Array<Record<string, string | number>>) => {
	const { rows, error } = await grid.run('upsert', grid.auto(keys), items);
	expect(error).toBeUndefined();
	return rows.map(({ _outcome }) => _outcome);
};

test('Create avoids duplicates of a row that the same run has created', async () => {
	hideNewRows();
	const given = { ...grid.auto(), options: { avoidDuplicatesBy: ['Name'] } };
	const items = ['new', 'new', 'old'].map((Name) => ({ Name, Count: 1 }));
	const { rows, error } = await grid.run('create', given, items);
	expect(error).toBeUndefined();
	expect(rows.map(({ _outcome }) => _outcome)).toEqual(['created', 'existing', 'existing']);
	expect(rows[1]?.['_id']).toBe(rows[0]?.['_id']);
	expect(await grid.rows()).toHaveLength(2);
});

test.each([
	['Name', 'oneByOne'],
	['Name', 'allAtOnce'],
	['Price', 'automatic'],
])('Create or Update by %s (%s) updates a row that the same run has created', async (key, findRows) => {
	hideNewRows();
	const items = [1, 2, 2].map((Count) => ({ Name: 'new', Price: 1.5, Count }));
	const given = { ...grid.auto([key]), options: { findRows } };
	const { rows, error } = await grid.run('upsert', given, items);
	expect(error).toBeUndefined();
	expect(rows.map(({ _outcome }) => _outcome)).toEqual(['created', 'updated', 'unchanged']);
	expect((await grid.rows()).map(({ Count }) => Count).sort()).toEqual([0, 2]);
});

test('a new row that cannot be read yet is awaited', async () => {
	hideNewRows(2);
	const items = [1, 2].map((Count) => ({ Name: 'new', Count }));
	expect(await upserted(['Name'], items)).toEqual(['created', 'updated']);
	expect(await grid.rows()).toHaveLength(2);
});

test('a new row that was deleted in the meantime is created again', async () => {
	hideNewRows(Number.POSITIVE_INFINITY);
	const items = [1, 2].map((Count) => ({ Name: 'new', Count }));
	expect(await upserted(['Name'], items)).toEqual(['created', 'created']);
});
