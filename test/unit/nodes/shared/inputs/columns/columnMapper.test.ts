import { fieldSchema, type Field } from '../../../../../../client/resources/fields';
import {
	columnMapper,
	columnOf,
	mapperOf,
	valuesOf,
} from '../../../../../../nodes/shared/inputs/columns/columnMapper';
import { labelsOf } from '../../../../../../nodes/shared/rows/columnNames';
import { namesOf, rowWriter } from '../../../../../../nodes/shared/rows/output';

const field = (id: string, name: string, type = 'string', key: string | null = null): Field =>
	fieldSchema.parse({ id, name, key, type: { name: type } });

const automatic = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [] };

describe('two columns with the same name', () => {
	const fields = [
		field('f1', 'Name', 'string', 'first'),
		field('f2', 'Name', 'string', 'second'),
		field('f3', 'City'),
	];

	test('have different names in lists and output', () => {
		expect([...labelsOf(fields).values()]).toEqual(['Name (first)', 'Name (second)', 'City']);
		const row = rowWriter(fields, { by: 'name' })({ _id: 'e', f1: 'a', f2: 'b', f3: 'c' });
		expect(row).toEqual({ _id: 'e', 'Name (first)': 'a', 'Name (second)': 'b', City: 'c' });
	});

	test('are written by full name, key or ID, and refused by the plain name', () => {
		const input = { 'Name (first)': 'a', second: 'b' };
		expect(valuesOf({ mapping: automatic, input, fields }).values).toEqual({ f1: 'a', f2: 'b' });
		expect(() => valuesOf({ mapping: automatic, input: { Name: 'a' }, fields })).toThrow(
			'The grid has 2 columns named "Name"',
		);
	});

	test('are named by ID if the service writes a missing key as an empty text', () => {
		const keyless = [
			field('f1', 'Name', 'string', ''),
			field('f2', 'Name', 'string', ''),
			field('f3', 'City'),
		];
		expect([...labelsOf(keyless).values()]).toEqual(['Name (f1)', 'Name (f2)', 'City']);
		expect([...namesOf(keyless, 'key').values()]).toEqual(['f1', 'f2', 'f3']);
	});

	test('are refused by a key that several columns have, which the specification does not exclude', () => {
		const shared = [field('f1', 'A', 'string', 'k'), field('f2', 'B', 'string', 'k'), field('f3', 'k2')];
		const map = (input: object) => valuesOf({ mapping: automatic, input, fields: shared }).values;
		expect(() => map({ k: 'a' })).toThrow('The grid has 2 columns with the key "k"');
		expect(map({ A: 'a', B: 'b' })).toEqual({ f1: 'a', f2: 'b' });
		const named = [...shared, field('f4', 'k')];
		expect(valuesOf({ mapping: automatic, input: { k: 'a' }, fields: named }).values).toEqual({ f4: 'a' });
	});

	test('differ from a third column whose name equals the full name of one of them', () => {
		const third = [...fields, field('f4', 'Name (first)')];
		expect(new Set(namesOf(third, 'name').values()).size).toBe(4);
	});
});

