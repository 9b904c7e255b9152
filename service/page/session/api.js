/** Requests to the service, by the links of what was read before. */

const version2 = 'application/vnd.service.hal;version=2';
const KEPT_AS = 'authorization';

/** The address below which the service lies: the folder of this page, also behind a proxy. */
export const base = new URL('.', document.baseURI);

/**
 * The address of a link: hrefs of the service start at its base, not at the host's root.
 * @throws Error for a link that leads elsewhere, which would be sent the log-in data
 */
function addressOf(href) {
	const isBelow = base.pathname !== '/' && href.startsWith(base.pathname);
	const address = new URL(isBelow ? href : href.replace(/^\/(?!\/)/, ''), base);
	if (address.origin !== base.origin) throw new Error('The service gave a link that leads elsewhere');
	return address;
}

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
	const address = addressOf(href);
	for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
	const response = await fetch(address, {
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
	throw refusal(response.status, await response.text());
}

/** The error for an answer that is no success: the service's own words, with the status. */
function refusal(status, text) {
	let message = `The service answered ${status}`;
	try {
		message = JSON.parse(text).message ?? message;
	} catch {
		// Not every refusal comes from the service itself.
	}
	return Object.assign(new Error(message), { status });
}

/**
 * Sends a form and tells how much of it has been sent.
 * @param tell is given the part that was sent, from 0 to 1
 * @returns the `Location` of what was made
 */
export const upload = ({ href, method }, form, { tell, signal }) =>
	new Promise((resolve, reject) => {
		// fetch does not tell how much of a body has been sent.
		const request = new XMLHttpRequest();
		request.open(method.toUpperCase(), addressOf(href));
		request.setRequestHeader('accept', version2);
		if (authorization !== null) request.setRequestHeader('authorization', authorization);
		request.upload.onprogress = ({ loaded, total }) => tell(total > 0 ? loaded / total : 0);
		request.upload.onload = () => tell(1);
		request.onload = () => {
			if (request.status < 300) resolve(request.getResponseHeader('location'));
			else reject(refusal(request.status, request.responseText));
		};
		request.onerror = () => reject(new Error('The connection to the service broke'));
		request.onabort = () => reject(new Error('The upload was cancelled'));
		signal.addEventListener('abort', () => request.abort());
		request.send(form);
	});

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
