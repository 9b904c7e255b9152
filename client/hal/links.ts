import { z } from 'zod/v4';
import { InvalidLink } from '../errors';
import { isJsonObject, jsonObject, ownMember } from '../formats/json';
import { truncated } from '../formats/redaction';

const text = z.string().trim().min(1);
/** A link object (§2.1): the address of an operation, and its HTTP method in lower case. */
const linkSchema = z.looseObject({ href: text, method: text });
export type Link = z.infer<typeof linkSchema>;

/** Maximum length of an address in a message. */
const MAX_ADDRESS_LENGTH = 200;

/**
 * Links parsed on first access, because few of the links of thousands of rows are followed. One
 * that lacks `href` or `method` is an error when it is asked for.
 */
class ReceivedLinks implements ReadonlyMap<string, Link> {
	private read: ReadonlyMap<string, Link> | undefined;

	/** @param source the links, or their JSON, which is parsed on first access */
	constructor(private source: Readonly<Record<string, unknown>> | string) {}

	get size(): number {
		return this.links.size;
	}

	/** @throws InvalidLink */
	get(rel: string): Link | undefined {
		const link = this.links.get(rel);
		if (link || !this.has(rel)) return link;
		const raw = this.received[rel];
		const missing = isJsonObject(raw) && text.safeParse(raw['href']).success ? 'method' : 'href';
		const { href: self } = this.links.get('self') ?? {};
		throw new InvalidLink(rel, missing, self && truncated(self, MAX_ADDRESS_LENGTH));
	}

	has(rel: string): boolean {
		return (ownMember(this.received, rel) ?? undefined) !== undefined;
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

	private get received(): Readonly<Record<string, unknown>> {
		if (typeof this.source === 'string') this.source = jsonObject.parse(JSON.parse(this.source));
		return this.source;
	}

	private get links(): ReadonlyMap<string, Link> {
		this.read ??= new Map(
			Object.entries(this.received).flatMap(([rel, raw]) => {
				const link = linkSchema.safeParse(raw).data;
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

/** Links of a row. Uses no schema, which would dominate the run time for thousands of rows. */
export function linksIn(raw: unknown): Links {
	if (raw instanceof ReceivedLinks) return raw;
	return isJsonObject(raw) ? new ReceivedLinks(raw) : new Map<string, Link>();
}

/** A link whose text is nothing else: ASCII without escapes, with an address from the root. */
const LINK = String.raw`"[a-zA-Z]\w*":\{"href":"/[!#-[\]-~]*","method":"\w+"\}`;
/** `_links` with such links only, outside of a text. */
const PLAIN_LINKS = new RegExp(String.raw`(?<!\\)"_links":(\{${LINK}(?:,${LINK}){0,30}\})`, 'g');
const NUMBERED_LINKS = /"_links"\s*:\s*[\d-]/;

/**
 * A list without the links of its items, which are often more than half of its text: each has the
 * index of its links instead.
 */
export function withoutLinks(text: string): { text: string; links: Links[] } {
	const links: Links[] = [];
	if (NUMBERED_LINKS.test(text)) return { text, links };
	const numbered = (_match: string, text: string) => `"_links":${links.push(new ReceivedLinks(text)) - 1}`;
	return { text: text.replace(PLAIN_LINKS, numbered), links };
}

/** Gives items their links back. @returns whether all links belong to the items or their list */
export function restoreLinks(list: unknown, links: readonly Links[]): boolean {
	const { items } = isJsonObject(list) ? list : {};
	let restored = 0;
	for (const holder of [list, ...(Array.isArray(items) ? items : [])]) {
		if (!isJsonObject(holder) || typeof holder['_links'] !== 'number') continue;
		holder['_links'] = links[holder['_links']];
		restored++;
	}
	return restored === links.length;
}

/** An id (§2.1). */
export const idSchema = z.string().min(1);

/** Members of every representation (§2.1). Other members are kept. */
export const resourceSchema = z.looseObject({
	_representation: z.string().optional(),
	_links: linksSchema.default(() => new Map<string, Link>()),
});
export interface Linked {
	_links: Links;
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

const withQuery = (path: string, pairs: readonly string[]) => {
	const query = pairs.join('&');
	return path && query ? `${path}?${query}` : path || query;
};

/** Expands an expression in a path, and removes its variables from `values`. */
function expanded(operator: string, names: readonly string[], values: Map<string, string>): string {
	const parts = names.flatMap((variable) => {
		const name = variable.replace(/(\*|:\d+)$/, '');
		const value = values.get(name);
		values.delete(name);
		return value === undefined ? [] : [operator === ';' ? `${name}=${value}` : value];
	});
	if (parts.length === 0) return UNDEFINED;
	const isList = operator === '' || operator === '+';
	return isList ? parts.join(',') : parts.map((value) => `${operator}${value}`).join('');
}

function decodedName(pair: string): string {
	const name = (pair.split('=', 1)[0] ?? '').replace(/\+/g, ' ');
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}
