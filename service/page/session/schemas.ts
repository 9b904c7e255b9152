import { z } from 'zod/v4-mini';

// Compiled schemas need `eval`, which the content policy forbids and browsers report.
z.config({ jitless: true });

/** What the page reads of the representations of the service; other members are left out. */

const link = z.object({ href: z.string(), method: z.string() });
const links = z.record(z.string(), link);
/** Links of a record that has an address of its own. */
const ownLinks = z.catchall(z.object({ self: link }), link);
const members = z.record(z.string(), z.unknown());

const option = z.union([
	z.string(),
	z.looseObject({ value: z.string(), label: z.optional(z.string()), color: z.optional(z.string()) }),
]);
const fieldType = z.looseObject({ name: z.string(), options: z.optional(z.array(option)) });
const column = z.object({ id: z.string(), name: z.string(), type: fieldType });
const field = z.object({
	...column.shape,
	key: z.string(),
	description: z.nullable(z.string()),
	_links: ownLinks,
});

export const gridSummary = z.object({
	id: z.string(),
	name: z.string(),
	type: z.string(),
	_links: ownLinks,
});

export const grid = z.object({
	...gridSummary.shape,
	key: z.string(),
	properties: members,
	filter: z.optional(members),
	sorting: z.optional(z.record(z.string(), z.object({ $order: z.enum(['ascending', 'descending']) }))),
	problems: z.optional(z.array(z.string())),
	fields: z.array(field),
});

export const space = z.object({ id: z.string(), name: z.string(), key: z.string(), _links: ownLinks });

/** A row, with the values of its columns by their ids. */
export const row = z.looseObject({ _id: z.string(), _links: ownLinks });

export const event = z.object({
	id: z.string(),
	type: z.enum(['created', 'updated', 'deleted']),
	timestamp: z.string(),
	entityId: z.string(),
	userId: z.string(),
	userName: z.nullable(z.string()),
	changes: z.array(z.object({ fieldId: z.string(), oldValue: z.unknown(), newValue: z.unknown() })),
	entity: z.optional(members),
	_links: links,
});

export const sview = z.object({
	id: z.string(),
	type: z.string(),
	displayValue: z.string(),
	properties: members,
	_links: ownLinks,
});

export const user = z.object({
	id: z.string(),
	name: z.string(),
	email: z.string(),
	displayValue: z.string(),
	_links: links,
});

export const person = z.object({
	userId: z.nullable(z.string()),
	name: z.nullable(z.string()),
	email: z.nullable(z.string()),
	role: z.string(),
	_links: links,
});

export const share = z.object({
	users: z.array(z.string()),
	_links: z.optional(links),
});

const keyMembers = { name: z.string(), key: z.string(), role: z.string(), _links: links };
export const accessKey = z.object(keyMembers);
export const newAccessKey = z.object({ ...keyMembers, secret: z.string() });

export const publicLink = z.object({
	kind: z.string(),
	role: z.string(),
	protection: z.string(),
	names: z.boolean(),
	href: z.string(),
	_links: links,
});

export const removedField = z.object({
	id: z.string(),
	name: z.string(),
	removedAt: z.string(),
	_links: links,
});
export const discardedGrid = z.object({ name: z.string(), discardedAt: z.string(), _links: links });

export const invited = z.object({ email: z.string(), name: z.nullable(z.string()), keys: z.number() });
export const joinLink = z.object({ href: z.string(), email: z.string(), expiresAt: z.string() });

export const fieldTypes = z.array(z.object({ name: z.string() }));

export const csvContent = z.object({
	numberOfRows: z.number(),
	columns: z.array(z.object({ name: z.string(), type: fieldType })),
	rows: z.array(z.array(z.string())),
});

/** The names of linked rows by the ids of the rows. */
export const linkedNames = z.object({ names: z.record(z.string(), z.string()) });

/** The rows that a form offers to link to. */
export const offeredRows = z.object({ rows: z.array(z.object({ id: z.string(), name: z.string() })) });

/** What a public link opens: a form, rows or a row. */
export const shared = z.looseObject({ _links: links });
export const sharedForm = z.object({
	name: z.string(),
	inputs: z.array(
		z.looseObject({
			type: z.string(),
			formKey: z.string(),
			options: z.optional(z.array(option)),
			_links: z.optional(links),
		}),
	),
	_links: links,
});
/** The member of an input of a form that its type names (§2.9). */
export const formInput = z.object({
	label: z.string(),
	required: z.boolean(),
	visible: z.boolean(),
	readonly: z.boolean(),
	properties: z.object({ description: z.optional(z.nullable(z.string())) }),
	type: fieldType,
});
export const sharedView = z.object({
	name: z.string(),
	fields: z.array(column),
	_links: links,
});
/** The schema of the rows of a grid (§4.4). */
export const entitySchema = z.object({
	title: z.string(),
	properties: z.record(
		z.string(),
		z.object({ title: z.string(), description: z.optional(z.string()), 'x-type': fieldType }),
	),
});

/** What a record needs for its links to be followed. */
export const linked = z.object({ _links: links });

export const errorBody = z.object({ message: z.optional(z.string()), details: z.optional(members) });

/** A page of a list. @param item schema of its items */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
	z.object({
		page: z.number(),
		numberOfItems: z.number(),
		numberOfPages: z.number(),
		items: z.array(item),
		_links: links,
	});

export type Link = z.infer<typeof link>;
export type Links = z.infer<typeof links>;
export type FieldType = z.infer<typeof fieldType>;
export type Option = z.infer<typeof option>;
export type GridSummary = z.infer<typeof gridSummary>;
export type Grid = z.infer<typeof grid>;
export type Space = z.infer<typeof space>;
export type Row = z.infer<typeof row>;
export type RowEvent = z.infer<typeof event>;
export type StatefulView = z.infer<typeof sview>;
export type User = z.infer<typeof user>;
export type Person = z.infer<typeof person>;
export type AccessKey = z.infer<typeof accessKey>;
export type NewAccessKey = z.infer<typeof newAccessKey>;
export type PublicLink = z.infer<typeof publicLink>;
export type SharedForm = z.infer<typeof sharedForm>;
export type SharedView = z.infer<typeof sharedView>;
export type EntitySchema = z.infer<typeof entitySchema>;
export type RemovedField = z.infer<typeof removedField>;
/** A schema that turns JSON of the service into a typed value. */
export type Schema<Value> = z.ZodMiniType<Value>;

/** A column, as far as cells need it. */
export interface Column {
	readonly id: string;
	readonly name: string;
	readonly description?: string | null;
	readonly type: FieldType;
	/** Address of its space, whose people an editor suggests. */
	readonly space?: string;
	/** Address of the grid whose rows it links to. */
	readonly linkedGrid?: string | undefined;
	/** The list of the rows that a public form offers to link to. */
	readonly offer?: Link | undefined;
}

/** A column of a grid, which can be changed. */
export type Field = Column & z.infer<typeof field>;

/** The text of a value of any type: a text itself, JSON of others. */
export function textIn(value: unknown): string {
	if (value === null || value === undefined) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The members of a value of any type; none unless it is an object. */
export const membersOf = (value: unknown): Record<string, unknown> =>
	typeof value === 'object' && value !== null ? { ...value } : {};
