import { z } from 'zod/v4';
import { isJsonObject, jsonObject } from '../formats/json';

/**
 * A link object (§2.1): the address of an operation, and its HTTP method in lower case (`get` if
 * omitted).
 */
const linkSchema = z.looseObject({
	href: z.string().trim().min(1),
	method: z.string().optional().catch(undefined),
});
export type Link = z.infer<typeof linkSchema>;

/** Reads a link object, an array of them (the first valid one), or a plain address. */
function linkIn(raw: unknown): Link | undefined {
	if (Array.isArray(raw)) return raw.map(linkIn).find((link) => link !== undefined);
	return linkSchema.safeParse(typeof raw === 'string' ? { href: raw } : raw).data;
}

/**
 * Links parsed on first access, because few of the links of thousands of rows are followed.
 * Malformed links are omitted.
 */
class ReceivedLinks implements ReadonlyMap<string, Link> {
	private read: ReadonlyMap<string, Link> | undefined;

	constructor(private readonly received: Readonly<Record<string, unknown>>) {}

	get size(): number {
		return this.links.size;
	}

	get(rel: string): Link | undefined {
		return this.links.get(rel);
	}

	has(rel: string): boolean {
		return this.links.has(rel);
	}

	keys() {
		return this.links.keys();
	}

	values() {
		return this.links.values();
	}

	entries() {
		return this.links.entries();
	}

	forEach(visit: (link: Link, rel: string, links: ReadonlyMap<string, Link>) => void): void {
		this.links.forEach(visit);
	}

	[Symbol.iterator]() {
		return this.links.entries();
	}

	private get links(): ReadonlyMap<string, Link> {
		this.read ??= new Map(
			Object.entries(this.received).flatMap(([rel, raw]) => {
				const link = linkIn(raw);
				return link ? [[rel, link]] : [];
			}),
		);
		return this.read;
	}
}

/** `_links` (§2.1). */
export const linksSchema = jsonObject
	.transform((links): Links => new ReceivedLinks(links))
	.catch(() => new Map<string, Link>());
export type Links = ReadonlyMap<string, Link>;

/**
 * Links of a row. Uses no schema, which would dominate the run time for thousands of rows.
 */
export function linksIn(raw: unknown): Links {
	return isJsonObject(raw) ? new ReceivedLinks(raw) : new Map<string, Link>();
}

/** The text of an id: some databases count records with numbers. Other values are kept. */
export const idText = (id: unknown) => (Number.isSafeInteger(id) ? String(id) : id);

/** An id (§2.1: a text), also as a number. */
export const idSchema = z.preprocess(idText, z.string().min(1));

/** Members of every representation (§2.1). Other members are kept. */
export const resourceSchema = z.looseObject({
	_representation: z.string().optional(),
	_links: linksSchema.default(() => new Map<string, Link>()),
});
export interface Linked {
	_links: Links;
}

/**
 * A paged collection (§2.2). Counts are optional. The items may also be under `_embedded`, or the
 * list a plain array; no content (204) is an empty list.
 */
export function pageSchema<Item extends z.ZodType>(item: Item) {
	return pageOf(z.array(item));
}

/** A count (§2.2), also as a text; undefined if it is none. */
const count = z
	.union([
		z.number(),
		z
			.string()
			.regex(/^\d{1,15}$/)
			.transform(Number),
	])
	.pipe(z.number().int().min(0))
	.optional()
	.catch(undefined);

/** The same. @param items schema of the whole list */
export function pageOf<List extends z.ZodType>(items: List) {
	const page = z.looseObject({
		page: count,
		pageSize: count,
		size: count,
		numberOfItems: count,
		numberOfPages: count,
		items,
		_links: linksSchema.default(() => new Map<string, Link>()),
	});
	return z.preprocess(unwrap, page);
}

