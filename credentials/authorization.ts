import { UserError, type IHttpRequestOptions } from 'n8n-workflow';

/** The HTTP Request node describes a request with `uri`, nodes with `url`. */
type AnyRequest = IHttpRequestOptions & { uri?: unknown };

/**
 * Disables redirects, because n8n would send the header to any origin that a redirect leads to.
 * Nodes and the HTTP Request node use different options.
 */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/** An `Authorization` header, and the addresses that may receive it. */
export interface Authorization {
	/** The address in the credential; secrets go to its origin only. */
	address: unknown;
	/** Label of the address in the editor. */
	label: string;
	/** Restricts the addresses on that origin. */
	isWithin?: (request: URL, own: URL) => boolean;
	header: string;
}

/**
 * Adds the header to a request to the service of the credential.
 * @throws UserError for any other request, so that no node can send a secret elsewhere
 */
export function authorized(
	{ baseURL, ...options }: AnyRequest,
	{ address: ownAddress, label, isWithin, header }: Authorization,
): IHttpRequestOptions {
	const own = urlOf(ownAddress);
	if (!own) throw new UserError(`"${label}" of the credential is not a web address`);
	if (options.proxy !== undefined)
		throw new UserError('This credential is not sent through a proxy configured in a node; nothing was sent');
	const request = urlOf(options.url || options.uri, baseURL);
	if (!request || request.origin !== own.origin || isWithin?.(request, own) === false)
		throw new UserError(`This credential is for ${own.origin} only ("${label}"); nothing was sent`, {
			description: `The request went to ${request?.origin ?? 'no web address'}. Use a credential of that service, or none.`,
		});
	// The compared address as a whole, because n8n may combine its parts differently.
	const address = { url: request.href, ...(options.uri === undefined ? {} : { uri: request.href }) };
	return {
		...options,
		...address,
		...NO_REDIRECTS,
		headers: { ...options.headers, Authorization: validHeader(header, label) },
	};
}

/** The latest addresses, parsed: those of thousands of requests are the same. */
const known = new Map<string, URL>();
const MAX_KNOWN = 100;

function urlOf(address: unknown, base?: string): URL | undefined {
	const text = address instanceof URL ? address.href : typeof address === 'string' ? address.trim() : '';
	const from = base?.trim() || undefined;
	const before = from === undefined ? known.get(text) : undefined;
	if (before || (text === '' && from === undefined)) return before;
	try {
		// To ask first whether it can be parsed would parse it twice.
		const url = new URL(text, from);
		if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
		if (known.size === MAX_KNOWN) known.clear();
		if (from === undefined) known.set(text, url);
		return url;
	} catch {
		return undefined;
	}
}

/** Whether a header can contain a text: only ASCII without line breaks. */
export const fitsHeader = (text: string) => /^[\x20-\x7e]*$/.test(text);

function validHeader(header: string, label: string): string {
	if (fitsHeader(header)) return header;
	throw new UserError(
		`The secret of the credential for "${label}" contains a line break or another character that cannot be sent`,
	);
}
