import type { IExecuteFunctions, INodeProperties, ResourceMapperField } from 'n8n-workflow';
import {
	type Created,
	type Field,
	fieldSchema,
	inputsOf,
	InvalidInput,
	isWritable,
	ownMember,
} from '../../../client';
import { columnOf, valuesOf } from './columns/columnMapper';
import { mappedValues, mappingSchema, type Mapping } from './columns/storedColumns';
import { labelsOf } from '../rows/columnNames';
import { allowEmptyRow, enteredValues, requireValue } from './columns/emptyRow';
import { choice } from './choice';
import { jsonValues } from './json';
import type { ShowHint } from '../display/hints';
import { parameter, type Parameter, type ReadParameter } from './parameter';
import { valueText } from '../display/shownText';
import { isEmptyCell } from '../rows/values';
import { isJson } from '../rows/valueTypes';

const valuesAs = choice(
	'valuesAs',
	'Specify Values',
	{
		fields: { name: 'Using Fields Below', description: 'One input per field of the form' },
		json: {
			name: 'Using JSON',
			description: 'One JSON object; also works with keys that may submit but not read the form',
		},
	},
	{ default: 'fields', description: 'How to enter the values of the form' },
);

const valuesJson = jsonValues({
	displayName: 'Values (JSON)',
	name: 'valuesJson',
	displayOptions: { show: { valuesAs: ['json'] } },
	placeholder: 'e.g. { "Order": "A-1001", "Quantity": 2 }',
	description: 'The values by label or field ID. If the form may be submitted but not read, use field IDs.',
});

const FORM_FIELDS = 'Form Fields';
const MAPPER = 'formFields';

const EMPTY_JSON =
	'Enter a value for at least one field of the form. To create an empty row, switch on "Allow Empty Row".';
const EMPTY_FORM =
	'Map a value to at least one field; with automatic mapping, name the fields of the item like those of the form. To create empty rows, switch on "Allow Empty Row".';

/**
 * The inputs for the values of a form; the operation also needs the option `allowEmptyRow`.
 * @param source the method that loads the fields in the editor, and the inputs it depends on
 */
export function formValueFields(source: { method: string; dependsOn: string[] }): {
	fields: ReadonlyArray<Parameter<unknown>>;
	read(context: { parameter: ReadParameter; option: ReadParameter }): FormValues;
} {
	const property: INodeProperties = {
		displayName: FORM_FIELDS,
		name: MAPPER,
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		displayOptions: { show: { valuesAs: ['fields'] } },
		description: 'The values to submit. Automatic mapping matches input fields by label or field ID.',
		typeOptions: {
			loadOptionsDependsOn: source.dependsOn,
			resourceMapper: {
				resourceMapperMethod: source.method,
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				valuesLabel: FORM_FIELDS,
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
				allowEmptyValues: true,
				// The notice gives the reason instead.
				hideNoDataError: true,
			},
		},
	};
	const mapper = parameter(property, mappingSchema);
	return {
		fields: [valuesAs, mapper, valuesJson],
		read: ({ parameter: read, option }) => {
			const source = read(valuesAs) === 'json' ? { json: read(valuesJson) } : { mapping: read(mapper) };
			return { ...source, mayBeEmpty: option(allowEmptyRow) };
		},
	};
}

type FormValues = ({ mapping: Mapping } | { json: Record<string, unknown> }) & { mayBeEmpty: boolean };

/**
 * The fields of a form, named by their labels. Missing details come from the grid's fields; a form
 * without inputs has all fields of the grid (§2.9 Gaps: form fields are not specified).
 */
export function fieldsOfForm(form: object, gridFields: readonly Field[]): Field[] {
	const inputs = inputsOf(form);
	if (inputs.length === 0) return [...gridFields];
	const byId = new Map(gridFields.map((field) => [field.id, field]));
	return inputs.map(({ fieldId, label, required, readonly, type }) => {
		const field = byId.get(fieldId);
		const schema = readonly ? { ...field?.schema, readOnly: true } : field?.schema;
		// Values of an unknown type are sent unchanged.
		const typeOfField = field?.type ?? type ?? { name: 'unknown' };
		return fieldSchema.parse({ ...field, id: fieldId, name: label, type: typeOfField, schema, required });
	});
}

