import { z } from 'zod/v4';
import type { PassingResponse, Rule } from '../../../testbed/proxy/faultProxy';
import { SampleWorld } from '../../../testbed/world/sampleWorld';
import { caseOf, offered, withTitles } from '../cases';

/**
 * Every operation against services that answer differently where the specification is silent.
 * `npm run prove` draws these and more at random, and compares what the service then holds.
 */
let world: SampleWorld;

beforeAll(async () => {
	world = await SampleWorld.start();
});
afterAll(async () => {
	await world.stop();
});

type Json = z.core.util.JSONType;
type JsonObject = Record<string, Json>;
type Change = Partial<Pick<PassingResponse, 'status' | 'headers' | 'body'>>;

const isObject = (value: Json | undefined): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same value with each object in it changed, the innermost first. */
function eachIn(value: Json, change: (object: JsonObject) => Json): Json {
	if (Array.isArray(value)) return value.map((one) => eachIn(one, change));
	if (!isObject(value)) return value;
	const members = Object.entries(value).map(([name, member]): [string, Json] => [
		name,
		eachIn(member, change),
	]);
	return change(Object.fromEntries(members));
}

const responses =
	(response: (passing: PassingResponse) => Change): Rule =>
	() => ({ kind: 'change', response });

/** Changes each object in JSON bodies. */
const objects = (change: (object: JsonObject, response: PassingResponse) => Json): Rule =>
	responses((response) => {
		const { headers, body } = response;
		if (body === '' || !String(headers['content-type']).includes('json')) return {};
		const json = z.json().parse(JSON.parse(body));
		return { body: JSON.stringify(eachIn(json, (object) => change(object, response))) };
	});

/** Changes the successful responses to all methods but GET. */
const results = (change: (response: PassingResponse) => Change): Rule =>
	responses((response) => (response.method === 'GET' || response.status >= 300 ? {} : change(response)));

const isRow = (object: JsonObject) => object['_id'] !== undefined && object['_representation'] !== undefined;

/** Redirects requests below `/api/users` to another address. */
const moved =
	(status: number, isMoved: (method: string) => boolean): Rule =>
	({ method, path }) => {
		if (path.startsWith('/api/moved/'))
			return { kind: 'change', request: { path: path.replace('/api/moved/', '/api/users/') } };
		if (!isMoved(method) || !path.startsWith('/api/users/') || path.startsWith('/api/users/me'))
			return undefined;
		const location = path.replace('/api/users/', '/api/moved/');
		return { kind: 'response', status, headers: { location } };
	};

/** A path as a relative reference in a document at another path. */
function relativeTo(document: string, path: string): string {
	const from = document
		.replace(/[?#].*$/, '')
		.split('/')
		.slice(0, -1);
	const to = path.split('/');
	let shared = 0;
	while (shared < Math.min(from.length, to.length - 1) && from[shared] === to[shared]) shared++;
	const up = from.slice(shared).map(() => '..');
	return [...(up.length > 0 ? up : ['.']), ...to.slice(shared)].join('/');
}

const atLocation = (change: (location: string, response: PassingResponse) => string): Rule =>
	responses((response) => {
		const { location } = response.headers;
		return location === undefined
			? {}
			: { headers: { ...response.headers, location: change(location, response) } };
	});

const summaries = objects((object) => {
	const { items } = object;
	if (!Array.isArray(items)) return object;
	const short = (item: Json): Json =>
		isObject(item) && isRow(item) ? { ...item, _representation: 'summary', _links: {} } : item;
	return { ...object, items: items.map(short) };
});

const noMissingPages: Rule = ({ path }) =>
	/pageIndex=([2-9]|\d\d)/.test(path)
		? {
				kind: 'change',
				response: ({ body }) =>
					/"items":\[\]/.test(body) ? { status: 404, body: '{"message":"No such page"}' } : {},
			}
		: undefined;

const withoutBody = { status: 204, body: '', headers: {} };

const services: Record<string, readonly Rule[]> = {
	'redirects reads': [moved(307, (method) => method === 'GET')],
	'has addresses relative to the document': [
		objects((object, { path }) => {
			const { href } = object;
			const isPath = typeof href === 'string' && href.startsWith('/api/users');
			return isPath ? { ...object, href: relativeTo(path, href) } : object;
		}),
		atLocation((location, { path, status }) => (status === 302 ? location : relativeTo(path, location))),
	],
	'has absolute addresses with a fragment, and templates': [
		atLocation((location) => `${world.proxy.url}${location}#new`),
		objects((object) => {
			const { href } = object;
			const isPath = typeof href === 'string' && href.startsWith('/api/users') && !href.includes('?');
			return isPath ? { ...object, href: `${href}{?layout,version}`, templated: true } : object;
		}),
	],
	'lists summaries without links, and no page after the last': [summaries, noMissingPages],
	'answers writes without a body where none is shown': [
		results(({ method }) => (method === 'DELETE' || method === 'PUT' ? withoutBody : {})),
		responses(({ headers }) => ({ headers: { ...headers, 'set-cookie': ['a=1; Path=/', 'b=2'] } })),
	],
	'has other members and media types': [
		objects((object) => (isRow(object) ? { ...object, id: 42, __v: 3, createdBy: { id: 'u' } } : object)),
		objects((object) =>
			isObject(object['_links']) ? { ...object, icon: null, displayValue: null } : object,
		),
		responses(({ headers }) =>
			String(headers['content-type']).includes('json')
				? { headers: { ...headers, 'content-type': 'text/plain' } }
				: {},
		),
	],
};

describe.each(Object.entries(services))('a service that %s', (_service, rules) => {
	test.each(withTitles(offered))('%s', async (_title, operation) => {
		const { parameters, input, output } = caseOf(operation);
		world.listen();
		const given = await parameters(world);
		world.proxy.setRules(...rules);
		const { rows, error } = await world.run({ ...operation, parameters: given }, { input: input?.(world) });
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject(output);
	});
});
