import fc from 'fast-check';
import { request as send } from 'node:http';
import { allRoutes } from '../../service/routes/all';
import { href, makeGrid, objects, startWithOwner } from '../contract/service/http';
import type { FuzzResult } from './client';

/** Milliseconds without an answer that count as none coming. */
const NO_ANSWER = 20_000;
/** Runs after which the service is set up anew: by then much of it has been deleted. */
const SET_UP_ANEW = 250;

const nasty = fc.oneof(
	fc.constantFrom(
		'..',
		'../../../../etc/passwd',
		'..%2f..%2fetc%2fpasswd',
		'%00',
		'%E0%A4%A',
		'\u0000',
		'🦄',
		'a/b',
	),
	fc.constantFrom(
		"' OR 1=1 --",
		'"; DROP TABLE users; --',
		'$."x"',
		'%',
		'_',
		'*',
		'1e999',
		'-1',
		'0',
		'NaN',
		'[]',
	),
	fc.constantFrom(
		'__proto__',
		'constructor',
		'toString',
		'\uD800',
		'x'.repeat(300),
		'<script>alert(1)</script>',
		'',
	),
	fc.string({ unit: 'binary', maxLength: 12 }),
);
const anything = fc.jsonValue({ maxDepth: 3 });
const types = fc.constantFrom(
	'string',
	'integer',
	'boolean',
	'date',
	'enum',
	'references',
	'geolocation',
	'createdat',
	'x',
);
const filters = fc.oneof(
	fc.dictionary(
		fc.oneof(fc.constantFrom('{fieldId}', '$and', '$or', '$not'), nasty),
		fc.oneof(
			anything,
			fc.dictionary(
				fc.constantFrom('$eq', '$ne', '$gt', '$lte', '$in', '$contains', '$empty', '$where'),
				anything,
			),
		),
		{ maxKeys: 3 },
	),
	anything,
	fc.constant(nested(40, '$not')),
);
/** Members that some endpoint knows, with values that it knows or does not. */
const bodyOf = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record(
			{
				name: fc.oneof(nasty, anything, fc.constant('x'.repeat(81))),
				key: fc.oneof(nasty, anything),
				role: fc.oneof(fc.constantFrom('reader', 'admin', 'creator'), anything),
				email: fc.oneof(fc.constant('a@b.example'), nasty, anything),
				fields: fc.oneof(fc.array(fc.oneof(anything, fc.constant('{fieldId}')), { maxLength: 3 }), anything),
				filter: filters,
				sorting: fc.oneof(
					fc.dictionary(fc.oneof(fc.constant('{fieldId}'), nasty), anything, { maxKeys: 2 }),
					anything,
				),
				type: fc.oneof(fc.record({ name: types, options: anything }), nasty, anything),
				fieldId: fc.oneof(fc.constant('{fieldId}'), nasty, anything),
				oldName: fc.oneof(fc.constant('A'), nasty),
				newName: nasty,
				position: anything,
				properties: anything,
				slotProperties: anything,
				icon: anything,
				spaceIcon: anything,
				includeEntities: anything,
				kind: fc.constantFrom('form', 'view', 'edit', 'x'),
				entityId: fc.oneof(fc.constant('{entityId}'), nasty),
				'{fieldId}': fc.oneof(nasty, anything),
				a: anything,
				constructor: anything,
				file: nasty,
			},
			{ requiredKeys: [] },
		),
	},
	{ weight: 1, arbitrary: anything },
);
function nested(depth: number, name: string): unknown {
	return depth === 0 ? 1 : { [name]: nested(depth - 1, name) };
}
const boundary = 'xXx';
const part = fc
	.tuple(
		fc.constantFrom('name', 'key', 'file', '__proto__', 'other'),
		nasty,
		fc.constantFrom('', '; filename="a.csv"'),
	)
	.map(
		([name, text, file]) =>
			`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`,
	);
