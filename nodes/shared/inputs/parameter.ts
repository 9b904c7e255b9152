import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { z } from 'zod/v4';
import { InvalidInput, isJsonObject, jsonObjectOr } from '../../../client';
import { valueText } from '../display/shownText';

/** An input: n8n's property, and a reader that throws InvalidInput for invalid values. */
export interface Parameter<Value> {
	property: INodeProperties;
	read(raw: unknown): Value;
}

/** Reads the value of one of the operation's own inputs, for the current item. */
export type ReadParameter = <Value>(parameter: Parameter<Value>) => Value;

/** An input whose value a schema checks, because an expression may return anything. */
export function parameter<Schema extends z.ZodType>(
	property: INodeProperties,
	schema: Schema,
): Parameter<z.infer<Schema>> {
	// Without an expression, the value is the same object for thousands of items.
	const readings = new WeakMap<object, { value: z.infer<Schema> }>();
	let last: { raw: unknown; value: z.infer<Schema> } | undefined;
	return {
		property,
		read(raw) {
			const isObject = typeof raw === 'object' && raw !== null;
			const before = isObject ? readings.get(raw) : last?.raw === raw ? last : undefined;
			if (before) return before.value;
			const parsed = schema.safeParse(raw, { error: problemOf });
			if (parsed.success && isObject) readings.set(raw, { value: parsed.data });
			if (parsed.success && !isObject) last = { raw, value: parsed.data };
			if (parsed.success) return parsed.data;
			const issue = parsed.error.issues[0];
			const path = issue?.path ?? [];
			const where = path.length > 0 ? ` (${placeIn(property, path)})` : '';
			const value = valueAt(raw, path);
			throw new InvalidInput(
				`"${property.displayName}"${where} cannot be used: ${issue?.message ?? 'it is not valid'}`,
				value === undefined || value === ''
					? 'Enter a value, or check the expression that returns it.'
					: `Its value is ${valueText(value)}. Enter another value, or check the expression that returns it.`,
			);
		},
	};
}

/** The value that a problem concerns within that of an input; the whole text of JSON. */
function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
	let value = raw;
	for (const member of path) {
		if (typeof value === 'string') break;
		value = Array.isArray(value)
			? value[Number(member)]
			: isJsonObject(value)
				? value[String(member)]
				: undefined;
	}
	return value;
}

const TYPE_NAMES: Readonly<Partial<Record<string, string>>> = {
	array: 'a list',
	boolean: 'true or false',
	int: 'a whole number',
	number: 'a number',
	object: 'an object',
	record: 'an object',
	string: 'a text',
};

/** What a person has to know, instead of zod's words; those of a schema of ours take precedence. */
const problemOf: z.core.$ZodErrorMap = (issue) => {
	if (issue.code === 'invalid_type')
		return issue.input === undefined ? 'it is empty' : `it is not ${TYPE_NAMES[issue.expected] ?? 'usable'}`;
	if (issue.code === 'invalid_value') return `it must be one of: ${issue.values.map(String).join(', ')}`;
	if (issue.code !== 'too_small' && issue.code !== 'too_big') return undefined;
	const isNumber = issue.origin === 'number' || issue.origin === 'int';
	if (issue.code === 'too_small') return isNumber ? `it is less than ${issue.minimum}` : 'it is empty';
	return isNumber ? `it is more than ${issue.maximum}` : `it is longer than ${issue.maximum}`;
};

/** The label of an option, the row of a list with its label, or the members of JSON. */
function placeIn({ options = [] }: INodeProperties, path: readonly PropertyKey[]): string {
	const [group, index, member] = path;
	const rows = options.find(({ name }) => name === group);
	if (rows && path.length === 1) return 'displayName' in rows ? rows.displayName : rows.name;
	if (rows === undefined || !('values' in rows) || typeof index !== 'number') return path.join(' → ');
	const input = rows.values.find(({ name }) => name === member);
	return `row ${index + 1}${input ? `, ${input.displayName}` : ''}`;
}

/** A non-empty text, also from a number or boolean. @param empty message for an empty one */
export function requiredText(empty: string) {
	return z
		.union([z.string(), z.number(), z.boolean()], { error: 'it is not a text' })
		.transform((given) => String(given).trim())
		.refine((given) => given !== '', empty);
}

/** For `refine`: the limit of a text (§8). UTF-16 units are more: an emoji has two or more. */
export const upTo = (most: number) =>
	[
		(text: string) => [...text.normalize('NFC')].length <= most,
		`it is longer than ${most} characters`,
	] as const;

/** A text or number; undefined if empty. */
export const optionalText = z
	.union([z.string(), z.number()], { error: 'it is not a text' })
	.nullish()
	.transform((given) => String(given ?? '').trim() || undefined);

/** One text or several, as an expression may return them. */
export const texts = z
	.union([z.array(z.union([z.string(), z.number(), z.boolean()])), z.string(), z.number(), z.boolean()])
	.transform((given) => (Array.isArray(given) ? given : [given]).map((value) => String(value)));

