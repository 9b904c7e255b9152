import { ForeignOrigin, InvalidInput } from '../errors';

const HOW_TO_FIX = 'Enter the base URL in the credential, e.g. https://grids.example.com';

/** An href that names its scheme or host. */
const ABSOLUTE = /^([a-z][a-z\d+.-]*:|[/\\]{2})/i;
/**
 * §1: all paths of the service start with `/api`, so an href that does is meant from the base URL
 * on.
 */
const FROM_BASE = /^api([/?]|$)/;

/** Where the service is; all hrefs lead below it (§1). */
export class BaseUrl {
	/** Ends with a slash. */
	private readonly prefix: string;

	private constructor(private readonly url: URL) {
		this.prefix = url.pathname;
	}

	/**
	 * The base URLs that a text can mean, the likeliest first. People copy the address with the
	 * `/api` that every path of the service starts with (§1), so it is left out at first; but it may
	 * as well be the end of the base URL.
	 * @throws InvalidInput where it is not an http(s) address, or holds a user name or password
	 */
	static candidates(text: string): [BaseUrl, ...BaseUrl[]] {
		const url = parsed(text);
		const path = url.pathname.replace(/\/+$/, '');
		const at = (pathname: string) => new BaseUrl(new URL(`${pathname}/`, url));
		return path.endsWith('/api') ? [at(path.slice(0, -'/api'.length)), at(path)] : [at(path)];
	}

	get origin(): string {
		return this.url.origin;
	}

	/**
	 * The absolute URL of an href. A path is below the base URL's own path, whether the service knows
	 * of that prefix or not.
	 * @param document URL of the representation that holds the href, for relative ones (RFC 3986);
	 * the base URL if omitted
	 * @throws ForeignOrigin where it leads to another scheme, host or port; InvalidInput where it is
	 * no address
	 */
	resolve(href: string, document?: URL): URL {
		const isRooted = href.startsWith('/') && !ABSOLUTE.test(href);
		const start = document && !isRooted && !FROM_BASE.test(href) ? document : this.url;
		const below = isRooted && !this.isBelow(href) ? `${this.prefix}${href.slice(1)}` : href;
		const url = urlOf(below, start);
		if (!url) throw new InvalidInput(`"${href}" is not an address`, 'Choose the resource from the list.');
		if (url.origin !== this.origin) throw new ForeignOrigin(url.origin, this.origin);
		// A proxy that adds the prefix leaves it out of the absolute addresses that the service makes.
		if (url.pathname.startsWith('/api/') && !this.isBelow(url.pathname))
			url.pathname = `${this.prefix}${url.pathname.slice(1)}`;
		// Each assignment parses the address again.
		if (url.username !== '') url.username = '';
		if (url.password !== '') url.password = '';
		if (url.hash !== '' || url.href.endsWith('#')) url.hash = '';
		return url;
	}

	/** Below a prefix `/api` every path of the service has it twice (§1). */
	private isBelow(path: string): boolean {
		return path.startsWith(this.prefix === '/api/' ? '/api/api/' : this.prefix);
	}
}

/** A URL, parsed once: to ask first whether it can be is a second time. */
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
			'The base URL of the credential holds a user name or password',
			'Remove them from the base URL and enter key and secret in their own inputs.',
		);
	url.search = '';
	url.hash = '';
	return url;
}

/** A relative href in JSON: neither a path from the root nor an absolute URL. */
const RELATIVE_HREF = /"href"\s*:\s*"(?!\/|[a-z][a-z\d+.-]*:)/i;

/**
 * Makes the relative links of a representation absolute paths (RFC 3986: from the document that
 * holds them), in place: where they are followed, the document is no longer known.
 * @param text the JSON, which is looked at first: most services send none
 * @param value the same, parsed
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
	// A template that begins with an expression says nothing of where it starts.
	if (!isRelative || href.startsWith('{') || !URL.canParse(href, document.href)) return href;
	const { pathname, search } = new URL(href, document);
	const path = pathname + search;
	return href.includes('{') ? path.replace(/%7B/gi, '{').replace(/%7D/gi, '}') : path;
}
