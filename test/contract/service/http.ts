import { connect } from 'node:net';
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

/** The last segment of a path: the ID of its resource. */
export const last = (path: string) => path.split('/').at(-1) ?? '';

/** Whose requests are sent where. */
interface Identity {
	readonly url: string;
	readonly userId: string;
	readonly authorization: string | undefined;
}

/** Value of the header `Authorization` for a key or a link. */
export const basic = (user: string, password: string) =>
	`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Sends requests to one service as one caller, with fetch, so tests see what any client sees. */
export class Caller {
	constructor(private readonly identity: () => Identity) {}

	static basic(url: string, userId: string, key: string, secret: string): Caller {
		return new Caller(() => ({ url, userId, authorization: basic(key, secret) }));
	}

	/** A caller that is known once the tests run. */
	static later(find: () => Caller): Caller {
		return new Caller(() => find().identity());
	}

	get url(): string {
		return this.identity().url;
	}

	get userId(): string {
		return this.identity().userId;
	}

	get authorization(): string | undefined {
		return this.identity().authorization;
	}

	/** Creates a key. @returns a caller with it, and the ID of the key */
	async newKey(role: string, name = role) {
		const made = (await this.post(`/api/users/${this.userId}/accessKeys`, { name, role })).json();
		const caller = Caller.basic(this.url, this.userId, String(made['key']), String(made['secret']));
		return { caller, id: String(made['id']) };
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
	/** Reads a JSON object. */
	read = async (...request: Parameters<typeof this.get>) => (await this.get(...request)).json();
	/** Reads a page of a list. */
	items = async (path: string, query?: Record<string, string>) =>
		objects((await this.read(path, query))['items']);
	/** Reads the columns of a grid. */
	fields = async (grid: string) => objects((await this.read(grid, undefined, version2))['fields']);
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
	async create(path: string, body?: unknown, query?: Record<string, string>): Promise<string> {
		const reply = await this.post(path, body, query);
		if (reply.status !== 201) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`);
		return reply.headers.get('location') ?? '';
	}

	/** Creates a view of a grid. @param more its name and sorting @returns its address */
	view = (grid: string, fields: unknown, filter: unknown, more: Json = {}) =>
		this.create(`${grid}/virtualgrids`, { fields, filter, ...more });
}

export const version2 = { Accept: 'application/vnd.service.hal;version=2' };
/** Query for rows with values by the keys of their columns (§2.7). */
export const byKey = { layout: 'key' };

/** Starts a service. Returns it with its owner and a caller without credentials. */
export async function startWithOwner(options: Partial<ServiceOptions> = {}) {
	const service: RunningService = await startTestService(options);
	const { url, userId, key, secret } = service;
	return {
		service,
		owner: Caller.basic(url, userId, key, secret),
		anonymous: new Caller(() => ({ url, userId, authorization: undefined })),
		home: `/api/users/${userId}`,
		end: () => service.stop(),
	};
}

type Started = Awaited<ReturnType<typeof startWithOwner>>;

/** The service of a test file, started before its tests and stopped after them. */
export class ForAllTests<Context extends Started> {
	private running: Context | undefined;
	readonly owner = Caller.later(() => this.context.owner);
	readonly anonymous = Caller.later(() => this.context.anonymous);

	constructor(start: () => Promise<Context>) {
		beforeAll(async () => {
			this.running = await start();
		});
		afterAll(() => this.context.end());
	}

	get context(): Context {
		if (this.running) return this.running;
		throw new Error('The service starts before the first test');
	}

	get service(): RunningService {
		return this.context.service;
	}

	/** Path of the owner's account. */
	get home(): string {
		return this.context.home;
	}
}

/** Registers the hooks of a test file. @returns its service and callers */
export const testService = (options: Partial<ServiceOptions> = {}) =>
	new ForAllTests(() => startWithOwner(options));

/** Sends parts over a socket unchanged. @returns the response */
export function overSocket(url: string, ...parts: ReadonlyArray<string | Buffer>): Promise<string> {
	const { hostname, port } = new URL(url);
	return new Promise((resolve, reject) => {
		let response = '';
		const socket = connect(Number(port), hostname, () => {
			for (const part of parts) socket.write(part);
		});
		socket.on('data', (data: Buffer) => (response += data.toString()));
		socket.on('error', reject).on('close', () => {
			resolve(response);
		});
	});
}

/** Makes a space and a grid with one field per column. @returns addresses, and field IDs by key */
export async function makeGrid(owner: Caller, columns: Readonly<Record<string, Json>>, name = 'Things') {
	const space = await owner.create(`/api/users/${owner.userId}/spaces`, { name: `Space of ${name}` });
	const grid = await owner.create(`${space}/grids`, { name });
	const ids: Record<string, string> = {};
	for (const [key, type] of Object.entries(columns)) {
		const field = await owner.create(`${grid}/ColumnAdd`, { name: key.toUpperCase(), key, type });
		ids[key] = last(field);
	}
	return { space, grid, ids };
}

/** Returns the field IDs of a grid. @param by member that identifies a field */
export async function fieldIds(caller: Caller, grid: string, by: 'key' | 'name') {
	const { fields } = (await caller.get(grid, undefined, version2)).json();
	return Object.fromEntries(objects(fields).map((field) => [String(field[by]), String(field['id'])]));
}

/** Uploads a file as a form, which may be larger than JSON. @returns the address of its grid */
export async function uploadGrid(caller: Caller, space: string, parts: Record<string, string>) {
	const form = new FormData();
	for (const [name, content] of Object.entries(parts)) form.append(name, content);
	const reply = await caller.upload(`${space}/uploadCSV`, form);
	if (reply.status !== 201) throw new Error(`Upload: ${reply.status} ${reply.text}`);
	return reply.headers.get('location') ?? '';
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
