import { aspect, type Settings } from '../aspect';
import {
	eachObject,
	isJsonObject,
	type Body,
	type Exchange,
	type Json,
	type JsonObject,
	type Step,
	type VariantRequest,
	type VariantResponse,
} from '../exchange';
import type { Base } from './base';

/**
 * §1: clients follow links instead of assembling paths, so
 * what an href looks like is the service's own business.
 */
export const links = aspect({
	href: ['documented', 'opaque'],
	form: ['rooted', 'prefixed', 'absolute', 'relative', 'relative to the document'],
	query: ['none', 'tenant', 'preset'],
	template: [false, true],
	/** Only those that the specification does not name. */
	rels: ['likely', 'other'],
	location: ['documented', 'opaque'],
	/** §4 has a path; RFC 9110 also allows an absolute address. */
	locationForm: ['path', 'absolute'],
	/** Whether reads are redirected to other addresses. */
	moved: ['none', 'reads'],
	currentUser: ['documented', 'opaque'],
});
type Links = Settings<typeof links.dials>;

/**
 * Every opaque address ends alike, so nothing can be read out of it. Links are below `l`, places
 * that `Location` names below `p`.
 */
const OPAQUE = /^\/api\/([lp])\/([\w-]+)\/open$/;
/** What an opaque address stands for; other texts stay. */
export function meaningOf(href: string): string {
	const token = /(?:^|\/)api\/[lp]\/([\w-]+)\/open/.exec(href)?.[1];
	return token === undefined ? href : Buffer.from(token, 'base64url').toString();
}
const opaque = (path: string, kind: 'l' | 'p') =>
	`/api/${kind}/${Buffer.from(path).toString('base64url')}/open`;

/** The names of links that §2 gives; those of rows beside `self` are theirs alone. */
const NAMED = new Set([
	'self',
	'grids',
	'addGrid',
	'shares',
	'blocks',
	'entities',
	'addEntity',
	'schema',
	'virtualGrids',
]);
const OF_PAGES = new Set(['first', 'prev', 'next', 'last']);
const OF_ROWS = new Set(['update', 'remove']);

/** What a link may have in its query already; a parameter of the same name replaces it. */
const PRESETS: Record<string, string> = {
	entities: 'layout=property&pageIndex=1&pageSize=25',
	addEntity: 'layout=indexed',
	grids: 'pageIndex=1&pageSize=25',
	virtualGrids: 'pageIndex=1&pageSize=25',
	spaces: 'pageSize=25',
	query: 'layout=property&pageSize=25',
	updates: 'pageSize=25',
	events: 'pageIndex=1&pageSize=25',
};
const ROW_PRESETS: Record<string, string> = { self: 'layout=property', update: 'layout=indexed' };
const TEMPLATES: Record<string, string> = {
	entities: 'pageIndex,pageSize,layout,filter,sorting',
	addEntity: 'layout',
	update: 'layout',
	grids: 'pageIndex,pageSize,type',
	virtualGrids: 'pageIndex,pageSize',
	updates: 'since',
	events: 'pageIndex,pageSize',
};

/** A path as a relative reference in a document at another path (RFC 3986, 4.2). */
function relativeFrom(document: string, path: string): string {
	const from = document.split('/').slice(0, -1);
	const to = path.split('/');
	let shared = 0;
	while (shared < Math.min(from.length, to.length - 1) && from[shared] === to[shared]) shared++;
	const up = from.slice(shared).map(() => '..');
	return [...(up.length > 0 ? up : ['.']), ...to.slice(shared)].join('/');
}

/** Addresses that reads are redirected to are below this path. */
export const MOVED = '/api/moved';

/** The redirect that a request is answered with, if it is. */
export function movedTo(
	{ moved }: Pick<Links, 'moved'>,
	{ prefix }: Base,
	{ method, path, query }: VariantRequest,
): VariantResponse | undefined {
	if (moved === 'none' || method !== 'GET' || path.startsWith(MOVED)) return undefined;
	const search = query.toString();
	const location = `${prefix}${MOVED}${path.slice('/api'.length)}${search === '' ? '' : `?${search}`}`;
	return { status: 302, headers: { location }, body: { kind: 'none' } };
}

/** The path that was asked for before the redirect. */
export const movedFrom = (path: string): string =>
	path.startsWith(MOVED) ? `/api${path.slice(MOVED.length)}` : path;

/** A path of the service as an address. */
function spelled(path: string, form: Links['form'], { baseUrl, document }: Exchange): string {
	if (form === 'relative to the document') return relativeFrom(document, path);
	if (form === 'absolute') return baseUrl + path;
	if (form === 'prefixed') return new URL(baseUrl + path).pathname + (/\?.*/.exec(path)?.[0] ?? '');
	return form === 'relative' ? path.slice(1) : path;
}

