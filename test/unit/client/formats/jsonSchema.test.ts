import { fieldSchema, isWritable } from '../../../../client/resources/fields';
import { fieldsInSchema } from '../../../../client/formats/jsonSchema';

/** The fields that a grid's schema describes, as the client uses them. */
const fieldsOf = (document: unknown) => fieldsInSchema(document)?.map((field) => fieldSchema.parse(field));
const fieldOf = (property: unknown, rest: object = {}) =>
	fieldsOf({ type: 'object', properties: { f1: property }, ...rest })?.[0];
const typeOf = (property: unknown, rest?: object) => fieldOf(property, rest)?.type;

describe('the type of a column whose schema is', () => {
	it.each<[unknown, string]>([
		[{ type: 'string' }, 'string'],
		[{ type: 'number' }, 'decimal'],
		[{ type: ['number', 'null'] }, 'decimal'],
		[{ type: ['null', 'integer', 'number'] }, 'decimal'],
		[{ type: 'integer', nullable: true }, 'integer'],
		[{ type: 'number', multipleOf: 1 }, 'integer'],
		[{ type: 'number', format: 'currency' }, 'currency'],
		[{ type: 'boolean' }, 'boolean'],
		[{ type: 'string', format: 'date' }, 'date'],
		[{ type: ['string', 'null'], format: 'date-time' }, 'date-time'],
		[{ type: 'string', format: 'email' }, 'email'],
		[{ type: 'string', format: 'uri' }, 'uri'],
		[{ type: 'string', format: 'phoneNumber' }, 'phoneNumber'],
		[{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'decimal'],
		[{ oneOf: [{ type: 'null' }, { type: 'string', format: 'date' }] }, 'date'],
		[{ allOf: [{ type: 'string' }, { format: 'date-time' }] }, 'date-time'],
		[{ anyOf: [{ type: 'integer' }, { type: 'number' }] }, 'decimal'],
		[{ anyOf: [{ type: 'string' }, { type: 'object' }] }, 'any'],
		[{ type: ['string', 'number'] }, 'any'],
		[{}, 'any'],
		[{ type: 'array', items: { type: 'string' } }, 'stringcollection'],
		[{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, 'stringcollection'],
		[{ type: 'array', items: { type: 'object', properties: { name: {}, url: {} } } }, 'attachments'],
		[{ type: 'array', items: { type: 'object', properties: { uri: {} } } }, 'references'],
		[{ type: 'array' }, 'array'],
		[{ type: 'object', properties: { lat: {}, lon: {} } }, 'geolocation'],
		[{ type: 'object', properties: { line1: {}, city: {} } }, 'address'],
		[{ type: 'object', properties: { href: {} } }, 'resource'],
		[{ type: 'object', properties: { uri: {} } }, 'reference'],
		[{ anyOf: [{ type: 'string' }, { properties: { uri: {} } }, { type: 'null' }] }, 'reference'],
		[{ type: 'array', items: { anyOf: [{ type: 'string' }, { properties: { uri: {} } }] } }, 'references'],
		[{ type: 'object' }, 'object'],
		[{ type: 'string', 'x-type': 'richText' }, 'richText'],
		[{ type: 'string', 'x-field-type': { name: 'signature' } }, 'signature'],
		[{ type: 'string', 'x-content-type': 'text/plain' }, 'string'],
		[{ type: { name: 'decimal' } }, 'decimal'],
		[{ type: 'DECIMAL' }, 'decimal'],
		[{ type: 'rating' }, 'rating'],
	])('%j is %s', (property, name) => {
		expect(typeOf(property)?.name).toBe(name);
	});

	it.each<[unknown]>([
		[{ type: 'string', enum: ['a', 'b', null], enumNames: ['A', 'B', 'none'] }],
		[{ type: 'string', enum: ['a', 'b'], 'x-enumNames': ['A', 'B'] }],
		[{ anyOf: [{ enum: ['a', 'b'], enumNames: ['A', 'B'] }, { type: 'null' }] }],
		[{ oneOf: [{ const: 'a', title: 'A' }, { const: 'b', title: 'B' }, { const: null }] }],
		[
			{
				'x-type': 'enum',
				'x-options': [
					{ value: 'a', name: 'A' },
					{ key: 'b', label: 'B' },
				],
			},
		],
		[
			{
				'x-type': {
					name: 'enum',
					options: [
						{ value: 'a', name: 'A' },
						{ value: 'b', name: 'B' },
					],
				},
			},
		],
	])('%j has options', (property) => {
		const found = typeOf(property);
		expect(found?.name).toBe('enum');
		expect(
			found?.options?.slice(0, 2).map(({ value, name }) => [value, value === name.toLowerCase()]),
		).toEqual([
			['a', true],
			['b', true],
		]);
	});

	it('a list of choices, wherever they are, is an enumcollection', () => {
		const $defs = { status: { enum: ['new', 'done'] } };
		const found = typeOf({ type: ['array', 'null'], items: { $ref: '#/$defs/status' } }, { $defs });
		expect(found).toMatchObject({ name: 'enumcollection', options: [{ value: 'new' }, { value: 'done' }] });
	});

	it('a number with a list of allowed values remains a number', () => {
		expect(typeOf({ type: 'integer', enum: [1, 2, 3] })).toEqual({ name: 'integer' });
	});
});

describe('a schema', () => {
	it('may be made of references', () => {
		const document = {
			$ref: '#/definitions/a~1row',
			definitions: {
				'a/row': { allOf: [{ $ref: '#/definitions/base' }, { properties: { f2: { type: 'integer' } } }] },
				base: { properties: { f1: { $ref: '#/definitions/amount', title: 'Amount' } }, required: ['f1'] },
				amount: { title: 'A number', type: 'number', readOnly: true },
			},
		};
		const fields = fieldsOf(document) ?? [];
		expect(fields.map(({ id, name, type, required }) => [id, name, type.name, required])).toEqual([
			['f1', 'Amount', 'decimal', true],
			['f2', 'f2', 'integer', false],
		]);
		expect(fields.map(isWritable)).toEqual([false, true]);
	});

	it('that refers to itself is read completely', () => {
		expect(typeOf({ $ref: '#/properties/f1' })?.name).toBe('any');
	});

	it.each([
		['wrapped', { schema: { properties: { f1: {} } } }],
		['of a list', { type: 'array', items: { properties: { f1: {} } } }],
		[
			'with the members of every entity',
			{ properties: { _id: {}, _links: {}, _representation: {}, f1: {} } },
		],
	])('%s contains the columns', (_what, document) => {
		expect(fieldsOf(document)?.map(({ id }) => id)).toEqual(['f1']);
	});

	it('has names, keys and order in its extensions', () => {
		const properties = {
			7: { 'x-key': 'b', 'x-order': 2 },
			3: { title: 'A', key: 'a', 'x-order': 1 },
			9: {},
		};
		expect(fieldsOf({ properties })?.map(({ id, name, key }) => [id, name, key ?? null])).toEqual([
			['9', '9', null],
			['3', 'A', 'a'],
			['7', 'b', 'b'],
		]);
	});

	it.each([undefined, null, 7, 'text', [], {}, { properties: [] }, { type: 'object' }])(
		'is not %j',
		(raw) => {
			expect(fieldsInSchema(raw)).toBeUndefined();
		},
	);
});

describe('a field of version 2', () => {
	it('takes its options from its schema if its type has none', () => {
		const raw = { id: 'f1', name: 'Status', type: { name: 'enum' }, schema: { enum: ['new', 'done'] } };
		expect(fieldSchema.parse(raw).type).toMatchObject({
			name: 'enum',
			options: [{ value: 'new' }, { value: 'done' }],
		});
	});

	it('takes its type from its schema if it has none', () => {
		expect(fieldSchema.parse({ id: 'f1', schema: { type: ['number', 'null'] } }).type.name).toBe('decimal');
		expect(fieldSchema.parse({ id: 'f1' }).type.name).toBe('string');
	});
});
