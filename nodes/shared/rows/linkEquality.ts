import { idInUrl } from '../../../client/endpoints/paths';
import { isJsonObject } from '../../../client/formats/json';

/** What a link says of its row. */
interface LinkedRow {
	id: string | undefined;
	/** Documented path of the row, without prefix and query. */
	path: string | undefined;
}

/**
 * Whether two values of a column link the same rows in the same order. The specification does not
 * show a cell (§2.5): a service may show the address of a row, its id, or a record with either.
 */
export function linkSameRows(one: unknown, other: unknown): boolean {
	const [left, right] = [one, other].map((value) => [value ?? []].flat().map(linkedRow));
	if (!left || left.length !== right?.length) return false;
	return left.every((row, at) => isSameRow(row, right[at]));
}

function isSameRow(one: LinkedRow, other: LinkedRow | undefined): boolean {
	if (one.path !== undefined && other?.path !== undefined) return one.path === other.path;
	return one.id !== undefined && one.id === other?.id;
}

function linkedRow(link: unknown): LinkedRow {
	if (typeof link === 'string')
		return rowAt(link) ?? { id: /[/:]/.test(link) ? undefined : link, path: undefined };
	if (!isJsonObject(link)) return { id: undefined, path: undefined };
	const found = addressesIn(link)
		.map(rowAt)
		.find((row) => row !== undefined);
	if (found) return found;
	const id = [link['_id'], link['id']].find((value) => typeof value === 'string');
	return { id: typeof id === 'string' ? id : undefined, path: undefined };
}

function addressesIn({ uri, href, _links }: Record<string, unknown>): string[] {
	const self = isJsonObject(_links) ? _links['self'] : undefined;
	const addresses = [uri, href, isJsonObject(self) ? self['href'] : undefined];
	return addresses.filter((address) => typeof address === 'string');
}

function rowAt(address: string): LinkedRow | undefined {
	const id = idInUrl('entity', address);
	if (id === undefined) return undefined;
	return { id, path: address.replace(/[?#].*$/, '').replace(/^.*?(?=\/?api\/users\/)\/?/, '/') };
}

/** A service may add a query to the links of its rows. In other links, a query may name the row. */
export function linkWithoutQuery(link: unknown): unknown {
	if (!isJsonObject(link) || typeof link['uri'] !== 'string') return link;
	const { uri } = link;
	return idInUrl('entity', uri) === undefined ? link : { ...link, uri: uri.replace(/[?#].*$/, '') };
}
