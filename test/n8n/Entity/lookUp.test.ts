import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const bed = new ProxiedWorld();
let grid: WorldGrid;

beforeAll(async () => {
	grid = await bed.grid({ Number: 'integer', Name: 'string', Country: 'string' });
	await grid.fill(
		{ Number: 1, Name: 'Alder', Country: 'SE' },
		{ Number: 2, Name: 'Birch', Country: 'NO' },
		{ Number: 3, Name: 'Birch', Country: 'FI' },
	);
});

const by = (...keys: Array<[column: string, value: string]>) => ({
	matchBy: { key: keys.map(([column, value]) => ({ column: grid.id(column), value })) },
});
const byNumber = () => by(['Number', '={{ $json.customer }}']);
const reads = () => bed.proxy.requests.filter(({ path }) => path.includes('/entities'));

test('adds the row to the item; an item without a row, or without a value, gets null', async () => {
	const input = [{ customer: 2 }, { customer: '1' }, { customer: 9 }, { customer: null }, { customer: '' }];
	const { rows, items, hints, error } = await grid.run('lookUp', byNumber(), input);
	expect(error).toBeUndefined();
	expect(hints).toEqual(['Items without a matching row: 3 of 5']);
	expect(rows).toMatchObject([
		{ customer: 2, row: { Number: 2, Name: 'Birch', Country: 'NO' } },
		{ customer: '1', row: { Name: 'Alder' } },
		{ customer: 9, row: null },
		{ customer: null, row: null },
		{ customer: '', row: null },
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
});

test('a text of spaces, or one without what is compared, matches no row', async () => {
	const given = by(['Name', '={{ $json.name }}']);
	const input = [{ name: ' ' }, { name: 'Alder' }];
	const { rows, error } = await grid.run('lookUp', given, input);
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([{ row: null }, { row: { Number: 1 } }]);
	const options = { compareAs: { column: [{ column: grid.id('Name'), rule: 'digitsOnly' }] } };
	expect((await grid.run('lookUp', { ...given, options }, input)).rows).toMatchObject([
		{ row: null },
		{ row: null },
	]);
});

test.each(['automatic', 'oneByOne', 'allAtOnce'])(
	'a value that the column does not accept is in no row, with Find Rows %s',
	async (findRows) => {
		const contacts = await bed.grid({ Mail: 'email', Name: 'string' });
		await contacts.fill({ Mail: 'a@example.com', Name: 'Ada' });
		const matchBy = { key: [{ column: 'Mail', value: '={{ $json.Mail }}' }] };
		const input = [{ Mail: 'n/a' }, { Mail: 'a@example.com' }];
		const { rows, error } = await contacts.run('lookUp', { matchBy, options: { findRows } }, input);
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([{ row: null }, { row: { Name: 'Ada' } }]);
		const options = { findRows, whenUnmatched: 'skip' };
		const updates = await contacts.run('upsert', { ...contacts.auto(['Mail']), options }, input);
		expect(updates.rows.map(({ _outcome }) => _outcome)).toEqual(['notFound', 'unchanged']);
	},
);

test('adds the columns to the fields of the item and keeps its files', async () => {
	const binary = { data: { data: 'eA==', mimeType: 'text/plain' } };
	const options = { outputColumns: [grid.id('Name')] };
	const given = { ...byNumber(), putResultIn: '', options };
	const { items } = await grid.run('lookUp', given, [{ json: { customer: 1 }, binary }]);
	expect(items[0]?.json).toMatchObject({ customer: 1, Name: 'Alder' });
	expect(items[0]?.json).not.toHaveProperty('Country');
	expect(items[0]?.binary).toMatchObject({ data: { mimeType: 'text/plain' } });
});

test('drops items without a row, or sends them to the error output, depending on the option', async () => {
	const input = [{ customer: 9 }, { customer: 1 }];
	const dropped = await grid.run('lookUp', { ...byNumber(), whenUnmatched: 'drop' }, input);
	expect(dropped.rows).toMatchObject([{ customer: 1 }]);
	const failing = { ...byNumber(), whenUnmatched: 'fail' };
	const { outputs } = await grid.run('lookUp', failing, input, { onError: 'continueErrorOutput' });
	expect(outputs[0]).toHaveLength(1);
	expect(outputs[1]?.[0]?.json).toMatchObject({
		error: expect.stringContaining('No row has Number 9') as unknown,
	});
});

test('with several rows, fails, uses the first or outputs all, depending on the option', async () => {
	const given = by(['Name', 'Birch']);
	expect((await grid.run('lookUp', given)).error?.message).toContain('2 rows have Name "Birch"');
	const first = await grid.run('lookUp', { ...given, whenSeveral: 'first' });
	expect(first.rows).toMatchObject([{ row: { Number: 2 } }]);
	const all = await grid.run('lookUp', { ...given, whenSeveral: 'all' });
	expect(all.rows).toMatchObject([{ row: { Number: 2 } }, { row: { Number: 3 } }]);
	const both = await grid.run('lookUp', by(['Name', 'Birch'], ['Country', 'FI']));
	expect(both.rows).toMatchObject([{ row: { Number: 3 } }]);
});

test('reads equal keys once, and many keys by reading the whole grid', async () => {
	const extra = { baseUrl: bed.proxy.url };
	await grid.run(
		'lookUp',
		byNumber(),
		Array.from({ length: 30 }, () => ({ customer: 1 })),
		extra,
	);
	expect(reads()).toHaveLength(1);
	bed.proxy.setRules();
	const many = Array.from({ length: 30 }, (_, customer) => ({ customer }));
	const { rows } = await grid.run('lookUp', byNumber(), many, extra);
	expect(rows.filter(({ row }) => row !== null)).toHaveLength(3);
	expect(reads()).toHaveLength(1);
	bed.proxy.setRules();
	const oneByOne = { ...byNumber(), options: { findRows: 'oneByOne' } };
	const again = await grid.run('lookUp', oneByOne, many, extra);
	expect(again.rows).toEqual(rows);
	expect(reads()).toHaveLength(30);
});

test('the row cannot be put in a field that would become the prototype of copies', async () => {
	const { error } = await grid.run('lookUp', { ...byNumber(), putResultIn: '__proto__' }, [{ customer: 2 }]);
	expect(error?.message).toBe('"Put Result In" cannot be used: no field of an item can have this name');
});