const sent = fc.oneof(
	{
		weight: 8,
		arbitrary: bodyOf.map((body) => ({ type: 'application/json', content: JSON.stringify(body) })),
	},
	{
		weight: 1,
		arbitrary: fc
			.tuple(
				fc.constantFrom(
					'application/json',
					'text/plain',
					'application/xml',
					'',
					'application/json; charset=utf-16',
				),
				nasty,
			)
			.map(([type, content]) => ({ type, content })),
	},
	{
		weight: 1,
		arbitrary: fc.array(part, { maxLength: 4 }).chain((parts) =>
			fc.constantFrom(`--${boundary}--\r\n`, '', 'x').map((end) => ({
				type: `multipart/form-data; boundary=${boundary}`,
				content: parts.join('') + end,
			})),
		),
	},
	{
		weight: 1,
		arbitrary: fc
			.constantFrom('[', '{"a":', '{"__proto__":{"x":1}}', '['.repeat(50_000), `{"a":${'{"a":'.repeat(5000)}`)
			.map((content) => ({ type: 'application/json', content })),
	},
);
const queries = fc.record(
	{
		pageIndex: fc.oneof(nasty, fc.constantFrom('1', '99999999999999999999', '1.5')),
		pageSize: fc.oneof(nasty, fc.constantFrom('0', '1000', '1e9')),
		layout: fc.oneof(fc.constantFrom('field', 'indexed', 'key', 'keyAndField', 'property'), nasty),
		filter: fc.oneof(
			filters.map((filter) => JSON.stringify(filter)),
			nasty,
		),
		sorting: fc.oneof(fc.constant('{"{fieldId}":{"$order":"ascending"}}'), nasty),
		viewId: nasty,
		compose: nasty,
		matching: nasty,
		types: fc.oneof(fc.constant('grid,entity,field'), nasty),
		since: fc.oneof(
			nasty,
			fc.constantFrom('2020-01-01T00:00:00Z', '-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00.000+00:00'),
		),
		nested: nasty,
		type: nasty,
	},
	{ requiredKeys: [] },
);
const headers = fc.record(
	{
		accept: fc.constantFrom('application/vnd.service.hal;version=2', '*/*', ';;;', 'x'.repeat(4000)),
		'content-length': fc.constantFrom('0', '5'),
		'x-forwarded-for': fc.constant('1'),
		authorization: fc.constantFrom(
			'Basic',
			'Basic !!!',
			'Bearer a.b.c',
			'Bearer eyJhbGciOiJub25lIn0.e30.',
			'Digest x',
			'Basic Og==',
		),
	},
	{ requiredKeys: [] },
);

