import { z } from 'zod/v4';
import { MOVED } from './aspects/links';
import { holds, same } from './difference';
import type { Trial } from './trial';

/**
 * What §4 to §9 promise, asked of a variant in the documented way, without the client. Where the
 * specification is silent, every form counts that the nodes accept.
 */

const link = z.object({ href: z.string().min(1), method: z.enum(['get', 'put', 'post', 'patch', 'delete']) });
const links = (...names: string[]) => z.looseObject(Object.fromEntries(names.map((name) => [name, link])));
const count = z.number().int().min(0);
const page = <Item extends z.ZodType>(item: Item) =>
	z.looseObject({
		page: count,
		pageSize: count,
		size: count,
		numberOfItems: count,
		numberOfPages: count,
		items: z.array(item),
	});
const rowLinks = links('self', 'update', 'remove');
const row = z.looseObject({
	_id: z.string(),
	_representation: z.enum(['full', 'summary']),
	_links: rowLinks,
});
const gridSchema = z.looseObject({
	id: z.string(),
	name: z.string(),
	type: z.literal('persistent'),
	_representation: z.literal('full'),
	_links: links('self', 'entities', 'addEntity', 'schema', 'virtualGrids'),
});

interface RawResponse {
	status: number;
	location: string;
	type: string;
	text: string;
}

class Asker {
	constructor(
		private readonly root: string,
		private readonly authorization: string | undefined,
	) {}

	/** Sends a request again that a busy service refused (§7), and follows redirects of reads. */
	async send(method: string, path: string, body?: object): Promise<RawResponse> {
		const response = await this.sendOnce(method, path, body);
		if (response.status === 503 || response.status === 429) return await this.send(method, path, body);
		const isMoved = response.status === 302 && new URL(response.location, this.root).pathname.includes(MOVED);
		return isMoved ? await this.send(method, new URL(response.location, this.root).href) : response;
	}

	private async sendOnce(method: string, path: string, body?: object): Promise<RawResponse> {
		const response = await fetch(/^https?:/.test(path) ? path : this.root + path, {
			method,
			redirect: 'manual',
			headers: {
				accept: 'application/vnd.service.hal;version=2',
				...(this.authorization === undefined ? {} : { authorization: this.authorization }),
				...(body ? { 'content-type': 'application/json' } : {}),
			},
			...(body ? { body: JSON.stringify(body) } : {}),
		});
		return {
			status: response.status,
			location: response.headers.get('location') ?? '',
			type: response.headers.get('content-type') ?? '',
			text: await response.text(),
		};
	}

	/** Reads JSON of a shape. */
	async read<Schema extends z.ZodType>(what: string, schema: Schema, path: string): Promise<z.infer<Schema>> {
		const { status, text } = await this.send('GET', path);
		same(`${what}: status`, status, 200);
		const parsed = schema.safeParse(JSON.parse(text));
		holds(`${what}: ${parsed.error?.message ?? ''}`, parsed.success, text);
		return schema.parse(JSON.parse(text));
	}

	/**
	 * Creates something (§4: 201, the address in `Location`, a text body that names it).
	 * @returns the path below the base URL, or an absolute address
	 */
	async create(what: string, path: string, body: object): Promise<string> {
		const { status, location, type, text } = await this.send('POST', path, body);
		same(`${what}: status`, status, 201);
		const { origin, pathname } = new URL(this.root);
		const isAbsolute = location.startsWith(`${origin}/`);
		holds(`${what}: Location is an address of the service`, isAbsolute || location.startsWith('/'), location);
		holds(`${what}: the body is text`, type.startsWith('text/plain'), type);
		same(`${what}: the body`, text, `Created ${location}`);
		return pathname !== '/' && location.startsWith(`${pathname}/api/`)
			? location.slice(pathname.length)
			: location;
	}
}

/** @throws Difference for a promise that the variant breaks */
export async function checkPromises(trial: Trial): Promise<void> {
	const { trials, grid } = trial;
	const { key = '', secret = '' } = trials.world.owner;
	const asker = new Asker(trials.service.root, `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`);
	const part = (id: string) => encodeURIComponent(trial.shown(id));
	const user = `/api/users/${part(trials.truth.userId)}`;
	const space = `${user}/spaces/${part(grid.spaceId)}`;
	const at = `${space}/grids/${part(grid.id)}`;
	await checkIdentity(asker, new Asker(trials.service.root, undefined), user);
	await asker.read('§4.3 spaces', page(z.looseObject({ id: z.string() })), `${user}/spaces`);
	await asker.read(
		'§2.3 space',
		z.looseObject({ _links: links('self', 'grids', 'addGrid', 'shares', 'blocks') }),
		space,
	);
	await checkFields(trial, asker, at);
	await checkRows(trial, asker, at);
	await checkErrors(asker, at);
}

