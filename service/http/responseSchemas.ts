import { z } from 'zod/v4';
import { roles } from '../rules/access';
import { fieldTypeNames } from '../rules/fieldTypeNames';

// Schemas of responses, for the description. A test checks them against actual responses.

const _links = z.record(z.string(), z.strictObject({ href: z.string(), method: z.string() }));
const id = z.string();
const name = z.string();
const createdAt = z.iso.datetime({ offset: true });
const role = z.enum(roles);
const _representation = z.enum(['full', 'summary']);
const properties = z.record(z.string(), z.unknown());
const symbol = z.strictObject({ name: z.string(), iconset: z.string(), color: z.string() });

/** A paged collection (§2.2). */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
	z.strictObject({
		page: z.int(),
		pageSize: z.int(),
		size: z.int(),
		numberOfItems: z.int(),
		numberOfPages: z.int(),
		items: z.array(item),
		_links,
	});

/** Response to an update (§4.3: an empty object). */
export const nothing = z.strictObject({});
/** Response to a deletion (§4.5: the JSON string `deleted`). */
export const deleted = z.literal('deleted');

/** §4.1 */
export const types = z.array(z.strictObject({ name: z.enum(fieldTypeNames), schema: properties }));
export const names = z.array(z.string());
export const blocks = z.record(
	z.string(),
	z.looseObject({
		type: z.string(),
		metaType: z.enum(['block', 'formInput', 'nestedFormInput']),
		has_children: z.boolean(),
		children: z.array(z.unknown()),
		formKey: z.string().nullable(),
	}),
);
export const text = z.string();
export const health = z.object({ status: z.literal('ok') });
export const document = z.looseObject({ openapi: z.string(), paths: properties });

/** §4.2 */
export const user = z.strictObject({
	_representation,
	id,
	name,
	email: z.string(),
	displayValue: z.string(),
	type: z.literal('user'),
	metaType: z.literal('user'),
	createdAt,
	_links,
});
const key = { id, key: z.string(), name, role: z.enum(['reader', 'admin']), _links };
export const accessKey = z.strictObject({ ...key, createdAt });
export const newAccessKey = z.strictObject({ ...key, secret: z.string() });

export const invitation = z.strictObject({ id, email: z.string(), role, createdAt, _links });

/** §2.3; the summary omits the last four members. */
export const space = z.strictObject({
	_representation,
	id,
	name,
	key: z.string(),
	belongsTo: z.string().nullable(),
	type: z.literal('space'),
	metaType: z.literal('space'),
	displayValue: z.string(),
	spaceIcon: symbol,
	icon: z.string(),
	iconset: z.string(),
	color: z.string(),
	_links,
	_embedded: z.strictObject({ invitations: z.array(invitation) }),
	createdAt: createdAt.optional(),
	properties: properties.optional(),
	plan: z.string().optional(),
	availableSeats: z.int().optional(),
});

/** §2.8 */
export const share = z.strictObject({
	id,
	role,
	emails: z.array(z.string()),
	users: z.array(z.string()),
	type: z.literal('share').optional(),
	createdAt,
	_links: _links.optional(),
});
export const person = z.strictObject({
	/** Null until the person has joined. */
	userId: id.nullable(),
	name: name.nullable(),
	/** Null for callers who may not share the space. */
	email: z.string().nullable(),
	role: z.union([role, z.literal('owner')]),
	_links,
});
export const resource = z.strictObject({ type: z.string(), href: z.string() });

/** §2.5 */
export const field = z.strictObject({
	id,
	name,
	key: z.string(),
	description: z.string().nullable(),
	type: z.looseObject({ name: z.enum(fieldTypeNames) }),
	schema: properties,
	_links,
});

/** Not in the specification. */
export const loggedIn = z.strictObject({ userId: id });
export const invited = z.strictObject({ email: z.string(), name: name.nullable(), keys: z.int() });
export const joinLink = z.strictObject({ href: z.string(), email: z.string(), expiresAt: createdAt });

/** §2.4; `fields` in version 2 (§9); `filter`, `sorting` and `problems` of a virtual grid. */
export const grid = z.strictObject({
	_representation,
	id,
	name,
	key: z.string(),
	type: z.enum(['persistent', 'virtual']),
	metaType: z.literal('grid'),
	displayValue: z.string(),
	icon: symbol,
	properties,
	filter: properties.optional(),
	sorting: properties.optional(),
	problems: z.array(z.string()).optional(),
	fields: z.array(field).optional(),
	_links,
});
/** Not in the specification. */
export const discardedGrid = z.strictObject({ id, name, discardedAt: createdAt, _links });
export const removedField = z.strictObject({ id, name, removedAt: createdAt, _links });
export const schema = z.strictObject({
	$schema: z.string(),
	type: z.literal('object'),
	title: z.string(),
	properties,
	additionalProperties: z.literal(false),
	_links,
});

/** §2.6: its other members depend on the layout. */
export const entity = z.looseObject({ _id: id, _representation, _links });

/** An item of the history and the updates feed. */
export const event = z.strictObject({
	id,
	type: z.enum(['created', 'updated', 'deleted']),
	timestamp: createdAt,
	entityId: id,
	userId: id,
	/** Null for public links, deleted accounts, and callers without a role in the space. */
	userName: name.nullable(),
	changes: z.array(z.strictObject({ fieldId: id, oldValue: z.unknown(), newValue: z.unknown() })),
	entity: properties.optional(),
	_links,
});

export const sview = z.strictObject({
	_representation,
	id,
	type: z.string(),
	metaType: z.literal('view'),
	displayValue: z.string(),
	properties,
	slotProperties: properties,
	createdAt,
	_links,
});
export const form = z.strictObject({
	_representation,
	id,
	name,
	type: z.literal('form'),
	metaType: z.literal('form'),
	displayValue: z.string(),
	inputs: z.array(z.looseObject({ type: z.string(), formKey: z.string() })).optional(),
	_links,
});
export const publicLink = z.strictObject({
	id,
	kind: z.enum(['form', 'view', 'edit']),
	role,
	protection: z.enum(['none', 'link', 'internal']),
	names: z.boolean(),
	href: z.string(),
	createdAt,
	_links,
});
/** The names of linked rows, by their IDs. */
export const linkedNames = z.strictObject({ names: z.record(z.string(), z.string()) });
/** The rows that a form offers to link to. */
export const offeredRows = z.strictObject({ rows: z.array(z.strictObject({ id, name: z.string() })) });
/** Response of a public link to a form or view. */
export const shared = z.looseObject({ _representation, id, name, _links });

const csvColumn = z.strictObject({
	name,
	type: z.looseObject({ name: z.enum(fieldTypeNames) }),
	/** Rows with a value. */
	filled: z.int(),
});
const csvRows = z.array(z.array(z.string()).readonly()).readonly();

/** The content of a CSV file; `rows` are its first rows, as text. */
export const csvContent = z.strictObject({
	separator: z.string(),
	numberOfRows: z.int(),
	columns: z.array(csvColumn),
	rows: csvRows,
});

/** Response to an upload with `dryRun`; `rows` are the first rows of the file, as text. */
export const csvPreview = csvContent.extend({
	name,
	key: z.string(),
	columns: z.array(csvColumn.extend({ key: z.string() })),
});