function unwrap(raw: unknown): unknown {
	if (raw === undefined) return { items: [] };
	if (Array.isArray(raw)) return { items: raw };
	if (!isJsonObject(raw) || Array.isArray(raw['items'])) return raw;
	const embedded = jsonObject.safeParse(raw['_embedded']);
	const members = embedded.success ? Object.values(embedded.data) : [];
	const lists = members.filter(Array.isArray);
	if (lists.length === 1) return { ...raw, items: lists[0] };
	// HAL allows a single embedded resource without a list around it.
	const isSingle = [raw['size'] ?? 1, raw['numberOfItems'] ?? 1].some((number) => Number(number) === 1);
	if (members.length === 1 && isJsonObject(members[0]) && isSingle) return { ...raw, items: members };
	const isEmpty = raw['numberOfItems'] === 0 || raw['size'] === 0;
	return isEmpty && (raw['items'] ?? null) === null ? { ...raw, items: [] } : raw;
}

export interface Page<Item> {
	page?: number | undefined;
	pageSize?: number | undefined;
	size?: number | undefined;
	numberOfItems?: number | undefined;
	numberOfPages?: number | undefined;
	items: Item[];
	_links: Links;
	/**
	 * Set if the page was read in parts, between which the list may have changed: the different
	 * values of `numberOfItems` in the order of the responses.
	 */
	partCounts?: readonly number[] | undefined;
}

/** The first of `rels` that the resource has. */
export function findLink(resource: Linked, ...rels: string[]): Link | undefined {
	for (const rel of rels) {
		const link = resource._links.get(rel);
		if (link) return link;
	}
	return undefined;
}

export type Query = Record<string, string | number | boolean | undefined>;

/** Text that encoding does not change. */
const PLAIN = /^[\w.~-]*$/;

/** A lone surrogate cannot be percent-encoded: it becomes U+FFFD, as in browsers. */
function encoded(value: string | number | boolean): string {
	const text = String(value);
	return PLAIN.test(text) ? text : encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/** An expression of a URI template (RFC 6570): its operator and its variables. */
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;
/** Marks an expression whose variables are undefined, to remove `?filter={filter}`. */
const UNDEFINED = '{}';

/**
 * Fills a URI template (RFC 6570) and sets the query. Parameters replace those of the same name in
 * the href; the others stay unchanged. A plain href is a template without variables. The fragment
 * is dropped, because it is never sent.
 */
export function expandHref(href: string, query: Query = {}): string {
	const unused = new Map<string, string>();
	for (const [name, value] of Object.entries(query))
		if (value !== undefined) unused.set(name, encoded(value));
	// Fast path: most addresses are only a path, and each row has one.
	if (!/[{}?#]/.test(href)) return withQuery(href, pairsOf(unused));
	const filled = href.replace(EXPRESSION, (_match, operator: string, names: string) => {
		// Unused parameters are appended below, whether or not the template names them.
		if (operator === '?' || operator === '&' || operator === '#') return '';
		return expanded(operator, names.split(','), unused);
	});
	const [path = '', ...queries] = (filled.split('#', 1)[0] ?? '').split('?');
	const own = queries
		.join('&')
		.split('&')
		.filter((pair) => pair !== '' && !pair.endsWith(`=${UNDEFINED}`) && !unused.has(decodedName(pair)));
	return withQuery(path, [...own, ...pairsOf(unused)]).replaceAll(UNDEFINED, '');
}

const pairsOf = (query: ReadonlyMap<string, string>) =>
	[...query].map(([name, value]) => `${encoded(name)}=${value}`);

const withQuery = (path: string, pairs: readonly string[]) =>
	[path, pairs.join('&')].filter(Boolean).join('?');

/**
 * Expands an expression in a path. Removes its variables from `values`, so that they are not sent
 * twice.
 */
function expanded(operator: string, names: readonly string[], values: Map<string, string>): string {
	const found = names.flatMap((given) => {
		const name = given.replace(/(\*|:\d+)$/, '');
		const value = values.get(name);
		values.delete(name);
		return value === undefined ? [] : [operator === ';' ? `${name}=${value}` : value];
	});
	if (found.length === 0) return UNDEFINED;
	const isList = operator === '' || operator === '+';
	return isList ? found.join(',') : found.map((value) => `${operator}${value}`).join('');
}

function decodedName(pair: string): string {
	const name = (pair.split('=', 1)[0] ?? '').replace(/\+/g, ' ');
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}