/** §4.2, §5 */
async function checkIdentity(asker: Asker, nobody: Asker, user: string): Promise<void> {
	const me = await asker.send('GET', '/api/users/me');
	same('§4.2 users/me: status', me.status, 302);
	await asker.read('§4.2 user', z.looseObject({ id: z.string() }), user);
	same('§5 without credentials', (await nobody.send('GET', user)).status, 401);
	same('§4.1 version', (await nobody.send('GET', '/api/version')).status, 200);
}

/** §2.4, §9: the fields stand in the grid, or their definitions come from the schema. */
async function checkFields(trial: Trial, asker: Asker, at: string): Promise<void> {
	const whole = await asker.read('§2.4 grid', gridSchema, at);
	const schema = await asker.read(
		'§4.4 schema',
		z.looseObject({ properties: z.record(z.string(), z.looseObject({})) }),
		`${at}/schema`,
	);
	const ids = [...trial.grid.fieldIds.values()].map((id) => trial.shown(id));
	same('§4.4 the schema is the source of field ids', Object.keys(schema.properties), ids);
	const { fields } = z
		.looseObject({ fields: z.array(z.looseObject({ id: z.string() })).optional() })
		.parse(whole);
	if (fields)
		same(
			'§2.4 fields',
			fields.map(({ id }) => id),
			ids,
		);
	for (const id of ids.slice(0, 2)) {
		const field = await asker.read(
			'§2.5 field',
			z.looseObject({ id: z.string(), name: z.string(), type: z.looseObject({ name: z.string() }) }),
			`${at}/fields/${encodeURIComponent(id)}`,
		);
		same('§2.5 the id of a field', field.id, id);
	}
}

/** §4.5 */
async function checkRows(trial: Trial, asker: Asker, at: string): Promise<void> {
	const field = trial.shown(trial.grid.fieldId('Article'));
	const made: string[] = [];
	for (const name of ['one', 'two', 'three'])
		made.push(
			await asker.create('§4.5 create', `${at}/entities?layout=property`, { Article: name, Size: 3 }),
		);
	const place = made[0] ?? '';
	const entity = await asker.read('§4.5 read what Location names', row, `${place}?layout=field`);
	same('§2.7 layout field', entity[field], 'one');
	const own = `${at}/entities/${encodeURIComponent(entity._id)}`;
	const put = await asker.send('PUT', `${own}?layout=field`, { [field]: 'changed' });
	same('§4.5 PUT: status', put.status, 200);
	same('§4.5 PUT: the new state', row.parse(JSON.parse(put.text))[field], 'changed');
	const posted = await asker.send('POST', `${own}/update?layout=field`, { article: 'again' });
	same('§4.5 POST update: the new state', row.parse(JSON.parse(posted.text))[field], 'again');
	const found: string[] = [];
	let pages = 1;
	for (let index = 1; index <= pages; index++) {
		const one = await asker.read(
			'§2.2 entities',
			page(row),
			`${at}/entities?pageIndex=${index}&pageSize=300`,
		);
		same('§2.2 page', one.page, index);
		same('§2.2 size', one.size, one.items.length);
		same('§2.2 numberOfItems', one.numberOfItems, 3);
		pages = one.numberOfPages;
		found.push(...one.items.map(({ _id }) => _id));
	}
	same('§4.5 each row stands on one page', new Set(found).size, 3);
	const filter = encodeURIComponent(JSON.stringify({ [field]: { $eq: 'two' } }));
	const matches = await asker.read('§2.8 $eq', page(row), `${at}/entities?filter=${filter}&layout=property`);
	holds(
		'§2.8 $eq finds its row',
		matches.items.some((one) => one['Article'] === 'two'),
		matches.items,
	);
	await asker.read('§4.5 events', page(z.looseObject({})), `${own}/events`);
	const gone = await asker.send('DELETE', own);
	same('§4.5 DELETE', [gone.status, gone.text], [200, '"deleted"']);
	same('§7 a row that is gone', (await asker.send('GET', own)).status, 404);
	same(
		'§4.5 rows',
		(await trial.grid.rows()).map(({ cells }) => cells),
		[
			{ Article: 'two', Size: 3 },
			{ Article: 'three', Size: 3 },
		],
	);
}

/** §7: the statuses are promised, the bodies are not. */
async function checkErrors(asker: Asker, at: string): Promise<void> {
	same('§7 no body', (await asker.send('POST', `${at}/entities`)).status, 400);
	same(
		'§7 keys while indexed applies',
		(await asker.send('POST', `${at}/entities`, { Article: 'x' })).status,
		400,
	);
	same(
		'§7 an unknown field',
		(await asker.send('POST', `${at}/entities?layout=property`, { Nothing: 1 })).status,
		400,
	);
	same('§7 not found', (await asker.send('GET', `${at}x`)).status, 404);
}
