import { isJsonObject } from './json';

type Node = Readonly<Record<string, unknown>>;

/** Maximum number of references and alternatives that are followed to a schema. */
const MAX_DEPTH = 20;

/** Members of an entity that are not columns (§2.6). */
const ENTITY_MEMBERS = new Set(['_id', '_representation', '_links']);

/** Formats of JSON Schema that are types of §2.5, too. */
const FORMATS = new Set(['date', 'date-time', 'email', 'uri']);

/** A column as described by a JSON schema, not yet validated. */
export interface SchemaField {
	id: string;
	name: unknown;
	description: unknown;
	type: FieldType;
	/** The schema of the value, without references and alternatives. */
	schema: Node;
	required: boolean | undefined;
}
interface FieldType {
	name: string;
	options?: string[];
}

/**
 * The columns in the JSON schema of a grid's entities (§4.4), which defines them without version 2
 * (§9).
 * @returns undefined if the schema has no `properties`
 */
export function fieldsInSchema(document: unknown): SchemaField[] | undefined {
	const { properties, required } = resolved(document, document);
	if (!isJsonObject(properties)) return undefined;
	return Object.entries(properties)
		.filter(([id]) => !ENTITY_MEMBERS.has(id))
		.map(([id, property]) => {
			const schema = resolved(property, document);
			return {
				id,
				name: schema['title'],
				description: schema['description'],
				type: fieldTypeIn(schema, document),
				schema,
				required: Array.isArray(required) ? required.includes(id) : undefined,
			};
		});
}

/** The type of a column (§2.5) by its JSON schema; `any`, `array` or `object` if none fits. */
export function fieldTypeIn(raw: unknown, document: unknown = raw): FieldType {
	const schema = resolved(raw, document);
	const { type, format } = schema;
	if (type === 'array') {
		const items = resolved(schema['items'], document);
		const options = optionsIn(items);
		return options ? { name: 'enumcollection', options } : { name: listName(items) };
	}
	if (type === 'object' || isJsonObject(schema['properties'])) return { name: recordName(schema) };
	if (type === 'boolean' || type === 'integer') return { name: type };
	if (type === 'number') return { name: 'decimal' };
	const options = optionsIn(schema);
	if (options) return { name: 'enum', options };
	// Values of several types are passed on unchanged.
	if (typeof format === 'string' && FORMATS.has(format)) return { name: format };
	return { name: typeof type === 'string' ? type : 'any' };
}

function listName(items: Node): string {
	if (items['type'] === 'string') return 'stringcollection';
	const members = membersOf(items);
	if ('url' in members) return 'attachments';
	return 'uri' in members ? 'references' : 'array';
}

/** §2.9: the type of a value, by its members. */
function recordName(schema: Node): string {
	const members = membersOf(schema);
	if ('lat' in members && 'lon' in members) return 'geolocation';
	if ('line1' in members || 'postCode' in members) return 'address';
	if ('href' in members) return 'resource';
	return 'uri' in members ? 'reference' : 'object';
}

const membersOf = ({ properties }: Node): Node => (isJsonObject(properties) ? properties : {});

/** The texts that a value can have; undefined if it is not limited to a set of texts. */
function optionsIn({ enum: listed }: Node): string[] | undefined {
	const values: unknown[] = Array.isArray(listed) ? listed.filter((value) => value !== null) : [];
	const texts = values.filter((value) => typeof value === 'string');
	return texts.length > 0 && texts.length === values.length ? texts : undefined;
}

/**
 * The only alternative to `null`. A reference or resource may be written as its address alone
 * (§2.9), so a text beside a record does not count.
 */
function only(choices: readonly unknown[]): unknown {
	const typed = choices.filter(isJsonObject).filter(({ type }) => type !== 'null');
	const records = typed.filter(({ properties }) => isJsonObject(properties));
	const others = records.length > 0 ? typed.filter(({ type }) => type !== 'string') : typed;
	return others.length === 1 ? others[0] : undefined;
}

/** A schema without a local `$ref`, an alternative to `null`, and `null` among its types. */
function resolved(raw: unknown, document: unknown, depth = 0): Node {
	if (depth > MAX_DEPTH || !isJsonObject(raw)) return {};
	const { $ref, anyOf, oneOf, ...own } = raw;
	const choices = [anyOf, oneOf].flatMap((list: unknown): unknown[] => (Array.isArray(list) ? list : []));
	const target = typeof $ref === 'string' ? referred($ref, document) : only(choices);
	const schema: Node = { ...resolved(target, document, depth + 1), ...own };
	const { type } = schema;
	if (!Array.isArray(type)) return schema;
	const types: unknown[] = type.filter((name) => name !== 'null');
	return { ...schema, type: types.length === 1 ? types[0] : types };
}

/** The target of a local reference such as `#/$defs/order`. */
function referred(reference: string, document: unknown): unknown {
	let target = reference.startsWith('#') ? document : undefined;
	for (const part of reference.split('/').slice(1))
		target = isJsonObject(target) && Object.hasOwn(target, part) ? target[part] : undefined;
	return target;
}
