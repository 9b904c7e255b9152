import type { INodeProperties } from 'n8n-workflow';

/** Appended to the id of a column that has options. */
export const WITH_OPTIONS = '|options';

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
