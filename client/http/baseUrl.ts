import { ForeignOrigin, InvalidInput } from '../errors';

const HOW_TO_FIX = 'Enter the base URL in the credential, e.g. https://grids.example.com';

/** An href with a scheme or host. */
const ABSOLUTE = /^([a-z][a-z\d+.-]*:|[/\\]{2})/i;
/** §1: all paths of the service start with `/api`, so such an href is relative to the base URL. */
const FROM_BASE = /^api([/?]|$)/;

/** The address of the service; all hrefs are below it (§1). */
export class BaseUrl {
	/** Ends with a slash. */
	private readonly prefix: string;
	/** Stored, because a URL computes it at each access. */
	readonly origin: string;

	private constructor(private readonly url: URL) {
		this.prefix = url.pathname;
		this.origin = url.origin;
	}

	/**
	 * The possible base URLs of a text, the likeliest first. Users may copy the address with the
	 * `/api` of the paths (§1), so it is removed first; but it may also belong to the base URL.
	 * @throws InvalidInput if it is not an http(s) URL, or contains a user name or password
	 */
	static candidates(text: string): [BaseUrl, ...BaseUrl[]] {
		const url = parsed(text);
		const path = url.pathname.replace(/\/+$/, '');
		const at = (pathname: string) => new BaseUrl(new URL(`${pathname}/`, url));
		return path.endsWith('/api') ? [at(path.slice(0, -'/api'.length)), at(path)] : [at(path)];
	}

	/**
	 * The absolute URL of an href. A path is resolved below the base URL's path, whether or not the
	 * service includes that prefix.
	 * @param document URL of the representation that contains the href, for relative ones (RFC 3986);
	 *   the base URL if omitted
	 * @throws ForeignOrigin if it leads to another scheme, host or port; InvalidInput if it is not an
	 *   address
	 */
	resolve(href: string, document?: URL): URL {
		const isRooted = href.startsWith('/') && !ABSOLUTE.test(href);
		const start = document && !isRooted && !FROM_BASE.test(href) ? document : this.url;
		const below = isRooted && !this.isBelow(href) ? `${this.prefix}${href.slice(1)}` : href;
		const url = urlOf(below, start);
		if (!url) throw new InvalidInput(`"${href}" is not an address`, 'Choose the resource from the list.');
		if (url.origin !== this.origin) throw new ForeignOrigin(url.origin, this.origin);
		// Behind a proxy that adds the prefix, absolute addresses of the service lack it.
		if (url.pathname.startsWith('/api/') && !this.isBelow(url.pathname))
			url.pathname = `${this.prefix}${url.pathname.slice(1)}`;
		// Each assignment parses the address again.
		if (url.username !== '') url.username = '';
		if (url.password !== '') url.password = '';
		if (url.hash !== '' || url.href.endsWith('#')) url.hash = '';
		return url;
	}

	/** With the prefix `/api`, every path of the service contains it twice (§1). */
	private isBelow(path: string): boolean {
		return path.startsWith(this.prefix === '/api/' ? '/api/api/' : this.prefix);
	}
}

/** Parses a URL once; `URL.canParse` would parse it twice. */
function urlOf(text: string, base: URL): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

function parsed(text: string): URL {
	const trimmed = text.trim();
	if (!URL.canParse(trimmed))
		throw new InvalidInput('The base URL of the credential is not a web address', HOW_TO_FIX);
	const url = new URL(trimmed);
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		throw new InvalidInput(
			`The base URL of the credential starts with ${url.protocol}, not with https:`,
			HOW_TO_FIX,
		);
	if (url.username || url.password)
		throw new InvalidInput(
			'The base URL of the credential contains a user name or password',
			'Remove them from the base URL and enter key and secret in their own inputs.',
		);
	url.search = '';
	url.hash = '';
	return url;
}

/** A relative href in JSON: neither a path from the root nor an absolute URL. */
const RELATIVE_HREF = /"href"\s*:\s*"(?!\/|[a-zA-Z][a-zA-Z\d+.-]*:)/;

/**
 * Converts the relative links of a representation to absolute paths (RFC 3986), in place, because
 * its URL is unknown when the links are followed.
 * @param text the JSON, searched first because most services send no relative links
 * @param value the parsed JSON
 */
export function rootLinks(text: string, value: unknown, document: URL): void {
	if (RELATIVE_HREF.test(text)) rootLinksIn(value, document);
}

function rootLinksIn(value: unknown, document: URL): void {
	if (typeof value !== 'object' || value === null) return;
	for (const [name, member] of Object.entries(value))
		if (name === '_links' && !Array.isArray(value)) rootHrefs(member, document);
		else rootLinksIn(member, document);
}

function rootHrefs(value: unknown, document: URL): void {
	if (typeof value !== 'object' || value === null) return;
	if ('href' in value && typeof value.href === 'string') value.href = rooted(value.href, document);
	else for (const member of Object.values(value)) rootHrefs(member, document);
}

function rooted(href: string, document: URL): string {
	const isRelative = !href.startsWith('/') && !ABSOLUTE.test(href) && !FROM_BASE.test(href);
	// A template that starts with an expression has no known base.
	if (!isRelative || href.startsWith('{') || !URL.canParse(href, document.href)) return href;
	const { pathname, search } = new URL(href, document);
	const path = pathname + search;
	return href.includes('{') ? path.replace(/%7B/gi, '{').replace(/%7D/gi, '}') : path;
}