function hrefOf(rel: string, href: string, isRow: boolean, settings: Links, exchange: Exchange): string {
	const [path = '', search] = href.split('?', 2);
	const preset = (isRow ? ROW_PRESETS[rel] : undefined) ?? PRESETS[rel];
	const query = [
		...(search === undefined ? [] : [search]),
		...(settings.query === 'tenant' ? ['tenant=a%26b'] : []),
		...(settings.query === 'preset' && preset !== undefined ? [preset] : []),
	].join('&');
	const whole = (settings.href === 'opaque' ? opaque(path, 'l') : path) + (query === '' ? '' : `?${query}`);
	const names = TEMPLATES[rel];
	const template = settings.template && names !== undefined ? `{${query === '' ? '?' : '&'}${names}}` : '';
	return spelled(whole, settings.form, exchange) + template;
}

function linksOf(resource: JsonObject, settings: Links, exchange: Exchange): JsonObject {
	const { _links: given } = resource;
	if (!isJsonObject(given)) return resource;
	const isRow = typeof resource['_id'] === 'string';
	const shown = Object.entries(given).map(([rel, link]): [string, Json] => {
		if (!isJsonObject(link) || typeof link['href'] !== 'string') return [rel, link];
		const isNamed = NAMED.has(rel) || OF_PAGES.has(rel) || (isRow && OF_ROWS.has(rel));
		const name = settings.rels === 'other' && !isNamed ? `ds:${rel}` : rel;
		return [name, { ...link, href: hrefOf(rel, link['href'], isRow, settings, exchange) }];
	});
	return { ...resource, _links: Object.fromEntries(shown) };
}

/** The address of a row in a cell (§2.9 `uri`), as the service itself writes it. */
function cellShown(object: JsonObject, settings: Links, exchange: Exchange): JsonObject {
	const { uri } = object;
	if (typeof uri !== 'string' || !uri.startsWith('/api/users/')) return object;
	// An opaque address is the row's own link; a documented one needs no query.
	const form = formInValues(settings);
	const shown =
		settings.href === 'opaque' ? hrefOf('self', uri, true, { ...settings, form }, exchange) : undefined;
	return { ...object, uri: shown ?? spelled(uri, form, exchange) };
}

/** A value has no document that its address could be relative to. */
const formInValues = ({ form }: Links): Links['form'] =>
	form === 'relative to the document' ? 'rooted' : form;

/** A service knows its own addresses, however a client has them. */
function withPaths(body: Body): Body {
	if (body.kind !== 'json') return body;
	const value = eachObject(body.value, (object) => {
		const { uri } = object;
		if (typeof uri !== 'string') return object;
		const path = meaningOf(uri)
			.replace(/\?.*$/, '')
			.replace(/^.*?(?=\/?api\/users\/)\/?/, '/');
		return path.startsWith('/api/users/') ? { ...object, uri: path } : object;
	});
	return { kind: 'json', value };
}

export function linksStep(settings: Links, base: Base): Step {
	const path = settings.form === 'rooted' || base.prefix === '' ? 'rooted' : 'prefixed';
	const form = settings.locationForm === 'path' ? path : settings.locationForm;
	return {
		request(request) {
			const [, kind, token] = OPAQUE.exec(request.path) ?? [];
			const path = token === undefined ? request.path : Buffer.from(token, 'base64url').toString();
			const query = new URLSearchParams(request.query);
			// Of a link that is followed without its query there is nothing.
			const isWhole = kind !== 'l' || settings.query !== 'tenant' || query.get('tenant') === 'a&b';
			query.delete('tenant');
			return { ...request, path: isWhole ? path : '/api/nowhere', query, body: withPaths(request.body) };
		},
		response(response, exchange, request) {
			const { headers, body, status } = response;
			const location = headers['location'];
			const how = request.path === '/api/users/me' ? settings.currentUser : settings.location;
			const place = (path: string) => spelled(how === 'opaque' ? opaque(path, 'p') : path, form, exchange);
			const shown = location === undefined ? headers : { ...headers, location: place(location) };
			if (body.kind === 'text' && status === 201)
				return {
					...response,
					headers: shown,
					body: { kind: 'text', text: body.text.replace(/\/api\/\S+/, place) },
				};
			if (body.kind !== 'json') return { ...response, headers: shown };
			const value = eachObject(body.value, (object) =>
				addressed(cellShown(linksOf(object, settings, exchange), settings, exchange)),
			);
			return { ...response, headers: shown, body: { kind: 'json', value } };
			function addressed(object: JsonObject): JsonObject {
				const { type, href } = object;
				if (exchange.endpoint !== 'resources' || typeof type !== 'string' || typeof href !== 'string')
					return object;
				return {
					...object,
					href: spelled(
						settings.href === 'opaque' ? opaque(href, 'p') : href,
						formInValues(settings),
						exchange,
					),
				};
			}
		},
	};
}
