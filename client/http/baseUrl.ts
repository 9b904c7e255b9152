import { ForeignOrigin, InvalidInput } from '../errors';

const HOW_TO_FIX = 'Enter the base URL in the credential, e.g. https://grids.example.com';

/** An href with a scheme or host. */
const ABSOLUTE = /^([a-z][a-z\d+.-]*:|[/\\]{2})/i;
/** §1: all paths of the service start with `/api`, so such an href is relative to the base URL. */
const FROM_BASE = /^api([/?]|$)/;
/**
 * A slash, a backslash or a dot segment that a proxy may read where this code reads a name:
 * percent-encoded once or several times, or with parameters (`..;a=b`).
 */
const HIDDEN_SEGMENT = /%(25)*(2f|5c)|(^|\/)(\.|%(25)*2e){1,2}(;|%(25)*3b|\/|$)/i;

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
	 * The base URL in a text. Users may copy the address with the `/api` of the paths (§1), which is
	 * cut off.
	 * @throws InvalidInput if it is not an http(s) URL, or contains a user name or password
	 */
	static of(text: string): BaseUrl {
		const url = parsed(text);
		const path = url.pathname.replace(/\/+$/, '').replace(/\/api$/, '');
		return new BaseUrl(new URL(`${path}/`, url));
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
		return this.withPrefix(url);
	}

	/**
	 * The absolute URL of an address that does not come from a link of the service but from data or
	 * from a person: the same host may serve others at other paths. `/api/…` is relative to the base
	 * URL.
	 * @returns undefined if it does not lead below the path of the base URL
	 */
	below(address: string): URL | undefined {
		const url = urlOf(address, this.url);
		if (url?.origin !== this.origin) return undefined;
		const { pathname } = this.withPrefix(url);
		const isBelow = pathname.startsWith(this.prefix);
		return isBelow && !HIDDEN_SEGMENT.test(pathname.slice(this.prefix.length)) ? url : undefined;
	}

	/** Completes the path, and removes what is never sent. */
	private withPrefix(url: URL): URL {
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

/** Hosts on this machine, as `URL` normalizes them. */
const LOCAL_HOST = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether requests can be read in transit: plain http that leaves this machine. */
export function isReadableInTransit({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
	return protocol === 'http:' && !LOCAL_HOST.test(hostname);
}
