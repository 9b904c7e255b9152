import { z } from 'zod/v4';
import { endpoints } from '../endpoints/endpoints';
import type { GridAddress } from '../endpoints/paths';
import { linkTo, partOfGrid, permittedLink } from '../endpoints/permission';
import { isComputedType } from '../formats/fieldTypes';
import { isJsonObject } from '../formats/json';
import { fieldsInSchema, fieldTypeIn } from '../formats/jsonSchema';
import { idSchema, linksSchema, type Link, type Linked } from '../hal/links';
import { createdBy } from '../session/created';
import type { Cache } from '../session/cache';
import type { Session } from '../session/session';

/** An option of an enum column (§2.5): a text or an object, because its form is not specified. */
const optionSchema = z.union([
	z.string().transform((value) => withSent({ value, name: value }, value)),
	z
		.looseObject({
			value: z.union([z.string(), z.number()]).nullish(),
			id: z.union([z.string(), z.number()]).nullish(),
			key: z.string().nullish(),
			name: z.string().nullish(),
			label: z.string().nullish(),
		})
		.transform((option) => {
			const value = optionValue(option);
			return withSent({ ...option, value, name: option.name ?? option.label ?? value }, option);
		}),
]);

/** Options in the format in which the service sent them. */
const sentOptions = new WeakMap<object, unknown>();

function withSent<Option extends object>(option: Option, sent: unknown): Option {
	sentOptions.set(option, sent);
	return option;
}

/** An option as the service sent it, because another format would change the option. */
export const optionAsSent = (option: object): unknown => sentOptions.get(option) ?? option;

/** The value of an option in rows. @param option a text, or an object with the value (§2.5) */
export function optionValue(option: unknown): string {
	if (!isJsonObject(option)) return String(option ?? '');
	return String(option['value'] ?? option['key'] ?? option['id'] ?? option['name'] ?? '');
}

/** §2.5 */
export const fieldTypeSchema = z.looseObject({
	name: z.string(),
	options: z.array(optionSchema).optional().catch(undefined),
});

/** §2.5. `required` and `readOnly` are not specified; they are read from the value's schema. */
export const fieldSchema = z
	.looseObject({
		id: idSchema,
		name: z.string().catch(''),
		key: z.string().nullish().catch(null),
		description: z.string().nullish().catch(null),
		type: fieldTypeSchema,
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
		// §2.5 only says that the type has options; the schema of the value limits it to them, too.
		type: type.options ? type : { ...type, options: optionsIn(field.schema) },
	}));
export type Field = z.infer<typeof fieldSchema>;

const optionsIn = (schema: unknown) =>
	fieldTypeIn(schema).options?.map((option) => optionSchema.parse(option));

/** A column to create (§4.4 ColumnAdd), at the 0-based `position` or as the last one. */
export interface NewField {
	name: string;
	key?: string | undefined;
	description?: string | undefined;
	position?: number | undefined;
	/** §2.5: `{ name, … }` with further properties depending on the name. */
	type: { name: string; [property: string]: unknown };
}
/** The changeable properties of a field (§4.4 PATCH). */
export interface FieldPatch {
	name?: string | undefined;
	key?: string | undefined;
	/** null removes it. */
	description?: string | null | undefined;
	type?: NewField['type'] | undefined;
}

export function isWritable(field: Field): boolean {
	return !isComputedType(field.type.name) && field.schema?.readOnly !== true;
}

/** §4.4 `GRID/schema`: a JSON schema whose properties are the fields, keyed by field id. */
const gridSchemaSchema = z.unknown().transform((document, context) => {
	const fields = z.array(fieldSchema).safeParse(fieldsInSchema(document));
	if (fields.success) return fields.data;
	context.addIssue({ code: 'custom', message: 'expected the properties of entities by field id' });
	return z.NEVER;
});

/** The members of a grid needed here: grids import this file, so it cannot import them. */
interface FieldOwner extends Linked {
	id: string;
	name: string;
	address: GridAddress;
	fields?: Field[] | undefined;
	/** Field ids of a view, in its order. */
	fieldIds?: string[] | undefined;
}

