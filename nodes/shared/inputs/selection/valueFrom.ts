import type { INodeProperties } from 'n8n-workflow';

/** Appended to what a list stores for a column that has options. */
export const WITH_OPTIONS = '|options';

/** What the list stores for the column itself. */
export const withoutMark = (column: string): string =>
	column.endsWith(WITH_OPTIONS) ? column.slice(0, -WITH_OPTIONS.length) : column;

/**
 * How the value of a condition is entered: n8n's editor offers the options of a column that has
 * some. The same for all items.
 */
export const VALUE_FROM = `={{ String($parameter["&column"]).endsWith("${WITH_OPTIONS}") && ["$eq", "$ne"].includes($parameter["&operator"]) ? "options" : "text" }}`;

export const valueFrom: INodeProperties = {
	displayName: 'Value From',
	name: 'valueFrom',
	type: 'hidden',
	default: VALUE_FROM,
};

/** The same for an input without an operator. */
export const optionsOrTexts: INodeProperties = {
	...valueFrom,
	default: `={{ String($parameter["&column"]).endsWith("${WITH_OPTIONS}") ? "options" : "text" }}`,
};
