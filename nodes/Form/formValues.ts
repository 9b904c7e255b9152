import type { INodeProperties, ResourceMapperField } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Created } from '../../client/session/created';
import { InvalidInput } from '../../client/errors';
import { fieldSchema, isWritable, type Field } from '../../client/resources/fields';
import { inputsOf } from '../../client/resources/forms';
import { jsonObjectOr } from '../../client/formats/json';
import { columnOf, mappedValues, mappingSchema, valuesOf, type Mapping } from '../shared/inputs/columnMapper';
import { labelsOf } from '../shared/rows/columnNames';
import { allowEmptyRow, refuseEmpty } from '../shared/inputs/emptyRow';
import { jsonOrText } from '../shared/inputs/json';
import type { AccountlessContext } from '../shared/runner/operation';
import { parameter, type ReadParameter, type Parameter } from '../shared/inputs/parameter';
import { optionsOf } from '../shared/inputs/options';
import { valueText } from '../shared/display/valueText';
import { isJson } from '../shared/rows/valueTypes';

const valuesAs = parameter(
	{
		displayName: 'Specify Values',
		name: 'valuesAs',
		type: 'options',
		options: [
			{
				name: 'Using Fields Below',
				value: 'fields',
				description: 'An input for each field of the form, by its label',
			},
			{
				name: 'Using JSON',
				value: 'json',
				description: 'One JSON object; also for keys that may submit but not read',
			},
		],
		default: 'fields',
		description: 'How the values of the form are given',
	},
	z.enum(['fields', 'json']),
);

const valuesJson = parameter(
	{
		displayName: 'Values (JSON)',
		name: 'valuesJson',
		type: 'json',
		default: '{}',
		required: true,
		displayOptions: { show: { valuesAs: ['json'] } },
		placeholder: 'e.g. { "Customer": "Ada", "Quantity": 2 }',
		description:
			'The values by label or field ID. Field IDs are needed where the form may be submitted but not read.',
	},
	z.preprocess(jsonOrText, jsonObjectOr('it is not a JSON object')),
);

const FORM_FIELDS = 'Form Fields';
const options = optionsOf(allowEmptyRow);

/**
 * The inputs that a form's values are entered in.
 * @param source which list of fields the editor loads, and what it depends on
 */
export function formValueFields(source: { method: string; dependsOn: string[] }): {
	fields: ReadonlyArray<Parameter<unknown>>;
	read(parameter: ReadParameter): FormValues;
} {
	const property: INodeProperties = {
		displayName: FORM_FIELDS,
		name: 'formFields',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		displayOptions: { show: { valuesAs: ['fields'] } },
		description:
			'The values to submit, by the labels of the form. Automatic mapping finds fields by label or ID.',
		typeOptions: {
			loadOptionsDependsOn: source.dependsOn,
			resourceMapper: {
				resourceMapperMethod: source.method,
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
				allowEmptyValues: true,
				// Where there is none, the notice says why: n8n's own words would be a fault that nobody has made.
				hideNoDataError: true,
			},
		},
	};
	const mapper = parameter(property, mappingSchema);
	return {
		fields: [valuesAs, mapper, valuesJson, options],
		read: (read) => {
			const given = read(valuesAs) === 'json' ? { json: read(valuesJson) } : { mapping: read(mapper) };
			return { ...given, mayBeEmpty: read(options)(allowEmptyRow) };
		},
	};
}

type FormValues = ({ mapping: Mapping } | { json: Record<string, unknown> }) & { mayBeEmpty: boolean };

/**
 * The fields that a form asks for, under the labels it shows. What it does not say of a field is taken from the grid's; a form
 * that tells no inputs at all asks for every field of the grid (§2.9 Gaps: the fields of a form are not specified).
 */
export function fieldsOfForm(form: object, gridFields: readonly Field[]): Field[] {
	const inputs = inputsOf(form);
	if (inputs.length === 0) return [...gridFields];
	const byId = new Map(gridFields.map((field) => [field.id, field]));
	return inputs.map(({ fieldId, label, required, readonly, type }) => {
		const field = byId.get(fieldId);
		const schema = readonly ? { ...field?.schema, readOnly: true } : field?.schema;
		// A type that nobody tells converts nothing: the value is sent as it is.
		const known = field?.type ?? type ?? { name: 'unknown' };
		return fieldSchema.parse({ ...field, id: fieldId, name: label, type: known, schema, required });
	});
}