/** The fields as inputs of the editor: labels are shown, field ids are stored. */
export function mapperFields(fields: readonly Field[]): ResourceMapperField[] {
	const labels = labelsOf(fields);
	return fields.filter(isWritable).map((field) => columnOf(field, labels.get(field.id) ?? field.name));
}

/** The fields of a form for the output. */
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

/** What a submission takes from the context of its item. */
interface Submission {
	item: { json: object };
	timezone: string;
	hint: ShowHint;
	node: IExecuteFunctions;
}

/**
 * The body of a submission: values by field id (§4.4).
 * @param fields fields of the form; undefined if it may be submitted but not read
 * @throws InvalidInput naming a field that is unknown or whose value does not fit
 */
export function submission(
	given: FormValues,
	fields: readonly Field[] | undefined,
	context: Submission,
): Record<string, unknown> {
	const { values, unknown } = fields
		? mapped(given, fields, context)
		: { values: unmapped(given), unknown: [] };
	// A form without fields can only be submitted empty.
	if (!given.mayBeEmpty && fields?.length !== 0) {
		const about = { unknown, owner: 'the form', noun: 'field' } as const;
		if ('json' in given)
			requireValue({ ...about, values, where: valuesJson.property.displayName }, EMPTY_JSON);
		else {
			const entered = enteredValues(context.node, MAPPER, { mapping: given.mapping, values });
			requireValue({ ...about, values: entered, where: FORM_FIELDS }, EMPTY_FORM);
		}
	}
	if (unknown.length > 0)
		context.hint(`Not submitted, because the form has no such field: ${unknown.join(', ')}`, 'warning');
	return values;
}

function mapped(
	given: FormValues,
	fields: readonly Field[],
	{ item, timezone }: Submission,
): { values: Record<string, unknown>; unknown: string[] } {
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
	requireFields(given.mapping, fields);
	return valuesOf({ mapping: given.mapping, input: item.json, fields, timezone, where: FORM_FIELDS });
}

function unmapped(values: FormValues): Record<string, unknown> {
	if ('json' in values) return sendable(values.json);
	if (values.mapping.mappingMode !== 'autoMapInputData') return sendable(mappedValues(values.mapping));
	throw new InvalidInput(
		'The form may be submitted but not read, so the input cannot be mapped automatically',
		'Enter the values as JSON, by field ID.',
	);
}

/** Values to send unchanged. @throws InvalidInput naming one that JSON cannot represent */
export function sendable(values: Record<string, unknown>): Record<string, unknown> {
	for (const [name, value] of Object.entries(values))
		if (value !== undefined && !isJson(value))
			throw new InvalidInput(
				`"${name}" is ${valueText(value)}, which JSON cannot represent`,
				'Check the expression that returns it.',
			);
	return values;
}

/** n8n marks required inputs, but an expression may return no value. */
function requireFields(mapping: Mapping, fields: readonly Field[]): void {
	const values = mappedValues(mapping);
	const missing = fields.filter(
		(field) => field.required === true && isWritable(field) && isEmptyCell(ownMember(values, field.id)),
	);
	if (missing.length === 0) return;
	throw new InvalidInput(
		`The form requires a value for ${missing.map(({ name }) => `"${name}"`).join(', ')}`,
		'Enter a value, or check the expression that returns it.',
	);
}

/**
 * The row of output for a submission: the id, if known, and the values by label.
 * @param idName what the id is; behind a public link it is that of the submission, not of the row
 */
export function submitted(
	created: Created | undefined,
	body: Record<string, unknown>,
	fields: readonly Field[] | undefined,
	idName: '_id' | 'submissionId' = '_id',
): object {
	const labels = labelsOf(fields ?? []);
	const values = Object.entries(body).map(([id, value]) => [labels.get(id) ?? id, value]);
	const { id = undefined, href } = created ?? {};
	const at =
		id === null ? { [idName]: null, _href: href } : { ...(id === undefined ? {} : { [idName]: id }) };
	return { submitted: true, ...at, values: Object.fromEntries(values) };
}