/** One request that means ill. `{name}` stands for an id that exists. */
const attempts = fc.record({
	route: fc.nat(allRoutes.length - 1),
	method: fc.oneof(
		{ weight: 9, arbitrary: fc.constant('') },
		{ weight: 1, arbitrary: fc.constantFrom('PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'HEAD') },
	),
	/** What takes the place of an id, and of which. */
	strange: fc.option(nasty, { freq: 3 }),
	which: fc.nat(6),
	raw: fc.boolean(),
	query: queries,
	headers: fc.option(headers, { freq: 3, nil: {} }),
	body: fc.option(sent, { freq: 8 }),
});
type Attempt = typeof attempts extends fc.Arbitrary<infer Value> ? Value : never;

/** A service with one of everything. */
async function setUp(onFault: (error: unknown) => void) {
	const context = await startWithOwner({ onFault, bodyLimit: 200_000 });
	const { owner, service } = context;
	const made = await makeGrid(owner, { a: { name: 'string' }, n: { name: 'integer' }, d: { name: 'date' } });
	const last = (path: string) => path.split('/').at(-1) ?? '';
	const [form] = objects((await owner.get(`${made.grid}/forms`)).json()['items']);
	const ids = new Map([
		['userId', owner.userId],
		['spaceId', last(made.space)],
		['gridId', last(made.grid)],
		['fieldId', made.ids['a'] ?? ''],
		['entityId', last(await owner.create(`${made.grid}/entities`, { fields: ['x', 1, '2026-01-01'] }))],
		['formId', last(href(form ?? {}, 'self'))],
		[
			'sviewId',
			last(await owner.create(`${made.grid}/sviews`, { type: 'x', properties: {}, slotProperties: {} })),
		],
		['linkId', last(await owner.create(`${made.grid}/links`, { kind: 'form' }))],
	]);
	const authorization = `Basic ${Buffer.from(`${service.key}:${service.secret}`).toString('base64')}`;
	return { service, ids, authorization };
}
type Target = Awaited<ReturnType<typeof setUp>>;

/** What no answer may hold: a trace, a word of the database, a file of the machine, the secret. */
const INSIDE =
	/\n\s+at |node_modules|\.[jt]s:\d+|SQLITE|no such (?:column|table)|constraint failed|syntax error near|root:.*:0:0/i;

function pathOf({ ids }: Target, { route, strange, which, raw, query }: Attempt): string {
	let number = 0;
	const path = (allRoutes[route]?.path ?? '').replace(/:(\w+)/g, (_match, name: string) => {
		const id = strange !== null && number++ === which % 5 ? strange : (ids.get(name) ?? 'x');
		return raw && /^[\w./%~-]*$/.test(id) ? id : encoded(id);
	});
	const pairs = Object.entries(query).map(([name, value]) => `${name}=${encoded(withIds(ids, value))}`);
	return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
const withIds = (ids: ReadonlyMap<string, string>, text: string) =>
	text.replace(/\{(\w+Id)\}/g, (_match, name: string) => ids.get(name) ?? 'x');

/** Sends a request as it is, dots and all. @returns undefined where no answer comes */
function exchange(target: Target, attempt: Attempt): Promise<{ status: number; text: string } | undefined> {
	const { hostname, port } = new URL(target.service.url);
	const content = attempt.body === null ? undefined : withIds(target.ids, attempt.body.content);
	const method = attempt.method || (allRoutes[attempt.route]?.method ?? 'GET');
	const own = {
		authorization: target.authorization,
		...(attempt.body ? { 'content-type': attempt.body.type } : {}),
	};
	return new Promise((resolve) => {
		const request = send({
			hostname,
			port,
			method,
			path: pathOf(target, attempt),
			headers: { ...own, ...attempt.headers },
			timeout: NO_ANSWER,
		});
		request.on('response', (response) => {
			const parts: Buffer[] = [];
			response.on('data', (data: Buffer) => parts.push(data));
			response.on('close', () => {
				resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
			});
		});
		request.on('timeout', () => {
			request.destroy();
			resolve(undefined);
		});
		// A request that breaks HTTP itself is ended without an answer.
		request.on('error', () => {
			resolve({ status: 0, text: '' });
		});
		request.end(attempt.method === 'TRACE' ? undefined : content);
	});
}

/** Seeded, over real HTTP: every endpoint of the route table against requests that mean ill. */
export async function fuzzService(
	seed: number,
	runs: number,
	progress: (result: FuzzResult) => void = () => undefined,
	inside = INSIDE,
): Promise<FuzzResult> {
	const result: FuzzResult = { runs: 0, inputs: 0, results: 0, messages: 0, crashes: 0, hangs: 0 };
	const faults: unknown[] = [];
	const begin = async () => await setUp((error) => faults.push(error));
	let target = await begin();
	for (const attempt of fc.sample(attempts, { numRuns: runs, seed })) {
		if (result.runs > 0 && result.runs % SET_UP_ANEW === 0) {
			await target.service.stop();
			target = await begin();
		}
		const reply = await exchange(target, attempt);
		result.runs++;
		result.inputs++;
		const fault = faults.splice(0).map(String).join(', ');
		const shown =
			reply !== undefined && (inside.test(reply.text) || reply.text.includes(target.service.secret));
		const crashed = fault !== '' || shown || reply?.status === 500;
		if (reply === undefined) result.hangs++;
		else if (crashed) result.crashes++;
		else result[reply.status < 400 ? 'results' : 'messages']++;
		if (crashed || reply === undefined) {
			const { method, path } = allRoutes[attempt.route] ?? {};
			result.counterexample ??= JSON.stringify({ method, path, fault, reply, attempt }).slice(0, 4000);
		}
		progress(result);
	}
	await target.service.stop();
	return result;
}
