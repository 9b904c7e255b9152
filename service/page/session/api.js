/** Requests to the service, using the links of its representations. */

const version2 = 'application/vnd.service.hal;version=2';
const KEPT_AS = 'authorization';
/** Whether this browser has the cookie of a session, which scripts cannot read. */
const SESSION = 'session';

/** The base address of the service: the folder of the page's script, also behind a proxy. */
export const base = new URL('.', import.meta.url);

/**
 * The address of a link: hrefs are relative to the base of the service, not to the host's root.
 * @throws Error for a link to another origin, which would receive the credentials
 */
export function addressOf(href) {
	const isBelow = base.pathname !== '/' && href.startsWith(base.pathname);
	const address = new URL(isBelow ? href : href.replace(/^\/(?!\/)/, ''), base);
	if (address.origin !== base.origin) throw new Error('The service returned a link to another server');
	return address;
}

/** The key of this tab, kept until it is closed; without one, the session counts, if any. */
let authorization = sessionStorage.getItem(KEPT_AS);

const hasSession = () => localStorage.getItem(SESSION) !== null;

export const isLoggedIn = () => authorization !== null || hasSession();

/** Whether this page is logged in with an access key. */
export function usesKey({ key }) {
	if (!authorization?.startsWith('Basic ')) return false;
	return atob(authorization.slice('Basic '.length)).startsWith(`${key}:`);
}

/** Uses a key from now on. */
export function logIn(key, secret) {
	const pair = new TextEncoder().encode(`${key}:${secret}`);
	authorization = `Basic ${btoa(String.fromCharCode(...pair))}`;
}

export function keepLogin() {
	if (authorization !== null) sessionStorage.setItem(KEPT_AS, authorization);
}

/** Uses the session whose cookie the service has just set. */
export function beginSession() {
	localStorage.setItem(SESSION, 'yes');
	sessionStorage.removeItem(KEPT_AS);
	authorization = null;
}

/** Logs in with an email address and a password, or with a key and its secret. */
export async function logInWith(name, secret) {
	if (!name.includes('@')) return logIn(name, secret);
	authorization = null;
	await send(
		{ href: '/api/login', method: 'post' },
		{ body: { email: name, password: secret }, isLogin: true },
	);
	beginSession();
}

let tellRefused = () => undefined;

/** Calls a function whenever the service no longer takes the log-in data. */
export function onRefusedLogin(listener) {
	tellRefused = listener;
}

/** Forgets the key, and ends the session. */
export async function forgetLogin() {
	const isSession = authorization === null && hasSession();
	sessionStorage.removeItem(KEPT_AS);
	authorization = null;
	if (!isSession) return;
	localStorage.removeItem(SESSION);
	await send({ href: '/api/logout', method: 'post' });
}

/** The service sent no response, so it is unknown whether it carried out the request. */
export class Unreachable extends Error {
	constructor() {
		super('The service cannot be reached. Check the connection, then try again');
	}
}

/** What a request or its response resolves to. @throws Unreachable if the connection was lost */
const arrived = (promise) =>
	promise.catch((error) => {
		throw error instanceof TypeError ? new Unreachable() : error;
	});

/**
 * Sends a request and returns the response.
 * @throws Error with the service's message, or Unreachable
 */
export async function open({ href, method }, { query = {}, body, form, signal, isLogin } = {}) {
	const address = addressOf(href);
	for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
	const request = fetch(address, {
		method: method.toUpperCase(),
		// With a key, neither a cookie nor what the browser's own login window keeps is sent.
		credentials: authorization === null ? 'same-origin' : 'omit',
		headers: {
			accept: version2,
			...(authorization === null ? {} : { authorization }),
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		...(form === undefined ? {} : { body: form }),
		...(signal === undefined ? {} : { signal }),
	});
	const response = await arrived(request);
	if (response.ok) return response;
	throw refusal(response.status, await arrived(response.text()), isLogin);
}

/** The error for a failed request: the service's message, with the status. */
function refusal(status, text, isLogin = false) {
	if (status === 401 && isLoggedIn() && !isLogin) tellRefused();
	let message = `The service responded with status ${status}`;
	let details;
	try {
		const error = JSON.parse(text);
		message = error.message ?? message;
		details = error.details;
	} catch {
		// A proxy may send an error without JSON.
	}
	return Object.assign(new Error(message), { status, details });
}

/**
 * Sends a form and reports the progress.
 * @param tell receives the part that was sent, from 0 to 1
 * @returns the `Location` of the new resource
 */
export const upload = ({ href, method }, form, { tell, signal }) =>
	new Promise((resolve, reject) => {
		// fetch does not report the progress of an upload.
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
		request.onerror = () => reject(new Unreachable());
		request.onabort = () => reject(new Error('The upload was cancelled'));
		signal.addEventListener('abort', () => request.abort());
		request.send(form);
	});

/** Sends a request and reads the response as JSON or text. */
export async function send(link, options) {
	const response = await open(link, options);
	const text = await arrived(response.text());
	return (response.headers.get('content-type') ?? '').includes('json') ? JSON.parse(text) : text;
}

/**
 * Sends the request that creates a resource.
 * @returns its address
 */
export async function create(link, options) {
	const response = await open(link, options);
	// For a browser, a request ends when its response is read.
	await arrived(response.text());
	return response.headers.get('location');
}

/** All items of a paged collection. */
export async function all(link) {
	const items = [];
	for (let page = await send(link); ; page = await send(page._links.next)) {
		items.push(...page.items);
		if (!page._links.next) return items;
	}
}