/** The fields (columns) of a grid (§2.5, §4.4). */
export class Fields {
	/** Fields by the address of their schema or view: the same array each time. */
	private readonly inSchemas: Cache<Field[]>;

	constructor(private readonly session: Session) {
		this.inSchemas = session.cacheOf('grid');
	}

	/**
	 * The fields of a grid in schema order: from the grid if it contains them (version 2, §9),
	 * otherwise from its schema (§4.4), requested once until an operation changes it. A view that
	 * lists field ids (§2.8) has those, in that order.
	 * @throws LinkMissing if the grid has neither
	 */
	async of(grid: FieldOwner): Promise<Field[]> {
		if (grid.fields) return grid.fields;
		const { href } = linkTo(endpoints.gridSchema, grid);
		const ids = grid.fieldIds ?? [];
		return await this.inSchemas.get(JSON.stringify([href, ids]), async () => {
			const all = await this.inSchemas.get(href, () => this.inSchema(grid));
			const listed = ids.flatMap((id) => all.filter((field) => field.id === id));
			return listed.length > 0 ? listed : all;
		});
	}

	private async inSchema(grid: FieldOwner): Promise<Field[]> {
		// If the schema link has a layout, only the layout `field` contains field ids (§2.7).
		const hasLayouts = /[?&{,]layout\b/.test(linkTo(endpoints.gridSchema, grid).href);
		const query = hasLayouts ? { layout: 'field' } : {};
		return await this.session.fetch(gridSchemaSchema, endpoints.gridSchema, grid, { query });
	}

	/** Reads one field again (§4.4). @throws NotFound if it was removed in the meantime */
	async get(grid: FieldOwner, field: Field): Promise<Field> {
		return await this.session.fetch(fieldSchema, endpoints.fieldGet, fieldTarget(grid, field));
	}

	/**
	 * Adds a column (§4.4 ColumnAdd).
	 * @returns its id, if the response contains it: the specification does not say whether ColumnAdd
	 * returns a `Location`
	 * @throws LinkMissing, BadRequest if name or key is in use
	 */
	async add(grid: FieldOwner, field: NewField): Promise<string | undefined> {
		const response = await this.session.follow(endpoints.columnAdd, grid, { body: field });
		const created = await createdBy(this.session, response, 'field');
		// The `Location` may be the address of the grid.
		return created?.id === grid.id ? undefined : (created?.id ?? undefined);
	}

	/** Changes the given members of a field (§4.4). @throws LinkMissing, BadRequest */
	async update(grid: FieldOwner, field: Field, change: FieldPatch): Promise<void> {
		await this.session.follow(endpoints.fieldUpdate, fieldTarget(grid, field), { body: change });
	}

	/** Checks the permission to change a field, as far as links show it. @throws LinkMissing */
	mayUpdate(grid: FieldOwner, field: Field): void {
		permittedLink(endpoints.fieldUpdate, fieldTarget(grid, field));
	}

	/** Renames a column (§4.4 ColumnRename, by name). @throws LinkMissing, BadRequest */
	async rename(grid: FieldOwner, oldName: string, newName: string): Promise<void> {
		await this.session.follow(endpoints.columnRename, grid, { body: { oldName, newName } });
	}

	/** Changes the type of a column (§4.4). The service decides about values that do not fit. */
	async changeType(grid: FieldOwner, fieldId: string, type: NewField['type']): Promise<void> {
		await this.session.follow(endpoints.columnTypeChange, grid, { body: { fieldId, type } });
	}

	/** Changes the key of a column (§4.4). @throws LinkMissing, BadRequest if the key is in use */
	async changeKey(grid: FieldOwner, fieldId: string, key: string): Promise<void> {
		await this.session.follow(endpoints.columnKeyChange, grid, { body: { fieldId, key } });
	}

	/** Removes a column with its values (§4.4). @throws LinkMissing, BadRequest */
	async remove(grid: FieldOwner, fieldId: string): Promise<void> {
		await this.session.follow(endpoints.columnRemove, grid, { body: { fieldId } });
	}
}

const fieldTarget = (grid: FieldOwner, field: Field) => partOfGrid(grid, { fieldId: field.id }, field);
