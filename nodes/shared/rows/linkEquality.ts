import { idInUrl, isJsonObject } from '../../../client';

/** A path of several segments: shorter ones do not identify a row. */
const IDENTIFYING = /^\/[^/]+\/[^/]+\/./;

/** What a link says of its row. */
interface LinkedRow {
	id: string | undefined;
	/** A documented path without prefix and query (§4.5), or the address as it is. */
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
	if (one.path !== undefined && other?.path !== undefined) return isSamePath(one.path, other.path);
	return one.id !== undefined && one.id === other?.id;
}

/** A service behind a reverse proxy may show an address without the prefix of the base URL. */
function isSamePath(one: string, other: string): boolean {
	const [longer, shorter] = one.length < other.length ? [other, one] : [one, other];
	return longer === shorter || (IDENTIFYING.test(shorter) && longer.endsWith(shorter));
}

function linkedRow(link: unknown): LinkedRow {
	if (typeof link === 'string') return /[/:]/.test(link) ? rowAt(link) : { id: link, path: undefined };
	if (!isJsonObject(link)) return { id: undefined, path: undefined };
	const rows = addressesIn(link).map(rowAt);
	const found = rows.find(({ id }) => id !== undefined) ?? rows[0];
	if (found) return found;
	const id = [link['_id'], link['id']].find((value) => typeof value === 'string');
	return { id: typeof id === 'string' ? id : undefined, path: undefined };
}

function addressesIn({ uri, href, _links }: Record<string, unknown>): string[] {
	const self = isJsonObject(_links) ? _links['self'] : undefined;
	const addresses = [uri, href, isJsonObject(self) ? self['href'] : undefined];
	return addresses.filter((address) => typeof address === 'string');
}

function rowAt(address: string): LinkedRow {
	const id = idInUrl('entity', address);
	if (id === undefined) return { id, path: address };
	return { id, path: address.replace(/[?#].*$/s, '').replace(/^.*?(?=\/?api\/users\/)\/?/, '/') };
}

/** A service may add a query to the links of its rows. In other links, a query may name the row. */
export function linkWithoutQuery(link: unknown): unknown {
	if (!isJsonObject(link) || typeof link['uri'] !== 'string') return link;
	const { uri } = link;
	return idInUrl('entity', uri) === undefined ? link : { ...link, uri: uri.replace(/[?#].*$/s, '') };
}
