import type { INodeListSearchItems, INodePropertyOptions } from 'n8n-workflow';

/*
 * n8n evaluates every text in a parameter that starts with an equals sign, including chosen list
 * entries and `cachedResultName`. Values are escaped with a backslash, which reading removes;
 * names, which are only shown, with an apostrophe.
 */

/** A value that n8n does not evaluate; `unescaped` restores it. */
export const escapedValue = (text: string) => (/^\\*=/.test(text) ? `\\${text}` : text);

/** Reverses `escapedValue`. */
export const unescaped = (text: string) => (/^\\+=/.test(text) ? text.slice(1) : text);

/** A name that n8n does not evaluate. */
export const escapedName = (text: string) => (text.startsWith('=') ? `'${text}` : text);

/** Unescapes keys that are values of a list, e.g. those of a column mapper. */
export function unescapedKeys<Value>(members: Record<string, Value>): Record<string, Value> {
	return Object.fromEntries(Object.entries(members).map(([key, value]) => [unescaped(key), value]));
}

/** A list entry in which n8n evaluates nothing. */
export function escapedItem<Item extends INodeListSearchItems | INodePropertyOptions>(item: Item): Item {
	const { name, value, description } = item;
	return {
		...item,
		name: escapedName(name),
		value: typeof value === 'string' ? escapedValue(value) : value,
		...(description === undefined ? {} : { description: escapedName(description) }),
	};
}
