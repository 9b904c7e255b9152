import { UserError, type IHttpRequestOptions } from 'n8n-workflow';

/** The HTTP Request node describes a request with `uri`, nodes with `url`. */
type AnyRequest = IHttpRequestOptions & { uri?: unknown };

/**
 * No redirect is followed with a secret: n8n sends the header again to whatever origin it leads to.
 * Nodes and the HTTP Request node each have their own words for it.
 */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/** What a credential is sent with, and where to. */
export interface Authorization {
	/** The address in the credential; secrets go to its origin only. */
	address: unknown;
	/** What the address is called in the editor. */
	label: string;
	/** Narrows the addresses on that origin. */
	isWithin?: (request: URL, own: URL) => boolean;
	header: string;
}

/**
 * Adds the header to a request to the credential's own service.
 * @throws UserError for any other request, so that no node can send a secret elsewhere
 */
export function authorized(
	{ baseURL, ...options }: AnyRequest,
	{ address: ownAddress, label, isWithin, header }: Authorization,
): IHttpRequestOptions {
	const own = ownUrl(ownAddress);
	if (!own) throw new UserError(`"${label}" of the credential is not a web address`);
	if (options.proxy !== undefined)
		throw new UserError('This credential is not sent through a proxy that a node names; nothing was sent');
	const request = urlOf(options.url || options.uri, baseURL);
	if (!request || request.origin !== own.origin || isWithin?.(request, own) === false)
		throw new UserError(`This credential is for ${own.origin} only ("${label}"); nothing was sent`, {
			description: `The request went to ${request?.origin ?? 'no web address'}. Use a credential of that service, or none.`,
		});
	// The address that was compared, not its parts: n8n may put them together in another way.
	const address = { url: request.href, ...(options.uri === undefined ? {} : { uri: request.href }) };
	return {
		...options,
		...address,
		...NO_REDIRECTS,
		headers: { ...options.headers, Authorization: fitting(header, label) },
	};
}

/** The address of a credential, which thousands of requests have in common. */
let known: { address: unknown; url: URL | undefined } | undefined;

function ownUrl(address: unknown): URL | undefined {
	if (typeof address !== 'string') return urlOf(address);
	if (known?.address !== address) known = { address, url: urlOf(address) };
	return known.url;
}

function urlOf(address: unknown, base?: string): URL | undefined {
	const text = address instanceof URL ? address.href : typeof address === 'string' ? address.trim() : '';
	const from = base?.trim() || undefined;
	if (text === '' && from === undefined) return undefined;
	if (!URL.canParse(text, from)) return undefined;
	const url = new URL(text, from);
	return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

/** Whether a header can hold a text: not a line break, nor anything beyond ASCII. */
export const fitsHeader = (text: string) => /^[\x20-\x7e]*$/.test(text);

function fitting(header: string, label: string): string {
	if (fitsHeader(header)) return header;
	throw new UserError(
		`The secret of the credential for "${label}" holds a line break or a character that cannot be sent`,
	);
}
