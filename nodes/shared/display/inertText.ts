import type { INodeListSearchItems, INodePropertyOptions } from 'n8n-workflow';

/**
 * n8n evaluates every text in a parameter that begins with an equals sign, also
 * one that a person has chosen from a list or that only accompanies the choice
 * (`cachedResultName`, the schema of a mapper). Values get a backslash before
 * it, which reading takes away; names, which nothing reads again, an apostrophe.
 */
export const inertValue = (text: string) => (/^\\*=/.test(text) ? `\\${text}` : text);

/** A value as it was before `inertValue`. */
export const revived = (text: string) => (/^\\+=/.test(text) ? text.slice(1) : text);

/** A text for people that n8n does not evaluate. */
export const inertName = (text: string) => (text.startsWith('=') ? `'${text}` : text);

/** Members keyed by values of a list, e.g. what a column mapper holds. */
export function revivedKeys<Value>(members: Record<string, Value>): Record<string, Value> {
	return Object.fromEntries(Object.entries(members).map(([key, value]) => [revived(key), value]));
}

/** An item of a list, with nothing in it that n8n would evaluate. */
export function inertItem<Item extends INodeListSearchItems | INodePropertyOptions>(item: Item): Item {
	const { name, value, description } = item;
	return {
		...item,
		name: inertName(name),
		value: typeof value === 'string' ? inertValue(value) : value,
		...(description === undefined ? {} : { description: inertName(description) }),
	};
}
