import type { INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { type Client, InvalidInput, type NewField } from '../../../client';
import { COLUMN_TYPES, isListedType, typeNamed, typesWith } from '../../shared/rows/columnTypes';
import { valueText } from '../../shared/display/shownText';
import { jsonInput, jsonOrText } from '../../shared/inputs/json';
import { linkedGridInput } from '../../shared/inputs/columns/linkedRows';
import { wantedType, type WantedType } from './linkedGrids';
import { parameter, type ReadParameter, textInput } from '../../shared/inputs/parameter';

/** Option for a type whose name is entered: §2.5 allows more types than it lists. */
const OTHER_TYPE = 'otherType';

const other: INodePropertyOptions = {
	name: 'Other',
	value: OTHER_TYPE,
	description: 'Another type of the service: enter its name',
};

/** §2.5. The list is open: an expression may return another name. */
const options = [...COLUMN_TYPES, other].sort((one, next) => (one.name < next.name ? -1 : 1));

/** The types whose values are links to rows (§2.5). */
const LINK_TYPES = typesWith(({ equality }) => equality === 'link');

/** The types whose values are chosen from options (§2.5). */
export const ENUM_TYPES = typesWith(({ hasOptions }) => hasOptions);

export const typeName = z.string().trim().min(1, 'a type is needed').transform(typeNamed);

const fieldType = parameter(
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options,
		default: 'string',
		description: 'The type of the values',
	},
	typeName,
);

/** Option of an update that leaves the type as it is. */
const SAME_TYPE = 'unchanged';

/** The same for an existing column. */
const newType = parameter(
	{
		...fieldType.property,
		displayName: 'New Type',
		options: [{ name: 'Unchanged', value: SAME_TYPE, description: 'The column keeps its type' }, ...options],
		default: SAME_TYPE,
	},
	typeName,
);

const otherTypeName = textInput(
	{
		displayName: 'Type Name',
		name: 'otherTypeName',
		// Not `required`: n8n shows this input if the type is an expression, and would insist on it.
		displayOptions: { show: { type: [OTHER_TYPE] } },
		placeholder: 'e.g. rating',
		description: 'The name of the type in the service (DataGrid Space > Service > Get Info lists all)',
	},
	typeName,
);

/** The name of a type, chosen or entered. @throws InvalidInput if none is entered */
export function typeNameOf(chosen: string, entered: string | undefined): string {
	return chosen === OTHER_TYPE ? otherTypeName.read(entered ?? '') : chosen;
}

/** The grid whose rows a column links, shown only for a type that links rows. */
const linkedGrid = parameter(
	{
		...linkedGridInput({
			description:
				'The grid whose rows the column links, so that a write can name a row by its ID. A key works in every account.',
			whenEmpty: 'Any grid',
		}),
		displayOptions: { show: { type: LINK_TYPES } },
	},
	z.unknown(),
);

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

const shownOptions = { displayName: 'Options', name: 'options', placeholder: 'e.g. new, packed, shipped' };

/** The options of a type that has options. */
const enumOptions = textInput(
	{
		...shownOptions,
		displayOptions: { show: { type: ENUM_TYPES } },
		description: 'The values to choose from, separated by commas, or as a JSON list if one contains a comma',
	},
	optionsSchema,
);

/** The same for an existing column. */
const newOptions = textInput(
	{
		...shownOptions,
		displayOptions: { show: { type: [SAME_TYPE, ...ENUM_TYPES] } },
		description:
			'Options to add to a choice column, separated by commas, or as a JSON list if one contains a comma. To drop others, see Replace Options.',
	},
	optionsSchema,
);

/** The options in the details of a type. @throws InvalidInput if they are not a list */
export const optionsIn = (details: unknown): unknown[] => enumOptions.read(details);

/** Properties of a type that has no inputs of its own. */
export const typeDetails = jsonInput({
	displayName: 'Type Details (JSON)',
	name: 'typeDetails',
	placeholder: 'e.g. { "currency": "EUR" }',
	description: 'Further properties of the type as a JSON object',
});

/** The inputs for a change of type, read by `chosenTypeChange`. */
export const typeChangeFields = [newType, otherTypeName, newOptions];

/** The type and the options that the inputs describe; no name if the type stays unchanged. */
export function chosenTypeChange(parameter: ReadParameter) {
	const chosen = parameter(newType);
	if (chosen === SAME_TYPE) return { name: undefined, entered: parameter(newOptions) };
	const name = chosen === OTHER_TYPE ? parameter(otherTypeName) : chosen;
	return { name, entered: parameter(newOptions) };
}

/** Shown as long as the inputs change the type. */
export const whenRetyped = { hide: { type: [SAME_TYPE] } };

/** The inputs for the type of one column, read by `chosenType`. */
export const typeFields = [fieldType, otherTypeName, enumOptions, linkedGrid];

/**
 * Refuses a type that the service does not have, before anything is created. Asks only for types
 * that §2.5 does not list.
 * @throws InvalidInput
 */
export async function requireKnownTypes({ meta }: Client, columns: readonly NewField[]): Promise<void> {
	const unlisted = columns.filter(({ type }) => !isListedType(type.name));
	if (unlisted.length === 0) return;
	const names = new Set((await meta.fieldTypes()).map(({ name }) => name));
	const unknown = unlisted.find(({ type }) => !names.has(type.name));
	if (unknown)
		throw new InvalidInput(
			`The column "${unknown.name}" has ${valueText(unknown.type.name)} as "Type" or "Type Name", which the service does not have; nothing was created`,
			`Its types are: ${COLUMN_TYPES.map(({ name }) => name).join(', ')}.`,
		);
}

/** The type that the inputs describe. @param column name of the new column, for errors */
export function chosenType(
	parameter: ReadParameter,
	column: string,
	details: Record<string, unknown> | undefined,
): WantedType {
	const chosen = parameter(fieldType);
	const name = chosen === OTHER_TYPE ? parameter(otherTypeName) : chosen;
	return wantedType(typeOf(column, name, parameter(enumOptions), details), parameter(linkedGrid));
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