/** A number or its text. */
export const numeric = z.union(
	[
		z.number(),
		z
			.string()
			.trim()
			.regex(/^[+-]?\d+(\.\d+)?$/)
			.transform(Number),
	],
	{ error: 'it is not a number' },
);

/** What an input shows, besides what its type determines. */
export type Shown = Omit<INodeProperties, 'type' | 'default'>;

/** An input that is on or off. */
export const toggle = (shown: Shown, isOn = false) =>
	parameter({ ...shown, type: 'boolean', default: isOn }, z.boolean());

/** An input for a text. */
export const textInput = <Schema extends z.ZodType>(shown: Shown, schema: Schema) =>
	parameter({ ...shown, type: 'string', default: '' }, schema);

/** An input whose value is undefined if it is empty. @param most maximum number of characters */
export const optionalInput = (shown: Shown, most = Infinity) => {
	const [isShort, problem] = upTo(most);
	return textInput(
		shown,
		optionalText.refine((text) => isShort(text ?? ''), problem),
	);
};

/** A number within the bounds of its `typeOptions`. */
export function numberInput(property: Omit<INodeProperties, 'type'>) {
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = property.typeOptions ?? {};
	const number = numberPrecision === 0 ? z.number().int() : z.number();
	return parameter({ ...property, type: 'number' }, numeric.pipe(number.min(minValue).max(maxValue)));
}

/**
 * Refuses inputs whose expressions return undefined. In a column mapper they are allowed: the
 * column is skipped, and a hint is shown.
 * @throws InvalidInput naming the input, and the option or row in it
 */
export function requireDefined({ displayName, type, options = [] }: INodeProperties, raw: unknown): void {
	const fix = 'Check the expression, or let it return an empty text for no value.';
	const refuse = (name: string, where = '') => {
		throw new InvalidInput(`The expression of "${name}"${where} returns nothing (undefined)`, fix);
	};
	if (raw === undefined) refuse(displayName);
	if (!isJsonObject(raw)) return;
	if (type === 'resourceLocator' && 'value' in raw && raw['value'] === undefined) refuse(displayName);
	if (type !== 'collection' && type !== 'fixedCollection') return;
	for (const option of options) {
		if (!Object.hasOwn(raw, option.name)) continue;
		const value = raw[option.name];
		if ('type' in option) {
			if (value === undefined) refuse(option.displayName, ` in "${displayName}"`);
			requireDefined(option, value);
		}
		if (!('values' in option)) continue;
		const rows = Array.isArray(value) ? value : [value];
		for (const [index, row] of rows.entries())
			for (const [name, cell] of Object.entries(isJsonObject(row) ? row : {})) {
				const member = option.values.find((one) => one.name === name);
				const where = Array.isArray(value) ? `row ${index + 1} of ` : '';
				if (cell === undefined) refuse(member?.displayName ?? name, ` in ${where}"${displayName}"`);
				if (member) requireDefined(member, cell);
			}
	}
}

/** The error for an update without changes. @param where the inputs that take changes */
export function nothingToChange(where = '"Update Fields"'): InvalidInput {
	return new InvalidInput('There is nothing to change', `Add a change under ${where}.`);
}

/** A notice above the inputs of an operation. */
export function notice(name: string, text: string) {
	return parameter({ displayName: text, name, type: 'notice', default: '' }, z.unknown());
}

/** A list whose rows have the same inputs. @param row schema of a row */
export function rowsInput<Row>(
	{ typeOptions, ...shown }: Shown,
	rows: INodePropertyCollection,
	row: z.ZodType<Row>,
) {
	return parameter(
		{
			...shown,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, ...typeOptions },
			default: {},
			options: [rows],
		},
		z.record(z.string(), z.array(row)).transform((given) => given[rows.name] ?? []),
	);
}

/** Reads an input of a collection; undefined if the user did not add it. */
export type ReadAdded = <Value>(input: Parameter<Value>) => Value | undefined;

/** Inputs that the user adds one by one. Its value is a function that reads one of them. */
export function collection(shown: Shown, inputs: ReadonlyArray<Parameter<unknown>>): Parameter<ReadAdded> {
	const property: INodeProperties = {
		...shown,
		type: 'collection',
		default: {},
		options: inputs.map((input) => input.property),
	};
	const members = parameter(property, jsonObjectOr('it is not an object'));
	return {
		property,
		read(raw) {
			const values = members.read(raw);
			const added: ReadAdded = ({ property: { name }, read }) =>
				values[name] === undefined ? undefined : read(values[name]);
			// A wrong value is told before any of them takes effect.
			inputs.forEach(added);
			return added;
		},
	};
}

/** The same input with another description. */
export const describedAs = <Value>(
	{ property, read }: Parameter<Value>,
	description: string,
): Parameter<Value> => ({ property: { ...property, description }, read });

/**
 * An input that is shown only for certain values of other inputs, besides those it already needs.
 * In an option, the name of an input of the operation begins with a slash.
 */
export const shownFor = <Value>(
	{ property, read }: Parameter<Value>,
	show: Record<string, string[]>,
): Parameter<Value> => ({
	property: { ...property, displayOptions: { show: { ...property.displayOptions?.show, ...show } } },
	read,
});
