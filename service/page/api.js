/** Requests to the service, by the links of what was read before. */

const version2 = 'application/vnd.service.hal;version=2';
const KEPT_AS = 'authorization';

/** Log-in data live as long as the tab. */
let authorization = sessionStorage.getItem(KEPT_AS);

export const isLoggedIn = () => authorization !== null;

/** Uses a key from now on. */
export function logIn(key, secret) {
	const pair = new TextEncoder().encode(`${key}:${secret}`);
	authorization = `Basic ${btoa(String.fromCharCode(...pair))}`;
}

export function keepLogin() {
	sessionStorage.setItem(KEPT_AS, authorization);
}

export function forgetLogin() {
	sessionStorage.removeItem(KEPT_AS);
	authorization = null;
}

/**
 * Sends a request and gives the response itself.
 * @throws Error with the service's own words
 */
export async function open({ href, method }, { query = {}, body, form, signal } = {}) {
	const search = new URLSearchParams(query).toString();
	const separator = href.includes('?') ? '&' : '?';
	const response = await fetch(search ? href + separator + search : href, {
		method: method.toUpperCase(),
		// The browser would answer a 401 with a login window of its own.
		credentials: 'omit',
		headers: {
			accept: version2,
			...(authorization === null ? {} : { authorization }),
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		...(form === undefined ? {} : { body: form }),
		...(signal === undefined ? {} : { signal }),
	});
	if (response.ok) return response;
	const text = await response.text();
	let message = `The service answered ${response.status}`;
	try {
		message = JSON.parse(text).message ?? message;
	} catch {
		// Not every refusal comes from the service itself.
	}
	throw new Error(message);
}

/** Sends a request and reads the answer as JSON or text. */
export async function send(link, options) {
	const response = await open(link, options);
	const text = await response.text();
	return (response.headers.get('content-type') ?? '').includes('json') ? JSON.parse(text) : text;
}

/** All items of a paged collection. */
export async function all(link) {
	const items = [];
	for (let page = await send(link); ; page = await send(page._links.next)) {
		items.push(...page.items);
		if (!page._links.next) return items;
	}
}
