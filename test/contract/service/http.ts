import { startTestService } from '../../../testbed/world/service';
import type { RunningService, ServiceOptions } from '../../../service/server';

export type Json = Record<string, unknown>;

/** A response whose body has been read. */
export interface Reply {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** Parses the body. @throws if it is no JSON object */
	json(): Json;
}

export interface Sending {
	readonly body?: unknown;
	/** Sent unchanged, with its content type. */
	readonly raw?: { readonly type: string; readonly content: string };
	readonly headers?: Record<string, string>;
	readonly query?: Record<string, string>;
}

/** Narrows a JSON value to an object. @throws if it is none */
export function object(value: unknown): Json {
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		throw new Error(`Not an object: ${JSON.stringify(value)}`);
	return Object.fromEntries(Object.entries(value));
}

/** Narrows a JSON value to an array of objects. @throws if it is none */
export function objects(value: unknown): Json[] {
	if (!Array.isArray(value)) throw new Error(`Not a list: ${JSON.stringify(value)}`);
	return value.map(object);
}

/** Returns the address of a link of a representation. @throws if it is missing */
export function href(representation: Json, rel: string): string {
	const link = object(representation['_links'])[rel];
	if (link === undefined) throw new Error(`No link ${rel} in ${JSON.stringify(representation['_links'])}`);
	return String(object(link)['href']);
}

/** Returns the link relations of a representation, sorted. */
export const rels = (representation: Json) => Object.keys(object(representation['_links'])).sort();

/** Sends requests to one service as one caller, with fetch, so tests see what any client sees. */
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

	/** Response whose body has not been read. */
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

	/** Sends a multipart form. */
	async upload(path: string, form: FormData): Promise<Reply> {
		const headers = this.authorization === undefined ? {} : { authorization: this.authorization };
		const response = await fetch(this.url + path, { method: 'POST', body: form, headers });
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, json: () => object(JSON.parse(text)) };
	}

	/** Creates a resource and returns its address. @throws if the response is not 201 */
	async create(path: string, body: unknown, query?: Record<string, string>): Promise<string> {
		const reply = await this.post(path, body, query);
		if (reply.status !== 201) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`);
		return reply.headers.get('location') ?? '';
	}
}

export const version2 = { Accept: 'application/vnd.service.hal;version=2' };

/** Starts a service. Returns it with its owner and a caller without credentials. */
export async function startWithOwner(options: Partial<ServiceOptions> = {}) {
	const service: RunningService = await startTestService(options);
	const { url, userId, key, secret } = service;
	return {
		service,
		owner: Caller.basic(url, userId, key, secret),
		anonymous: new Caller(url, userId, undefined),
		home: `/api/users/${userId}`,
	};
}

/** Makes a space and a grid with one field per column. @returns addresses, and field IDs by key */
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

/** Reads all pages of a list. @throws if their items are not `numberOfItems` */
export async function allItems(caller: Caller, path: string, query: Record<string, string> = {}) {
	const items: Json[] = [];
	for (let page = 1; ; page++) {
		const list = (await caller.get(path, { pageSize: '1000', pageIndex: String(page), ...query })).json();
		items.push(...objects(list['items']));
		if (page < Number(list['numberOfPages'])) continue;
		if (list['numberOfItems'] !== items.length) throw new Error(`${path} has ${items.length} items`);
		return items;
	}
}

/** Returns the ID of a field. @throws if the test names an unknown key */
export function id(ids: Readonly<Record<string, string>>, key: string): string {
	const found = ids[key];
	if (found === undefined) throw new Error(`No field ${key}`);
	return found;
}
