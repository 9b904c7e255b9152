import { z } from 'zod/v4';
import type { Grid } from './grids';
import { linkOf } from './hal';
import { Session } from './session';

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
			return { value: String(value), name: option.name ?? option.label ?? String(value) };
		}),
]);
export type FieldOption = z.infer<typeof optionSchema>;

/** §2.5: `{ name, … }`; a bare text is read as the name. */
export const fieldTypeSchema = z.union([
	z.string().transform((name) => ({ name, options: undefined })),
	z.looseObject({ name: z.string(), options: z.array(optionSchema).optional().catch(undefined) }),
]);

/** §2.5. `required` and `readonly` are not in the spec; they are read where the value's schema says so. */
export const fieldSchema = z
	.looseObject({
		id: z.string().min(1),
		name: z.string().catch(''),
		key: z.string().nullish().catch(null),
		description: z.string().nullish().catch(null),
		type: fieldTypeSchema.catch({ name: 'string', options: undefined }),
		schema: z.looseObject({ readOnly: z.boolean().optional() }).optional().catch(undefined),
		required: z.boolean().optional().catch(undefined),
	})
	.transform((field) => ({ ...field, name: field.name || field.key || field.id }));
export type Field = z.infer<typeof fieldSchema>;

/** The types whose values the service computes (§2.5): never written. */
const COMPUTED_TYPES = new Set(['createdby', 'createdat', 'lookup', 'formula']);

export function isWritable(field: Field): boolean {
	return !COMPUTED_TYPES.has(field.type.name.toLowerCase()) && field.schema?.readOnly !== true;
}

/** §4.4 `GRID/schema`: a JSON schema whose properties are the fields, keyed by field id. */
const gridSchemaSchema = z.looseObject({
	properties: z.record(z.string(), z.looseObject({})),
	required: z.array(z.string()).optional().catch(undefined),
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
		const schema = await this.session.read(gridSchemaSchema, Session.callOf(link));
		return Object.entries(schema.properties).map(([id, property]) =>
			fieldSchema.parse({
				id,
				name: property.title ?? property.name,
				key: property.key ?? property['x-key'],
				description: property.description,
				type: property['x-type'] ?? property.fieldType ?? property.type,
				schema: property,
				required: schema.required?.includes(id),
			}),
		);
	}
}