describe('automatic mapping loses no value', () => {
	const fields = [
		field('f1', 'Amount', 'integer', 'amount'),
		field('f2', 'total', 'integer', 'x'),
		field('f3', 'Sum', 'integer', 'total'),
		field('f4', 'Made', 'createdat', 'made'),
	];
	const map = (input: object) => valuesOf({ mapping: automatic, input, fields }).values;

	test('refuses different values for the name and the key of one column', () => {
		expect(() => map({ Amount: 1, amount: 2 })).toThrow(
			'"Amount" and "amount" have different values for the column "Amount"',
		);
		expect(() => map({ f1: 1, amount: 2 })).toThrow('have different values');
		expect(map({ Amount: 1, amount: '1' })).toEqual({ f1: 1 });
		expect(map({ Amount: undefined, amount: 2 })).toEqual({ f1: 2 });
		expect(map({ Made: 1, made: 2, amount: 3 })).toEqual({ f1: 3 });
	});

	test('a name that is also the key of another column refers to the column that is not given otherwise', () => {
		expect(map({ total: 1, x: 2 })).toEqual({ f2: 2, f3: 1 });
		expect(map({ total: 1, Sum: 2 })).toEqual({ f2: 1, f3: 2 });
		expect(map({ total: 1 })).toEqual({ f2: 1 });
		expect(() => map({ total: 1, x: 2, Sum: 3 })).toThrow('have different values');
	});

	test('a name that is also the ID of another column, which was renamed, refers to the column by name', () => {
		const renamed = [field('Title', 'Order'), field('Title0', 'Title')];
		const mapAll = (input: object) => valuesOf({ mapping: automatic, input, fields: renamed }).values;
		expect(mapAll({ Title: 'a' })).toEqual({ Title0: 'a' });
		expect(mapAll({ Order: 'a', Title: 'b' })).toEqual({ Title: 'a', Title0: 'b' });
		expect(mapAll({ Title: 'a', Title0: 'b' })).toEqual({ Title: 'a', Title0: 'b' });
		// The mapper stores IDs.
		const mapping = { mappingMode: 'defineBelow', value: { Title: 'a' }, matchingColumns: [] };
		expect(valuesOf({ mapping, input: {}, fields: renamed }).values).toEqual({ Title: 'a' });
	});
});

test('columns removed from the mapper are not written', () => {
	const fields = [field('f1', 'One'), field('f2', 'Two')];
	const raw = {
		mappingMode: 'defineBelow',
		value: { f1: 'a', f2: 'b' },
		schema: [
			{ id: 'f1', removed: false },
			{ id: 'f2', displayName: 'Two', removed: true },
		],
	};
	const mapping = columnMapper('update').read(raw);
	expect(valuesOf({ mapping, input: {}, fields }).values).toEqual({ f1: 'a' });
});

test('a column cannot replace a member that the node adds to a row', () => {
	const fields = [field('f1', '_id', 'string', 'own'), field('f2', '_outcome')];
	expect(rowWriter(fields, { by: 'name' })({ _id: 'e', f1: 'a', f2: 'b' })).toEqual({
		_id: 'e',
		'_id (own)': 'a',
		'_outcome (f2)': 'b',
	});
});

describe('a column named __proto__, which other services may allow', () => {
	const fields = [field('f1', '__proto__'), field('f2', 'constructor')];
	const input: object = Object.fromEntries([
		['__proto__', 'a'],
		['constructor', 'b'],
	]);

	test('is output under a name that n8n preserves when it copies a row', () => {
		const row = rowWriter(fields, { by: 'name' })({ _id: 'e', f1: 'a', f2: 'b' });
		expect(Object.entries(row)).toEqual([
			['_id', 'e'],
			['__proto__ (f1)', 'a'],
			['constructor', 'b'],
		]);
	});

	test('is written by its name', () => {
		expect(valuesOf({ mapping: automatic, input, fields }).values).toEqual({ f1: 'a', f2: 'b' });
		const read = columnMapper('add').read({ mappingMode: 'defineBelow', value: input });
		expect(valuesOf({ mapping: read, input: {}, fields }).values).toEqual({ f1: 'a', f2: 'b' });
	});
});

describe('the notice of the mapper', () => {
	const notice = (names: string[]) =>
		mapperOf(
			names.map((name) => columnOf(field(name, name), name)),
			'Columns',
			'There are none.',
		).emptyFieldsNotice;

	test('lists the columns, because n8n also shows it with automatic mapping', () => {
		expect(notice(['Order', 'R&D <b>'])).toBe('Columns: Order, R&#38;D &#60;b&#62;');
		expect(notice([])).toBe('There are none.');
	});

	test('has a limited length in a grid with many columns', () => {
		expect(notice(Array.from({ length: 300 }, (_, n) => `C${n}`))).toMatch(/ C29 and 270 more$/);
		expect(notice(Array.from({ length: 30 }, (_, n) => `C${n}`))).toMatch(/ C29$/);
	});
});
