import { z } from 'zod/v4';
import { LinkMissing } from './errors';
import { isJsonObject, jsonObject } from './json';

/** A link object (§2.1): where an operation is, and its HTTP verb in lower case (`get` where it is left out). */
export const linkSchema = z.looseObject({ href: z.string().min(1), method: z.string().optional() });
export type Link = z.infer<typeof linkSchema>;

const oneLink = z.union([
	linkSchema,
	z
		.array(linkSchema)
		.min(1)
		.transform((links) => links[0] as Link),
]);

/**
 * Links as they came, read when the first of them is asked for: of thousands of rows only few are followed.
 * A link of another shape is left out rather than refused: it can only be one that is not followed.
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
				const link = oneLink.safeParse(raw);
				return link.success ? [[rel, link.data]] : [];
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

/** The same for one of thousands of rows, where a schema takes longer than all else. */
export function linksIn(raw: unknown): Links {
	return isJsonObject(raw) ? new ReceivedLinks(raw) : new Map<string, Link>();
}

/** What every representation has in common (§2.1). Members that are not named stay in it. */
export const resourceSchema = z.looseObject({
	_representation: z.string().optional(),
	_links: linksSchema.default(() => new Map<string, Link>()),
});
export interface Linked {
	_links: Links;
}

/**
 * A paged collection (§2.2). Only the items are certain; a service that leaves a number out gets none invented.
 * Items may also stand under `_embedded`, or the list may be a bare array.
 */
export function pageSchema<Item extends z.ZodType>(item: Item) {
	const count = z.number().int().min(0).optional().catch(undefined);
	const page = z.looseObject({
		page: count,
		pageSize: count,
		size: count,
		numberOfItems: count,
		numberOfPages: count,
		items: z.array(item),
		_links: linksSchema.default(() => new Map<string, Link>()),
	});
	return z.preprocess(unwrap, page);
}

function unwrap(raw: unknown): unknown {
	if (Array.isArray(raw)) return { items: raw };
	const parsed = z.looseObject({ items: z.unknown(), _embedded: z.unknown() }).safeParse(raw);
	if (!parsed.success || Array.isArray(parsed.data.items)) return raw;
	const embedded = jsonObject.safeParse(parsed.data._embedded);
	const lists = embedded.success ? Object.values(embedded.data).filter(Array.isArray) : [];
	return lists.length === 1 ? { ...parsed.data, items: lists[0] } : raw;
}

export interface Page<Item> {
	page?: number | undefined;
	pageSize?: number | undefined;
	size?: number | undefined;
	numberOfItems?: number | undefined;
	numberOfPages?: number | undefined;
	items: Item[];
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

/**
 * The link that the spec names for an operation. Its absence from a full representation means that this identity may not do
 * it (§1), so nothing is sent.
 * @param what the operation in the user's words, e.g. `add entities to "Orders"`
 * @throws LinkMissing
 */
export function linkOf(resource: Linked, rel: string, what: string): Link {
	const link = resource._links.get(rel);
	if (!link) throw new LinkMissing(what, rel, [...resource._links.keys()]);
	return link;
}

export type Query = Record<string, string | number | boolean | undefined>;

/** Half of a character that needs two (a lone surrogate) has no encoding: it is sent as browsers send it. */
function encoded(value: string | number | boolean): string {
	return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/**
 * Fills a URI template (`{id}`, `{?a,b}`, `{&a,b}`) and adds what is left of the query.
 * A plain href is a template without variables, so every href goes through here.
 */
export function expandHref(href: string, query: Query = {}): string {
	const left = new Map(Object.entries(query).filter(([, value]) => value !== undefined));
	const take = (name: string) => {
		const value = left.get(name);
		left.delete(name);
		return value === undefined ? undefined : encoded(value);
	};
	const pairs = (names: string) =>
		names
			.split(',')
			.map((name) => [name.replace(/[*]|:\d+$/g, ''), take(name.replace(/[*]|:\d+$/g, ''))] as const)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => `${encoded(name)}=${value}`);
	const expanded = href.replace(/\{([?&]?)([^{}]+)\}/g, (_match, operator: string, names: string) => {
		if (!operator)
			return names
				.split(',')
				.map((name) => take(name) ?? '')
				.join(',');
		const found = pairs(names);
		return found.length === 0 ? '' : `${operator}${found.join('&')}`;
	});
	const rest = [...left].map(([name, value]) => `${encoded(name)}=${encoded(value ?? '')}`);
	if (rest.length === 0) return expanded;
	return `${expanded}${expanded.includes('?') ? '&' : '?'}${rest.join('&')}`;
}
