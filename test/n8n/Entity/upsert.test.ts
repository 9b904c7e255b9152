import '../../fixtures/skippedWaits';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const anyId: unknown = expect.any(String);
const bed = new ProxiedWorld();
let orders: WorldGrid;

beforeEach(async () => {
	orders = await bed.grid({ Order: 'string', Line: 'integer', Amount: 'decimal', At: 'date-time' });
});

describe('Create or Update', () => {
	test('creates missing rows, updates changed ones, and does not write unchanged ones', async () => {
		await orders.fill({ Order: 'A', Amount: 1 }, { Order: 'B', Amount: 2, At: '2026-01-01T12:00:00Z' });
		const { rows, items, error, hints } = await orders.run('upsert', orders.auto(['Order']), [
			{ Order: 'A', Amount: 5 },
			{ Order: 'B', Amount: '2', At: '2026-01-01T13:00:00+01:00' },
			{ Order: 'C', Amount: 0 },
		]);
		expect(error).toBeUndefined();
		const made = [
			{ fieldId: orders.id('Order'), field: 'Order', old: null, new: 'C' },
			{ fieldId: orders.id('Amount'), field: 'Amount', old: null, new: 0 },
		];
		expect(rows).toEqual([
			expect.objectContaining({
				Order: 'A',
				Amount: 5,
				_outcome: 'updated',
				_changes: [{ fieldId: orders.id('Amount'), field: 'Amount', old: 1, new: 5 }],
			}),
			expect.objectContaining({ Order: 'B', Amount: 2, _outcome: 'unchanged', _changes: [] }),
			{ _id: anyId, Order: 'C', Amount: 0, _outcome: 'created', _changes: made },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(hints).toEqual(['1 updated, 1 created, 1 unchanged']);
	});

	test('creates and updates no more rows than the limits allow', async () => {
		await orders.fill({ Order: 'A', Amount: 1 });
		const input = [
			{ Order: 'A', Amount: 5 },
			{ Order: 'B', Amount: 1 },
			{ Order: 'B', Amount: 2 },
			{ Order: 'C', Amount: 1 },
		];
		const run = async (options: object) =>
			await orders.run('upsert', { ...orders.auto(['Order']), options: { ...options } }, input);
		const created = await run({ creationLimit: 1 });
		expect(created.error?.message).toContain('2 rows of');
		expect(created.error?.message).toContain('would be created, which is more than 1; nothing was written');
		const updated = await run({ updateLimit: 0 });
		expect(updated.error?.message).toContain('would be updated, which is more than 0');
		const oneByOne = await run({ creationLimit: 1, findRows: 'oneByOne' });
		expect(oneByOne.error?.message).toContain('"Creation Limit" cannot be checked');
		expect(await orders.rows()).toHaveLength(1);
		const allowed = await run({ creationLimit: 2, updateLimit: 1 });
		expect(allowed.hints).toEqual(['2 updated, 2 created']);
	});

	test('a dry run over a limit shows its plan with a warning', async () => {
		const given = { ...orders.auto(['Order']), dryRun: true, options: { creationLimit: 0 } };
		const { rows, hints } = await orders.run('upsert', given, [{ Order: 'A' }]);
		expect(rows).toMatchObject([{ Order: 'A', _outcome: 'create' }]);
		expect(hints.join()).toContain('Without "Dry Run", this run would fail: 1 row of');
	});

	test('a column whose expression returns undefined is skipped with a hint', async () => {
		const [id = ''] = await orders.fill({ Order: 'A', Amount: 1 });
		const given = orders.mapped({ Order: 'A', Amount: '={{ $json.gone }}' }, ['Order']);
		const { rows, hints } = await orders.run('upsert', given, [{}]);
		expect(rows).toMatchObject([{ _id: id, _outcome: 'unchanged', Amount: 1 }]);
		expect(hints).toEqual([
			'1 unchanged',
			'Not written in some items, because the expression returns undefined there: Amount',
		]);
	});

	test('several rows with a key are an error that lists their ids, unless Update First or All is chosen', async () => {
		const ids = await orders.fill({ Order: 'A' }, { Order: 'A' });
		const input = [{ Order: 'A', Amount: 3 }];
		const { error } = await orders.run('upsert', orders.auto(['Order']), input);
		expect(error?.message).toContain('2 rows have Order "A"');
		for (const id of ids) expect(error?.message).toContain(id);
		const first = { ...orders.auto(['Order']), options: { whenSeveral: 'first' } };
		expect((await orders.run('upsert', first, input)).rows).toHaveLength(1);
		const all = { ...orders.auto(['Order']), options: { whenSeveral: 'all' } };
		expect((await orders.run('upsert', all, input)).rows.map(({ _outcome }) => _outcome)).toEqual([
			'unchanged',
			'updated',
		]);
	});

	test.each([
		['failed', 400, 'could not be updated'],
		['was answered with 202', 202, 'may not have been updated: It is unknown'],
	])('Update All names the rows that it updated before one %s', async (_what, status, words) => {
		const [first = '', second = ''] = await orders.fill({ Order: 'A' }, { Order: 'A' });
		const updates: string[] = [];
		bed.proxy.setRules(({ method, path }) => {
			if (method !== 'PUT') return undefined;
			updates.push(path);
			return updates.length === 2 ? { kind: 'response', status } : undefined;
		});
		const all = { ...orders.auto(['Order']), options: { whenSeveral: 'all' } };
		const { error } = await orders.run('upsert', all, [{ Order: 'A', Amount: 3 }]);
		expect(error?.message).toContain(`Updated the row ${first}, but the row ${second} ${words}`);
		expect((await orders.rows()).map(({ Amount }) => Amount)).toEqual([3, null]);
	});

	test('distinguishes 0, false, "" and null', async () => {
		const grid = await bed.grid({ Key: 'string', Count: 'integer', Done: 'boolean', Text: 'string' });
		await grid.fill({ Key: 'k', Count: 1, Done: true, Text: 'x' });
		const write = async (values: Record<string, string | number | boolean | null>) =>
			(await grid.run('upsert', grid.mapped({ Key: 'k', ...values }, ['Key']))).rows[0]?._outcome;
		expect(await write({ Count: 0, Done: false, Text: '' })).toBe('updated');
		expect(await grid.rows()).toEqual([{ Key: 'k', Count: 0, Done: false, Text: '' }]);
		expect(await write({ Count: null, Done: null, Text: null })).toBe('updated');
		expect(await grid.rows()).toEqual([{ Key: 'k', Count: null, Done: null, Text: null }]);
		expect(await write({ Text: '' })).toBe('updated');
	});
});

describe('Avoid Duplicates By', () => {
	const withKeys = () => ({ ...orders.auto(), options: { avoidDuplicatesBy: [orders.id('Order')] } });

	test('a second run outputs the existing rows', async () => {
		const input = [{ Order: 'A' }, { Order: 'B' }, { Order: 'A' }];
		const first = await orders.run('create', withKeys(), input);
		expect(first.rows.map(({ _outcome }) => _outcome)).toEqual(['created', 'created', 'existing']);
		const second = await orders.run('create', withKeys(), input);
		expect(second.rows.map(({ _id }) => _id)).toEqual(first.rows.map(({ _id }) => _id));
		expect(second.hints).toEqual(['3 of 3 rows already existed and were not created again.']);
		expect(await orders.rows()).toHaveLength(2);
	});

	test('loses and duplicates no row if connections are reset before and after the write', async () => {
		let posts = 0;
		bed.proxy.setRules(({ method }) => {
			if (method !== 'POST') return undefined;
			posts++;
			if (posts % 5 === 0) return { kind: 'resetAfter' };
			return posts % 7 === 0 ? { kind: 'resetBefore' } : undefined;
		});
		const input = Array.from({ length: 40 }, (_, index) => ({ Order: `O-${index}` }));
		const { rows, error } = await orders.run('create', withKeys(), input);
		expect(error).toBeUndefined();
		expect(rows.map(({ Order }) => Order)).toEqual(input.map(({ Order }) => Order));
		expect((await orders.rows()).map(({ Order }) => Order).sort()).toEqual(
			input.map(({ Order }) => Order).sort(),
		);
	});

	test('reports each unknown outcome without key columns', async () => {
		bed.proxy.setRules(({ method }) => (method === 'POST' ? { kind: 'resetAfter' } : undefined));
		const extra = { onError: 'continueRegularOutput' } as const;
		const { rows } = await orders.run('create', orders.auto(), [{ Order: 'A' }, { Order: 'B' }], extra);
		const { error } = await orders.run('create', orders.auto(), [{ Order: 'C' }, { Order: 'D' }]);
		expect(rows).toEqual([
			expect.objectContaining({ _id: null, Order: 'A', _outcome: 'unknown' }),
			expect.objectContaining({ _id: null, Order: 'B', _outcome: 'unknown' }),
		]);
		expect(error?.message).toContain('Outcome "unknown"');
		const summary: unknown = expect.stringContaining('2 of unknown outcome (0 to 1)');
		expect(error).toMatchObject({ description: summary });
	});
});