/** The fields as the editor's inputs: the labels are valueText, the field ids are kept. */
export function mapperFields(fields: readonly Field[]): ResourceMapperField[] {
	const labels = labelsOf(fields);
	return fields.filter(isWritable).map((field) => columnOf(field, labels.get(field.id) ?? field.name));
}

/** A form's fields as a row of output can show them. */
export function fieldRows(fields: readonly Field[]): object[] {
	return fields.map((field) => ({
		label: field.name,
		fieldId: field.id,
		type: field.type.name,
		required: field.required === true,
		writable: isWritable(field),
		...(field.type.options
			? { options: field.type.options.map(({ name, value }) => ({ name, value })) }
			: {}),
	}));
}

/**
 * The body of a submission: values by field id (§4.4).
 * @param fields of the form, or undefined where it may be submitted but not read
 * @throws InvalidInput naming the field where a value does not fit, or where it is not one of the form's
 */
export function submission(
	given: FormValues,
	fields: readonly Field[] | undefined,
	context: AccountlessContext,
): Record<string, unknown> {
	const { values, unknown } = fields
		? mapped(given, fields, context)
		: { values: unread(given), unknown: [] };
	// A form that asks for nothing can only be submitted empty.
	const where = 'json' in given ? valuesJson.property.displayName : FORM_FIELDS;
	if (!given.mayBeEmpty && fields?.length !== 0) refuseEmpty({ values, unknown, where, owner: 'the form' });
	if (unknown.length > 0)
		context.hint(`Not submitted, because the form has no such field: ${unknown.join(', ')}`);
	return values;
}

function mapped(
	given: FormValues,
	fields: readonly Field[],
	{ item, node }: AccountlessContext,
): { values: Record<string, unknown>; unknown: string[] } {
	const timezone = node.getTimezone();
	const automatic = (input: object) =>
		valuesOf({ mapping: { mappingMode: 'autoMapInputData', matchingColumns: [] }, input, fields, timezone });
	if ('json' in given) {
		const { values, unknown } = automatic(given.json);
		if (unknown.length === 0) return { values, unknown };
		throw new InvalidInput(
			`The form has no field ${unknown.map((name) => `"${name}"`).join(', ')}`,
			`Its fields are: ${[...labelsOf(fields).values()].join(', ')}.`,
		);
	}
	if (given.mapping.mappingMode === 'autoMapInputData') return automatic(item.json);
	refuseMissing(given.mapping, fields);
	return valuesOf({ mapping: given.mapping, input: item.json, fields, timezone, where: FORM_FIELDS });
}

function unread(given: FormValues): Record<string, unknown> {
	if ('json' in given) return sendable(given.json);
	if (given.mapping.mappingMode !== 'autoMapInputData') return sendable(mappedValues(given.mapping));
	throw new InvalidInput(
		'The form may be submitted but not read, so the input cannot be mapped to its fields automatically',
		'Enter the values as JSON, by field ID.',
	);
}

/** Values of types that nobody tells go out as they are, if JSON can write them. @throws InvalidInput naming the one that it cannot */
function sendable(values: Record<string, unknown>): Record<string, unknown> {
	for (const [name, value] of Object.entries(values))
		if (value !== undefined && !isJson(value))
			throw new InvalidInput(
				`"${name}" is given ${valueText(value)}, which JSON cannot write`,
				'Check the expression that makes it.',
			);
	return values;
}

/** n8n shows which inputs are required, but an expression may yield nothing. */
function refuseMissing(mapping: Mapping, fields: readonly Field[]): void {
	const values = mappedValues(mapping);
	const empty = (value: unknown) => value === undefined || value === null || value === '';
	const missing = fields.filter(
		(field) => field.required === true && isWritable(field) && empty(values[field.id]),
	);
	if (missing.length === 0) return;
	throw new InvalidInput(
		`The form needs a value for ${missing.map(({ name }) => `"${name}"`).join(', ')}`,
		'Enter a value, or check the expression that makes it.',
	);
}

/** What a submission answers: the new entity's id, where the service tells it, and the values that were sent, by label. */
export function submitted(
	created: Created | undefined,
	body: Record<string, unknown>,
	fields: readonly Field[] | undefined,
): object {
	const labels = labelsOf(fields ?? []);
	const values = Object.entries(body).map(([id, value]) => [labels.get(id) ?? id, value]);
	const { id = undefined, href } = created ?? {};
	const at = id === null ? { _id: null, _href: href } : { ...(id === undefined ? {} : { _id: id }) };
	return { submitted: true, ...at, values: Object.fromEntries(values) };
}
