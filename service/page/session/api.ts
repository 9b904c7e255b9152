import * as schemas from './schemas';
import type { Link, Schema } from './schemas';

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
export function addressOf(href: string) {
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
export function usesKey({ key }: { key: string }) {
	if (!authorization?.startsWith('Basic ')) return false;
	return atob(authorization.slice('Basic '.length)).startsWith(`${key}:`);
}

/** Uses a key from now on. */
export function logIn(key: string, secret: string) {
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
export async function logInWith(name: string, secret: string) {
	if (!name.includes('@')) {
		logIn(name, secret);
		return;
	}
	authorization = null;
	await send(
		{ href: '/api/login', method: 'post' },
		{ body: { email: name, password: secret }, isLogin: true },
	);
	beginSession();
}

let tellRefused: () => void = () => undefined;

/** Calls a function whenever the service no longer takes the log-in data. */
export function onRefusedLogin(listener: () => void) {
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

/** The service refused a request. */
export class Refusal extends Error {
	constructor(
		message: string,
		readonly status: number,
		readonly details: Record<string, unknown> = {},
	) {
		super(message);
	}
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** What a request or its response resolves to. @throws Unreachable if the connection was lost */
async function arrived<Value>(promise: Promise<Value>): Promise<Value> {
	try {
		return await promise;
	} catch (error) {
		throw error instanceof TypeError ? new Unreachable() : error;
	}
}

type Query = Readonly<Record<string, string | number | boolean>>;

export interface Request {
	readonly query?: Query;
	/** Sent as JSON. */
	readonly body?: object;
	readonly form?: FormData;
	/** Whether a refusal concerns what was typed, not the present log-in. */
	readonly isLogin?: boolean;
}

/**
 * Sends a request and returns the response.
 * @param link undefined if the representation lacks it
 * @throws Refusal with the service's message, or Unreachable
 */
export async function open(
	link: Link | undefined,
	{ query = {}, body, form, isLogin = false }: Request = {},
) {
	if (!link) throw new Error('The service no longer offers this');
	const address = addressOf(link.href);
	for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
	const request = fetch(address, {
		method: link.method.toUpperCase(),
		// With a key, neither a cookie nor what the browser's own login window keeps is sent.
		credentials: authorization === null ? 'same-origin' : 'omit',
		headers: {
			accept: version2,
			...(authorization === null ? {} : { authorization }),
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		...(form === undefined ? {} : { body: form }),
	});
	const response = await arrived(request);
	if (response.ok) return response;
	throw refusal(response.status, await arrived(response.text()), isLogin);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// A proxy may send an error without JSON.
		return undefined;
	}
}

/** The error for a failed request: the service's message, with the status. */
function refusal(status: number, text: string, isLogin = false) {
	if (status === 401 && isLoggedIn() && !isLogin) tellRefused();
	const { data } = schemas.errorBody.safeParse(parsed(text));
	return new Refusal(data?.message ?? `The service responded with status ${status}`, status, data?.details);
}

/**
 * Sends a form and reports the progress.
 * @param tell receives the part that was sent, from 0 to 1
 * @returns the `Location` of the new resource
 */
export const upload = (
	{ href, method }: Link,
	form: FormData,
	{ tell, signal }: { tell: (part: number) => void; signal: AbortSignal },
) =>
	new Promise<string>((resolve, reject) => {
		// fetch does not report the progress of an upload.
		const request = new XMLHttpRequest();
		request.open(method.toUpperCase(), addressOf(href));
		request.setRequestHeader('accept', version2);
		if (authorization !== null) request.setRequestHeader('authorization', authorization);
		request.upload.onprogress = ({ loaded, total }) => {
			tell(total > 0 ? loaded / total : 0);
		};
		request.upload.onload = () => {
			tell(1);
		};
		request.onload = () => {
			if (request.status < 300) resolve(request.getResponseHeader('location') ?? '');
			else reject(refusal(request.status, request.responseText));
		};
		request.onerror = () => {
			reject(new Unreachable());
		};
		request.onabort = () => {
			reject(new Error('The upload was cancelled'));
		};
		signal.addEventListener('abort', () => {
			request.abort();
		});
		request.send(form);
	});

/** Sends a request, and waits until its response has arrived. */
export async function send(link: Link | undefined, request?: Request): Promise<void> {
	await arrived((await open(link, request)).text());
}

/** Sends a request and reads the JSON of the response. */
export async function read<Value>(link: Link | undefined, schema: Schema<Value>, request?: Request) {
	const response = await open(link, request);
	return schema.parse(await arrived(response.json()));
}

/**
 * Sends the request that creates a resource.
 * @returns its address
 */
export async function create(link: Link | undefined, request: Request) {
	const response = await open(link, request);
	// For a browser, a request ends when its response is read.
	await arrived(response.text());
	return response.headers.get('location') ?? '';
}

/** All items of a paged collection. */
export async function all<Value>(link: Link | undefined, item: Schema<Value>, request?: Request) {
	const schema = schemas.pageOf(item);
	const items: Value[] = [];
	let page = await read(link, schema, request);
	for (;;) {
		items.push(...page.items);
		if (!page._links['next']) return items;
		page = await read(page._links['next'], schema);
	}
}
