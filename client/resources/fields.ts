import { z } from 'zod/v4';
import type { Grid } from './grids';
import { findLink, linkOf, linksSchema, type Link } from '../hal/links';
import { fieldsInSchema, fieldTypeIn, flatSchema } from '../formats/jsonSchema';
import { createdBy } from '../session/created';
import { paths } from '../endpoints/paths';
import { changeLink, likelyLink } from '../endpoints/permission';
import { Session } from '../session/session';

/** One choice of an enum column: §2.5 says only that the type carries `options`, so both plain texts and objects are read. */
const optionSchema = z.union([
	z.string().transform((value) => ({ value, name: value })),
	z
		.looseObject({
			value: z.union([z.string(), z.number()]).optional(),
			id: z.union([z.string(), z.number()]).optional(),
			key: z.string().optional(),
			name: z.string().optional(),
			label: z.string().optional(),
		})
		.transform((option) => {
			const value = option.value ?? option.key ?? option.id ?? option.name ?? '';
			return { ...option, value: String(value), name: option.name ?? option.label ?? String(value) };
		}),
]);
export type FieldOption = z.infer<typeof optionSchema>;

/** §2.5: `{ name, … }`; a bare text is read as the name. */
export const fieldTypeSchema = z.union([
	z.string().transform((name) => ({ name, options: undefined })),
	z.looseObject({ name: z.string(), options: z.array(optionSchema).optional().catch(undefined) }),
]);

type FieldType = z.infer<typeof fieldTypeSchema>;

/** §2.5. `required` and `readonly` are not in the spec; they are read where the value's schema says so. */
export const fieldSchema = z
	.looseObject({
		id: z.string().min(1),
		name: z.string().catch(''),
		key: z.string().nullish().catch(null),
		description: z.string().nullish().catch(null),
		type: fieldTypeSchema.optional().catch(undefined),
		schema: z
			.looseObject({ readOnly: z.boolean().optional().catch(undefined) })
			.optional()
			.catch(undefined),
		required: z.boolean().optional().catch(undefined),
		_links: linksSchema.default(() => new Map<string, Link>()),
	})
	.transform(({ type, ...field }) => ({
		...field,
		name: field.name || field.key || field.id,
		type: type?.options ? type : typeWith(type, field.schema ?? {}),
	}));
export type Field = z.infer<typeof fieldSchema>;

/** A type that does not tell all of itself: what is missing, its options or its name, is in the schema of the value. */
function typeWith(type: FieldType | undefined, schema: Record<string, unknown>): FieldType {
	if (type === undefined && Object.keys(schema).length === 0) return { name: 'string', options: undefined };
	return fieldTypeSchema.parse(
		fieldTypeIn({ ...flatSchema(schema), ...(type ? { 'x-type': { ...type, options: undefined } } : {}) }),
	);
}

/** What a column is created with (§4.4 ColumnAdd). `position` is 0-based; at the end where it is left out. */
export interface NewField {
	name: string;
	key?: string | undefined;
	description?: string | undefined;
	position?: number | undefined;
	/** §2.5: `{ name, … }` with further properties depending on the name. */
	type: { name: string; [property: string]: unknown };
}
/** What can be changed of a field (§4.4 PATCH). */
export interface FieldChange {
	name?: string | undefined;
	key?: string | undefined;
	/** null removes it. */
	description?: string | null | undefined;
	type?: NewField['type'] | undefined;
}

/** The types whose values the service computes (§2.5): never written. */
const COMPUTED_TYPES = new Set(['createdby', 'createdat', 'lookup', 'formula']);

export function isWritable(field: Field): boolean {
	return !COMPUTED_TYPES.has(field.type.name.toLowerCase()) && field.schema?.readOnly !== true;
}

/** §4.4 `GRID/schema`: a JSON schema whose properties are the fields, keyed by field id. */
const gridSchemaSchema = z.unknown().transform((document, context) => {
	const fields = z.array(fieldSchema).safeParse(fieldsInSchema(document));
	if (fields.success) return fields.data;
	context.addIssue({ code: 'custom', message: 'expected the properties of entities by field id' });
	return z.NEVER;
});

export class Fields {
	constructor(private readonly session: Session) {}

