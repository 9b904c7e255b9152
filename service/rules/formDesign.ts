import { z } from 'zod/v4';
import { isComputed, type Field } from './fieldTypes';
import type { Values } from './layouts';

/** A field as a form asks for it. */
export interface FormField {
	readonly field: Field;
	readonly label: string;
	/** Whether a submission without a value is refused. */
	readonly required: boolean;
	readonly description: string;
	/** Whether people without an account pick linked rows from a list, if their link allows it. */
	readonly offerRows: boolean;
}

const designSchema = z.looseObject({
	form: z.looseObject({
		inputs: z.array(
			z.looseObject({
				field: z.string(),
				label: z.string().default(''),
				required: z.boolean().default(false),
				description: z.string().default(''),
				offerRows: z.boolean().default(false),
			}),
		),
	}),
});

/**
 * The inputs of a grid's form in their order. The specification shows no request that changes a
 * form (§6), so what its maker chose is kept in the grid's properties (§2.4):
 * `{ "form": { "inputs": [{ "field", "label", "required", "description", "offerRows" }] } }`, all
 * but `field` optional. Properties of another form are somebody else's, and the form has all
 * fields.
 */
export function formFields(properties: Record<string, unknown>, shown: readonly Field[]): FormField[] {
	const design = designSchema.safeParse(properties).data;
	const defaults = { required: false, description: '', offerRows: false };
	if (!design) return shown.map((field) => ({ ...defaults, field, label: field.name }));
	const chosen = new Map(design.form.inputs.map((input) => [input.field, input]));
	return [...chosen.values()].flatMap(({ field: id, label, required, description, offerRows }) =>
		shown
			.filter((field) => field.id === id)
			.map((field) => ({
				...{ field, label: label || field.name, description, offerRows },
				required: required && !isComputed(field),
			})),
	);
}

/** The first required field that a submission leaves empty. */
export const missingIn = (inputs: readonly FormField[], values: Values): FormField | undefined =>
	inputs.find(({ field, required }) => required && isEmpty(values[field.id]));

const isEmpty = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && value.trim() === '') ||
	(Array.isArray(value) && value.length === 0);
