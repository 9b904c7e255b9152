import { isJsonObject } from '../../formats/json';
import type { Update } from './updateRecord';

/** Members that may differ each time a change is read: links, and the current values of its row. */
const CHANGING = new Set(['_links', '_embedded', 'entity', 'row', 'record', 'entry']);
const NONE: ReadonlySet<string> = new Set();

/**
 * The same text each time the same change is read. A change is identified by its id, row, time and
 * kind, without an id by its members; a changed row by its id, its time and its stored values.
 * @param computed ids, keys and names of columns that change although nobody writes the row
 */
function identityOf(update: Update, computed: ReadonlySet<string>): string {
	const { isRow, id, entityId, time = null, kind, raw } = update;
	if (isRow)
		return JSON.stringify([
			entityId,
			time,
			contentOf(raw, (name) => name.startsWith('_') || computed.has(name)),
		]);
	return JSON.stringify(
		id === undefined
			? [entityId, time, contentOf(raw, (name) => CHANGING.has(name))]
			: [id, entityId, time, kind],
	);
}

/**
 * The identities of the changes of one page. A page shows the feed at one moment, so equal changes
 * without an id on it are different changes.
 */
export function identitiesOf(updates: readonly Update[], computed = NONE): string[] {
	const counts = new Map<string, number>();
	return updates.map((update) => {
		const identity = identityOf(update, computed);
		const count = (counts.get(identity) ?? 0) + 1;
		counts.set(identity, count);
		return count === 1 || update.id !== undefined ? identity : `${identity}#${count}`;
	});
}

const contentOf = (raw: Record<string, unknown>, isLeftOut: (name: string) => boolean) =>
	Object.keys(raw)
		.filter((name) => !isLeftOut(name))
		.sort()
		.map((name) => [name, canonical(raw[name])]);

/** Independent of the order of members, which means nothing in JSON. */
function canonical(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(canonical);
	return isJsonObject(value) ? contentOf(value, (name) => name === '_links') : value;
}
