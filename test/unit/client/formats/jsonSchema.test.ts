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
		[{ type: 'integer', nullable: true }, 'integer'],
		[{ type: 'boolean' }, 'boolean'],
		[{ type: 'string', format: 'date' }, 'date'],
		[{ type: ['string', 'null'], format: 'date-time' }, 'date-time'],
		[{ type: 'string', format: 'email' }, 'email'],
		[{ type: 'string', format: 'uri' }, 'uri'],
		[{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'decimal'],
		[{ oneOf: [{ type: 'null' }, { type: 'string', format: 'date' }] }, 'date'],
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
		[{ type: 'rating' }, 'rating'],
	])('%j is %s', (property, name) => {
		expect(typeOf(property)?.name).toBe(name);
	});

	it.each<[unknown]>([
		[{ type: ['string', 'null'], enum: ['a', 'b', null] }],
		[{ anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] }],
	])('%j has options', (property) => {
		expect(typeOf(property)).toEqual({
			name: 'enum',
			options: [
				{ value: 'a', name: 'a' },
				{ value: 'b', name: 'b' },
			],
		});
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
			$ref: '#/definitions/row',
			definitions: {
				row: { properties: { f1: { $ref: '#/definitions/amount', title: 'Amount' } }, required: ['f1'] },
				amount: { title: 'A number', type: 'number', readOnly: true },
			},
		};
		const fields = fieldsOf(document) ?? [];
		expect(fields.map(({ id, name, type, required }) => [id, name, type.name, required])).toEqual([
			['f1', 'Amount', 'decimal', true],
		]);
		expect(fields.map(isWritable)).toEqual([false]);
	});

	it('that refers to itself is read completely', () => {
		expect(typeOf({ $ref: '#/properties/f1' })?.name).toBe('any');
	});

	it('contains the columns beside the members of every entity', () => {
		const properties = { _id: {}, _links: {}, _representation: {}, f1: { title: 'A' }, f2: {} };
		expect(fieldsOf({ properties })?.map(({ id, name }) => [id, name])).toEqual([
			['f1', 'A'],
			['f2', 'f2'],
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
});
