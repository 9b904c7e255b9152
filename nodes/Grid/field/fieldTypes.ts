import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { NewField } from '../../../client/resources/fields';
import { InvalidInput } from '../../../client/errors';
import { jsonObject, jsonOrText } from '../../shared/inputs/json';
import { parameter, type ReadParameter } from '../../shared/inputs/parameter';

/** Option for a type whose name is entered: §2.5 allows more types than it lists. */
const OTHER_TYPE = 'otherType';

/** §2.5. The list is open: an expression may return another name. */
const options: INodePropertyOptions[] = [
	{ name: 'Address', value: 'address', description: 'Lines, city, state, country and post code' },
	{ name: 'Attachments', value: 'attachments', description: 'Links to files' },
	{ name: 'Choice', value: 'enum', description: 'One of the options given' },
	{ name: 'Created At', value: 'createdat', description: 'When the row was created; set by the service' },
	{ name: 'Created By', value: 'createdby', description: 'Who created the row; set by the service' },
	{ name: 'Currency', value: 'currency', description: 'An amount of money' },
	{ name: 'Date', value: 'date', description: 'A date without a time, such as 2026-03-01' },
	{ name: 'Date and Time', value: 'date-time', description: 'A date and time with its offset from UTC' },
	{ name: 'Decimal Number', value: 'decimal', description: 'A number with decimal places' },
	{ name: 'Email', value: 'email', description: 'An email address' },
	{
		name: 'Formula',
		value: 'formula',
		description:
			'Computed from other columns, if your service supports it; the embedded service leaves such columns empty',
	},
	{ name: 'Geolocation', value: 'geolocation', description: 'Latitude and longitude' },
	{ name: 'Link', value: 'uri', description: 'A web address' },
	{ name: 'Linked Row', value: 'reference', description: 'Another row' },
	{ name: 'Linked Rows', value: 'references', description: 'Several other rows' },
	{
		name: 'Lookup',
		value: 'lookup',
		description:
			'Taken from a linked row, if your service supports it; the embedded service leaves such columns empty',
	},
	{
		name: 'Other',
		value: OTHER_TYPE,
		description: 'Another type of the service: enter its name',
	},
	{ name: 'Phone Number', value: 'phoneNumber', description: 'A phone number' },
	{ name: 'Resource', value: 'resource', description: 'Another resource of the service' },
	{ name: 'Rich Text', value: 'richText', description: 'Text with formatting' },
	{ name: 'Several Choices', value: 'enumcollection', description: 'Any of the options given' },
	{ name: 'Several Texts', value: 'stringcollection', description: 'A list of texts' },
	{ name: 'Signature', value: 'signature', description: 'A drawn signature' },
	{ name: 'Text', value: 'string', description: 'A text without formatting' },
	{ name: 'User', value: 'user', description: 'A person with an account' },
	{ name: 'Whole Number', value: 'integer', description: 'A number without decimal places' },
	{ name: 'Yes or No', value: 'boolean', description: 'True or false' },
];

/** The types whose values are chosen from options (§2.5). */
export const ENUM_TYPES = ['enum', 'enumcollection'];

export const typeProperty = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options,
	default: 'string',
	description: 'The type of the values',
} as const;

export const otherTypeProperty: INodeProperties = {
	displayName: 'Type Name',
	name: 'otherTypeName',
	type: 'string',
	default: '',
	// Not `required`: if the type is an expression, n8n shows this input and would insist on a value.
	displayOptions: { show: { type: [OTHER_TYPE] } },
	placeholder: 'e.g. rating',
	description: 'The name of the type in the service (DataGrid Space > Service > Get Field Types lists all)',
};

export const optionsProperty = {
	displayName: 'Options',
	name: 'options',
	type: 'string',
	default: '',
	placeholder: 'e.g. new, packed, shipped',
	description: 'The values to choose from, separated by commas, or as a JSON list if one contains a comma',
} as const;

/** The same, shown only for a type that has options. */
export const optionsOfEnum = { ...optionsProperty, displayOptions: { show: { type: ENUM_TYPES } } };

/** Options as a list, its JSON, or texts separated by commas. */
export const optionsSchema = z
	.union([
		z.array(z.unknown()),
		z.string().transform((text, context) => {
			if (!text.trim().startsWith('['))
				return text
					.split(',')
					.map((option) => option.trim())
					.filter((option) => option !== '');
			const parsed = z.array(z.unknown()).safeParse(jsonOrText(text));
			if (parsed.success) return parsed.data;
			context.addIssue({ code: 'custom', message: 'it starts like a JSON list but is not valid JSON' });
			return z.NEVER;
		}),
	])
	.nullish()
	.transform((list) => list ?? []);

/** The options in the details of a type. @throws InvalidInput if they are not a list */
export const optionsIn = (details: unknown): unknown[] => enumOptions.read(details);

export const typeName = z.string().trim().min(1, 'a type is needed');

/** The name of a type, chosen or entered. @throws InvalidInput if none is entered */
export function typeNameOf(chosen: string, entered: string | undefined): string {
	return chosen === OTHER_TYPE ? otherTypeName.read(entered ?? '') : chosen;
}

const fieldType = parameter(typeProperty, typeName);
const otherTypeName = parameter(otherTypeProperty, typeName);
const enumOptions = parameter(optionsOfEnum, optionsSchema);
const typeDetails = parameter(
	{
		displayName: 'Type Details (JSON)',
		name: 'typeDetails',
		type: 'json',
		// The editor marks an empty text as broken JSON.
		default: '{}',
		placeholder: 'e.g. { "currency": "EUR" }',
		description:
			'More properties of the type as a JSON object, e.g. { "currency": "EUR" }. Most types have none.',
	},
	jsonObject,
);

/** The inputs for the type of one column, read by `chosenType`. */
export const typeFields = [fieldType, otherTypeName, enumOptions, typeDetails];

/** The type that the inputs describe. */
export function chosenTypeParts(parameter: ReadParameter) {
	const chosen = parameter(fieldType);
	const name = chosen === OTHER_TYPE ? parameter(otherTypeName) : chosen;
	return { name, entered: parameter(enumOptions), details: parameter(typeDetails) };
}

/**
 * The type that the inputs describe, for a new column.
 * @param column the column's name, for errors
 */
export function chosenType(parameter: ReadParameter, column: string): NewField['type'] {
	const { name, entered, details } = chosenTypeParts(parameter);
	return typeOf(column, name, entered, details);
}

/**
 * A type in the format of the service (§2.5).
 * @throws InvalidInput for an enum without options, whose column could not take any value
 */
export function typeOf(
	column: string,
	name: string,
	options: readonly unknown[],
	details: Record<string, unknown> = {},
): NewField['type'] {
	if (!ENUM_TYPES.includes(name)) return { ...details, name };
	const given = options.length > 0 ? { options: [...options] } : {};
	const type = { ...details, ...given, name };
	if ('options' in type) return type;
	throw new InvalidInput(
		`The column "${column}" has the type Choice or Several Choices, but no options`,
		'Enter the values under "Options", separated by commas.',
	);
}
