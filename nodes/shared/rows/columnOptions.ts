import { type Field, type Grid, InvalidInput, oncePer, optionAsSent, optionValue } from '../../../client';
import { folded } from '../display/foldedText';

/** A column and its grid. */
export interface Column {
	grid: Grid;
	field: Field;
}

/**
 * The options of a column with new ones appended, in the format that the service accepts.
 * @throws InvalidInput if the service does not return the present options
 */
export function optionsWith(field: Field, added: readonly unknown[]): unknown[] {
	const { name, type } = field;
	if (!type.options)
		throw new InvalidInput(
			`The service does not return the options of "${name}", so none can be added; nothing was changed`,
			'Use the operation Update of the resource Column with "Replace Options" on, and enter all options of the column.',
		);
	const values = new Set(type.options.map(({ value }) => value));
	const isNew = (option: unknown) =>
		typeof option === 'string' ? !optionNamed(field, option) : !values.has(optionValue(option));
	return [...type.options.map(optionAsSent), ...added.filter(isNew)];
}

/** The option that a text means: by its value, otherwise by a name that people may know it by. */
export function optionNamed({ type: { options = [] } }: Field, text: string): object | undefined {
	return (
		options.find(({ value }) => value === text) ?? options.find((option) => namesIn(option).includes(text))
	);
}

/** All texts that may identify an option of a column (§2.5). */
const namesOf = oncePer(({ type }: Field) => new Set((type.options ?? []).flatMap(namesIn)));

function namesIn(option: object): string[] {
	return Object.entries(option).flatMap(([member, name]) => (NAMES.has(member) ? [String(name)] : []));
}

const NAMES = new Set(['value', 'key', 'id', 'name', 'label']);

export function unknownOptions(field: Field, values: readonly unknown[]): unknown[] {
	const names = namesOf(field);
	return values.filter((value) => !names.has(String(value)));
}

/** Whether an option of a column contains a text, in any case. */
export const isInOption = (field: Field, text: string): boolean =>
	[...namesOf(field)].some((name) => folded(name).includes(folded(text)));

/** Options as text for messages. */
export function quotedList(values: readonly unknown[]): string {
	const shown = values.slice(0, MAX_LISTED).map((value) => `"${String(value)}"`);
	return `${shown.join(', ')}${values.length > MAX_LISTED ? ` and ${values.length - MAX_LISTED} more` : ''}`;
}

const MAX_LISTED = 20;
