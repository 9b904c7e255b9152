import { isJsonObject } from './json';

type Node = Readonly<Record<string, unknown>>;

/** Maximum nesting depth of references and alternatives. */
const MAX_DEPTH = 20;

/** Members of an entity that are not columns (§2.6). */
const ENTITY_MEMBERS = new Set(['_id', '_representation', '_links', '_embedded']);

/** Types of §2.5 by the formats of JSON Schema. */
const TYPE_BY_FORMAT = new Map(
	Object.entries({
		date: 'date',
		'date-time': 'date-time',
		datetime: 'date-time',
		email: 'email',
		'idn-email': 'email',
		uri: 'uri',
		url: 'uri',
		iri: 'uri',
		phone: 'phoneNumber',
		tel: 'phoneNumber',
		html: 'richText',
		int32: 'integer',
		int64: 'integer',
		money: 'currency',
	}),
);

/** §2.5; the list in the specification is open. */
const TYPE_NAMES =
	'string richText integer decimal currency boolean date date-time enum enumcollection stringcollection email phoneNumber uri address geolocation attachments signature user createdby createdat reference references lookup formula resource';
const TYPE_BY_NAME = new Map(TYPE_NAMES.split(' ').map((name) => [name.toLowerCase(), name]));

const JSON_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

/** A column as described by a JSON schema, not yet validated. */
export interface SchemaField {
	id: string;
	name: unknown;
	key: unknown;
	description: unknown;
	type: FieldType;
	/** The schema of the value, with references and alternatives resolved. */
	schema: Node;
	required: boolean | undefined;
}
interface FieldType {
	[property: string]: unknown;
	name: string;
	options?: unknown;
}

/**
 * The columns in the JSON schema of a grid's entities (§4.4), which defines them without version 2
 * (§9). The specification shows no schema, so every notation is accepted: references, alternatives,
 * `null` among the types, extensions.
 * @returns undefined if the schema does not describe an object
 */
export function fieldsInSchema(document: unknown): SchemaField[] | undefined {
	const resolver = new Resolver(document);
	const root = entityIn(resolver, document, 0);
	if (!root) return undefined;
	const required: unknown[] = Array.isArray(root['required']) ? root['required'] : [];
	return Object.entries(objectIn(root['properties']))
		.filter(([id]) => !ENTITY_MEMBERS.has(id))
		.map(([id, raw]) => {
			const schema = resolver.flat(raw);
			return {
				id,
				name: schema['title'] ?? schema['x-title'] ?? schema['name'] ?? schema['x-name'],
				key: schema['key'] ?? schema['x-key'],
				description: schema['description'],
				type: fieldTypeIn(schema),
				schema,
				required: required.length === 0 ? undefined : required.includes(id),
			};
		})
		.sort((one, other) => orderOf(one) - orderOf(other));
}

/** The schema of one entity: the document itself, what it refers to, or what it wraps. */
function entityIn(resolver: Resolver, raw: unknown, depth: number): Node | undefined {
	if (depth > MAX_DEPTH || !isJsonObject(raw)) return undefined;
	const node = resolver.flat(raw);
	if (isJsonObject(node['properties'])) return node;
	return entityIn(resolver, node['schema'] ?? node['items'], depth + 1);
}

/** Numeric member names lose their order in JSON, so a schema may number its columns. */
function orderOf({ schema }: SchemaField): number {
	const order = schema['x-order'] ?? schema['propertyOrder'] ?? schema['x-position'] ?? schema['position'];
	return typeof order === 'number' ? order : 0;
}

/**
 * The type of a column (§2.5) whose values a JSON schema describes.
 * @param schema without references, as returned by `Resolver.flat`
 */
export function fieldTypeIn(schema: Node): FieldType {
	const named = namedType(schema);
	const found = named ?? { name: valueTypeIn(schema) };
	const options = found.options ?? optionsIn(found.name === 'enumcollection' ? schema['items'] : schema);
	const takesOptions = found.name === 'enum' || found.name === 'enumcollection';
	return takesOptions && options ? { ...found, options } : found;
}

/** A type of §2.5 that the schema names, in an extension or instead of the JSON type. */
function namedType(schema: Node): FieldType | undefined {
	const extensions = Object.keys(schema).filter((name) => /^x-.*type$/i.test(name));
	for (const name of [...extensions, 'fieldType', 'columnType', 'type']) {
		const given = schema[name];
		if (isJsonObject(given) && typeof given['name'] === 'string') return { ...given, name: given['name'] };
		if (typeof given !== 'string' || (name === 'type' && JSON_TYPES.has(given))) continue;
		const known = TYPE_BY_NAME.get(given.toLowerCase());
		// An unrelated extension may have such a name, too: x-content-type.
		if (known !== undefined || name === 'type') return { name: known ?? given };
	}
	return undefined;
}

/**
 * The type according to JSON Schema alone, without extensions; `any`, `array` or `object` if §2.5
 * has no such type.
 */
export function valueTypeIn(schema: Node): string {
	const format = typeof schema['format'] === 'string' ? schema['format'].toLowerCase() : '';
	const type = schema['type'];
	if (type === 'array') return collectionName(objectIn(schema['items']));
	if (type === 'object' || isJsonObject(schema['properties']))
		return recordName(objectIn(schema['properties']));
	if (type === 'boolean') return 'boolean';
	const formatted = TYPE_BY_FORMAT.get(format) ?? TYPE_BY_NAME.get(format);
	if (type === 'integer' || (type === 'number' && schema['multipleOf'] === 1)) return 'integer';
	if (type === 'number') return formatted === 'currency' || formatted === 'integer' ? formatted : 'decimal';
	if (formatted !== undefined) return formatted;
	if (optionsIn(schema)) return 'enum';
	// Values of several types are passed on unchanged.
	return typeof type === 'string' ? type : 'any';
}