	/**
	 * The fields of a grid in schema order: from the grid where version 2 carried them (§9), else from its schema (§4.4).
	 * @throws LinkMissing where the grid has neither
	 */
	async of(grid: Grid): Promise<Field[]> {
		if (grid.fields) return grid.fields;
		const link = linkOf(grid, 'schema', `read the columns of "${grid.name}"`);
		// Where the schema is told for several layouts, only that of field ids names the fields (§2.7).
		const query = /[?&{,]layout\b/.test(link.href) ? { layout: 'field' } : {};
		return await this.session.read(gridSchemaSchema, Session.callOf(link, { query }));
	}

	/** One field anew (§4.4). @throws NotFound where it has been removed meanwhile */
	async get(grid: Grid, field: Field): Promise<Field> {
		const href = paths.field(grid.address, field.id);
		const link = likelyLink(field, { rels: ['self'], method: 'GET', href });
		return await this.session.read(fieldSchema, Session.callOf(link));
	}

	/**
	 * Adds a column (§4.4 ColumnAdd).
	 * @returns its id, where the answer tells: §4 promises a `Location` to a creating POST and does not say whether this is one
	 * @throws LinkMissing, BadRequest where name or key are taken
	 */
	async add(grid: Grid, field: NewField): Promise<string | undefined> {
		const link = columnLink(grid, 'ColumnAdd', ['columnAdd', 'addColumn', 'addField'], 'add columns to');
		const answer = await this.session.send(Session.callOf(link, { body: field }, 'POST'));
		const created = await createdBy(this.session, answer, 'field');
		// A `Location` may as well be that of the grid.
		return created?.id === grid.id ? undefined : (created?.id ?? undefined);
	}

	/** Changes what is given of a field; the rest stays (§4.4 PATCH). @throws LinkMissing, BadRequest */
	async update(grid: Grid, field: Field, change: FieldChange): Promise<void> {
		const link = changeLink(
			field,
			findLink(grid, 'addEntity'),
			{ rels: ['update', 'edit'], method: 'PATCH', href: paths.field(grid.address, field.id) },
			`change columns of "${grid.name}"`,
		);
		await this.session.send(Session.callOf(link, { body: change }));
	}

	/** Renames the column that has a name (§4.4 ColumnRename: it knows columns by name only). @throws LinkMissing, BadRequest */
	async rename(grid: Grid, oldName: string, newName: string): Promise<void> {
		const link = columnLink(
			grid,
			'ColumnRename',
			['columnRename', 'renameColumn', 'renameField'],
			'rename columns of',
		);
		await this.session.send(Session.callOf(link, { body: { oldName, newName } }, 'POST'));
	}

	/** Gives a column another type (§4.4 ColumnTypeChange). What becomes of values that do not fit it is up to the service. */
	async changeType(grid: Grid, fieldId: string, type: NewField['type']): Promise<void> {
		const rels = ['columnTypeChange', 'changeColumnType', 'changeFieldType'] as const;
		const link = columnLink(grid, 'ColumnTypeChange', rels, 'change columns of');
		await this.session.send(Session.callOf(link, { body: { fieldId, type } }, 'POST'));
	}

	/** Gives a column another key (§4.4 ColumnKeyChange). @throws LinkMissing, BadRequest where the key is taken */
	async changeKey(grid: Grid, fieldId: string, key: string): Promise<void> {
		const rels = ['columnKeyChange', 'changeColumnKey', 'changeFieldKey'] as const;
		const link = columnLink(grid, 'ColumnKeyChange', rels, 'change columns of');
		await this.session.send(Session.callOf(link, { body: { fieldId, key } }, 'POST'));
	}

	/** Removes a column with its values (§4.4 ColumnRemove). @throws LinkMissing, BadRequest */
	async remove(grid: Grid, fieldId: string): Promise<void> {
		const rels = ['columnRemove', 'removeColumn', 'removeField'] as const;
		const link = columnLink(grid, 'ColumnRemove', rels, 'remove columns of');
		await this.session.send(Session.callOf(link, { body: { fieldId } }, 'POST'));
	}
}

/** The link of one of the column operations of §4.4, for which the spec names none. @throws LinkMissing */
function columnLink(grid: Grid, operation: string, rels: readonly [string, ...string[]], what: string): Link {
	const href = paths.columnOperation(grid.address, operation);
	return changeLink(
		grid,
		findLink(grid, 'addEntity'),
		{ rels, method: 'POST', href },
		`${what} "${grid.name}"`,
	);
}
