import { startTestService } from '../../../testbed/world/service';
import type { RunningService, ServiceOptions } from '../../../service/server';

export type Json = Record<string, unknown>;

/** What came back, with the body read as JSON where it is JSON. */
export interface Reply {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** The body as JSON. @throws when it is something else */
	json(): Json;
}

export interface Sending {
	readonly body?: unknown;
	/** Sent as it is, with its content type. */
	readonly raw?: { readonly type: string; readonly content: string };
	readonly headers?: Record<string, string>;
	readonly query?: Record<string, string>;
}

/** A JSON value as an object. @throws when it is none */
export function object(value: unknown): Json {
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		throw new Error(`Not an object: ${JSON.stringify(value)}`);
	return Object.fromEntries(Object.entries(value));
}

/** A JSON value as a list of objects. @throws when it is none */
export function objects(value: unknown): Json[] {
	if (!Array.isArray(value)) throw new Error(`Not a list: ${JSON.stringify(value)}`);
	return value.map(object);
}

/** The address of a link of a representation. @throws if it is missing */
export function href(representation: Json, rel: string): string {
	const link = object(representation['_links'])[rel];
	if (link === undefined) throw new Error(`No link ${rel} in ${JSON.stringify(representation['_links'])}`);
	return String(object(link)['href']);
}

/** The names of the links of a representation, sorted. */
export const rels = (representation: Json) => Object.keys(object(representation['_links'])).sort();

/** One caller of one service: nothing but fetch, so that a test sees what any client sees. */
export class Caller {
	constructor(
		readonly url: string,
		readonly userId: string,
		private readonly authorization: string | undefined,
	) {}

	static basic(url: string, userId: string, key: string, secret: string): Caller {
		return new Caller(url, userId, `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`);
	}

	async send(method: string, path: string, { body, raw, headers = {}, query }: Sending = {}): Promise<Reply> {
		const search = query ? `?${new URLSearchParams(query).toString()}` : '';
		const content = raw?.content ?? (body === undefined ? undefined : JSON.stringify(body));
		const type = raw?.type ?? (body === undefined ? undefined : 'application/json');
		const response = await fetch(this.url + path + search, {
			method,
			redirect: 'manual',
			headers: {
				...(this.authorization === undefined ? {} : { authorization: this.authorization }),
				...(type === undefined ? {} : { 'content-type': type }),
				...headers,
			},
			...(content === undefined ? {} : { body: content }),
		});
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, json: () => object(JSON.parse(text)) };
	}

	/** An answer whose body is read as it comes. */
	stream = (path: string) =>
		fetch(this.url + path, {
			headers: this.authorization === undefined ? {} : { authorization: this.authorization },
		});

	get = (path: string, query?: Record<string, string>, headers?: Record<string, string>) =>
		this.send('GET', path, { ...(query ? { query } : {}), ...(headers ? { headers } : {}) });
	post = (path: string, body?: unknown, query?: Record<string, string>) =>
		this.send('POST', path, { body, ...(query ? { query } : {}) });
	put = (path: string, body: unknown, query?: Record<string, string>) =>
		this.send('PUT', path, { body, ...(query ? { query } : {}) });
	patch = (path: string, body: unknown) => this.send('PATCH', path, { body });
	delete = (path: string) => this.send('DELETE', path);

	/** Sends a form, with a file for instance. */
	async upload(path: string, form: FormData): Promise<Reply> {
		const headers = this.authorization === undefined ? {} : { authorization: this.authorization };
		const response = await fetch(this.url + path, { method: 'POST', body: form, headers });
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, json: () => object(JSON.parse(text)) };
	}

	/** Creates a resource and answers its address. @throws when the service does not answer 201 */
	async create(path: string, body: unknown, query?: Record<string, string>): Promise<string> {
		const reply = await this.post(path, body, query);
		if (reply.status !== 201) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`);
		return reply.headers.get('location') ?? '';
	}
}

export const version2 = { Accept: 'application/vnd.service.hal;version=2' };

/** A service of its own with its owner and somebody without credentials. */
export async function startWithOwner(options: Partial<ServiceOptions> = {}) {
	const service: RunningService = await startTestService(options);
	const { url, userId, key, secret } = service;
	return {
		service,
		owner: Caller.basic(url, userId, key, secret),
		nobody: new Caller(url, userId, undefined),
		home: `/api/users/${userId}`,
	};
}

/** A space with a grid of one field of each type given. @returns addresses, and field ids by key */
export async function makeGrid(owner: Caller, columns: Readonly<Record<string, Json>>, name = 'Things') {
	const space = await owner.create(`/api/users/${owner.userId}/spaces`, { name: `Space of ${name}` });
	const grid = await owner.create(`${space}/grids`, { name });
	const ids: Record<string, string> = {};
	for (const [key, type] of Object.entries(columns)) {
		const field = await owner.create(`${grid}/ColumnAdd`, { name: key.toUpperCase(), key, type });
		ids[key] = field.split('/').pop() ?? '';
	}
	return { space, grid, ids };
}

/** One field id. @throws when there is none, which is a mistake of the test */
export function id(ids: Readonly<Record<string, string>>, key: string): string {
	const found = ids[key];
	if (found === undefined) throw new Error(`No field ${key}`);
	return found;
}