function collectionName(items: Node): string {
	if (optionsIn(items)) return 'enumcollection';
	if (items['type'] === 'string') return 'stringcollection';
	const members = objectIn(items['properties']);
	if ('url' in members) return 'attachments';
	return 'uri' in members ? 'references' : 'array';
}

/** §2.9: the type of a value, by its members. */
function recordName(members: Node): string {
	if ('lat' in members && 'lon' in members) return 'geolocation';
	if ('line1' in members || 'postCode' in members) return 'address';
	if ('href' in members) return 'resource';
	return 'uri' in members ? 'reference' : 'object';
}

/**
 * The texts that a value can have, with their labels; undefined if it is not limited to a set of
 * texts.
 */
function optionsIn(raw: unknown): unknown[] | undefined {
	const schema = objectIn(raw);
	if (Array.isArray(schema['options'])) return schema['options'];
	if (Array.isArray(schema['x-options'])) return schema['x-options'];
	const values: unknown[] = Array.isArray(schema['enum'])
		? schema['enum'].filter((value) => value !== null)
		: [];
	if (values.length === 0 || !values.every((value) => typeof value === 'string')) return undefined;
	const labels = schema['enumNames'] ?? schema['x-enumNames'] ?? schema['x-enum-varnames'];
	const named: unknown[] = Array.isArray(labels) && labels.length === values.length ? labels : values;
	return values.map((value, index) => ({ value, name: String(named[index]) }));
}

/** Resolves a self-contained schema of one value. */
export const flatSchema = (schema: Node): Node => new Resolver(schema).flat(schema);

const objectIn = (value: unknown): Node => (isJsonObject(value) ? value : {});

/** Resolves references and merges the parts of a JSON schema. */
class Resolver {
	/** Resolved schemas: a shared schema is resolved once, a recursive one resolves to nothing. */
	private readonly known = new WeakMap<object, Node>();

	constructor(private readonly document: unknown) {}

	/**
	 * A schema without `$ref`, `allOf`, `anyOf`, `oneOf` and `null`; its own members take precedence
	 * over referenced ones.
	 */
	flat(raw: unknown, depth = 0): Node {
		if (depth > MAX_DEPTH || !isJsonObject(raw)) return {};
		const known = this.known.get(raw);
		if (known) return known;
		this.known.set(raw, {});
		const flat = this.flattened(raw, depth);
		this.known.set(raw, flat);
		return flat;
	}

	private flattened({ $ref, allOf, anyOf, oneOf, ...own }: Node, depth: number): Node {
		const parts = [
			...(typeof $ref === 'string' ? [this.referred($ref)] : []),
			...(Array.isArray(allOf) ? allOf : []),
		].map((part) => this.flat(part, depth + 1));
		const choices: unknown[] = [anyOf, oneOf].flatMap((list: unknown) => (Array.isArray(list) ? list : []));
		const merged = merge([
			...new Set(parts),
			alternative(choices.map((choice) => this.flat(choice, depth + 1))),
			own,
		]);
		const items = merged['items'];
		return withoutNull(isJsonObject(items) ? { ...merged, items: this.flat(items, depth + 1) } : merged);
	}

	/** The target of a local reference such as `#/$defs/order`. */
	private referred(reference: string): unknown {
		if (!reference.startsWith('#')) return undefined;
		let found = this.document;
		for (const part of reference.slice(1).split('/').slice(1)) {
			const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
			found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
		}
		return found;
	}
}

function merge(parts: readonly Node[]): Node {
	const merged: Record<string, unknown> = {};
	for (const part of parts)
		for (const [name, value] of Object.entries(part)) {
			const before = merged[name];
			const isUnion = name === 'properties' && isJsonObject(before) && isJsonObject(value);
			if (isUnion) merged[name] = { ...before, ...value };
			else if (name === 'required' && Array.isArray(before) && Array.isArray(value))
				merged[name] = [...new Set<unknown>([...before, ...value])];
			else merged[name] = value;
		}
	return merged;
}

/**
 * The common part of alternatives: a single one besides `null`, a choice of constants, or only a
 * type.
 */
function alternative(choices: readonly Node[]): Node {
	const some = choices.filter((choice) => choice['type'] !== 'null' && choice['const'] !== null);
	const [first = {}] = some;
	if (some.length < 2) return first;
	const constants = some.map((choice) => ({
		value: choice['const'],
		name: choice['title'] ?? choice['const'],
	}));
	if (constants.every(({ value }) => typeof value === 'string'))
		return {
			type: 'string',
			enum: constants.map(({ value }) => value),
			enumNames: constants.map(({ name }) => name),
		};
	// A reference or resource may be written as its address alone (§2.9); its record shows the type.
	const records = some.filter((choice) => isJsonObject(choice['properties']));
	if (records[0] && records.length + some.filter(({ type }) => type === 'string').length === some.length)
		return records[0];
	const types = new Set(some.map((choice) => choice['type']));
	if (types.size === 1) return { type: first['type'] };
	return [...types].every((type) => type === 'number' || type === 'integer') ? { type: 'number' } : {};
}

function withoutNull(schema: Node): Node {
	const { type, ...rest } = schema;
	if (!Array.isArray(type)) return schema;
	const types = type.filter((name) => name !== 'null');
	if (types.length === 1) return { ...rest, type: types[0] };
	const isNumber = types.length > 0 && types.every((name) => name === 'number' || name === 'integer');
	return isNumber ? { ...rest, type: 'number' } : rest;
}
