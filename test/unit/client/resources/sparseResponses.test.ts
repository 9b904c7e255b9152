import { createClient } from '../../../../client';
import {
	Forbidden,
	LinkMissing,
	NotFound,
	OutcomeUnknown,
	ServiceUnavailable,
} from '../../../../client/errors';
import { Limiter } from '../../../../client/http/limiter';
import type { Transport, TransportRequest } from '../../../../client/http/transport';
import { entitySchema } from '../../../../client/resources/entityRows';
import { inputsOf } from '../../../../client/resources/forms';
import { readList } from '../../../../client/lists/readList';
import { PublicRows } from '../../../../client/resources/publicRows';
import { shareId, shareSchema } from '../../../../client/resources/shares';
import { spaceSchema } from '../../../../client/resources/spaces';
import { Summaries } from '../../../../client/resources/summaries';
import { VirtualTime } from '../../../simulation/virtualTime';

/**
 * Returns a client of a service with responses by method and path, and the requests sent.
 * @param responses a number is a status without a body
 */
function clientOf(responses: Readonly<Record<string, object | number | undefined>>) {
	const sent: string[] = [];
	const transport: Transport = {
		send: ({ method, url }: TransportRequest) => {
			const { pathname } = new URL(url);
			sent.push(`${method} ${pathname}`);
			const found = responses[`${method} ${pathname}`] ?? 404;
			const isStatus = typeof found === 'number';
			return Promise.resolve({
				status: isStatus ? found : 200,
				headers: {},
				body: isStatus ? '' : JSON.stringify(found),
			});
		},
		sleep: () => Promise.resolve(),
		now: () => 0,
	};
	return { client: createClient({ transport, baseUrl: 'https://grids.example' }), sent };
}

const GRID = '/api/users/u1/spaces/s1/grids/g1';
const USER = { 'GET /api/users/me': { id: 'u1' } };
const SERVICE = {
	...USER,
	[`GET ${GRID}`]: { id: 'g1', name: 'G', fields: [], _links: { update: { href: GRID, method: 'patch' } } },
	[`PATCH ${GRID}`]: { id: 'g1' },
};
const REFERENCE = { spaceId: 's1', gridId: 'g1' };
const COUNTS = { page: 1, size: 1, numberOfPages: 1, numberOfItems: 1, pageSize: 300 };
const pageOf = (items: object[]) => ({ ...COUNTS, items, size: items.length, numberOfItems: items.length });

test('reads a changed grid again', async () => {
	const { client, sent } = clientOf(SERVICE);
	const grid = await client.grids.open(REFERENCE);
	await client.grids.open(REFERENCE);
	await client.grids.update(grid, { name: 'New' });
	await client.grids.open(REFERENCE);
	expect(sent.filter((request) => request === `GET ${GRID}`)).toHaveLength(2);
});

test('reads a grid again only after a change that the service has accepted', async () => {
	const { client, sent } = clientOf({ ...SERVICE, [`PATCH ${GRID}`]: undefined });
	const grid = await client.grids.open(REFERENCE);
	await expect(client.grids.update(grid, { name: 'New' })).rejects.toMatchObject({ name: 'NotFound' });
	expect(await client.grids.open(REFERENCE)).toBe(grid);
	expect(sent.filter((request) => request === `GET ${GRID}`)).toHaveLength(1);
});

test('concurrent calls request the current user once', async () => {
	const { client, sent } = clientOf(SERVICE);
	const { currentUser } = client.session;
	await Promise.all([currentUser.me(), currentUser.me(), currentUser.id()]);
	expect(sent).toEqual(['GET /api/users/me']);
});

test('an event in the history of a row concerns that row, whatever it names', async () => {
	const events = [
		{ type: 'moved' },
		{ entityId: null, type: 'deleted' },
		{ entityId: 'other', type: 'deleted' },
	];
	const path = `${GRID}/entities/e1/events`;
	const { client } = clientOf({ ...SERVICE, [`GET ${path}`]: pageOf(events) });
	const { items } = await client.history.of(await client.grids.open(REFERENCE), 'e1');
	expect(items.map(({ entityId, kind, raw }) => [entityId, kind, raw])).toEqual([
		['e1', 'updated', events[0]],
		['e1', 'deleted', events[1]],
		['e1', 'deleted', events[2]],
	]);
});

test('a feed without content is an error, not the end of the feed', async () => {
	const { client } = clientOf({ ...SERVICE, [`GET ${GRID}/updates`]: 204 });
	const page = client.updates.page(`${GRID}/updates`, { since: 0, pageIndex: 1, pageSize: 10 });
	await expect(page).rejects.toThrow('is not an object with "items" (§2.2). It began with: (an empty body)');
});

test('an input nested in another one is not an input of the form', () => {
	const part = { metaType: 'nestedFormInput', type: 'textInput', formKey: 'line1' };
	const address = { metaType: 'formInput', type: 'address', formKey: 'f1', children: [part] };
	expect(inputsOf({ children: [part, address] }).map(({ fieldId }) => fieldId)).toEqual(['f1']);
});

test.each([
	[10, ['f1']],
	[11, []],
])('an input in %d lists of blocks, nested in each other, is found up to a limit', (lists, found) => {
	let part: object = { metaType: 'formInput', type: 'textInput', formKey: 'f1' };
	for (let list = 0; list < lists; list++) part = { children: [part] };
	expect(inputsOf(part).map(({ fieldId }) => fieldId)).toEqual(found);
});

test('a share in full without a link for its removal is not read again', async () => {
	const self = '/api/users/u1/spaces/s1/shares/h1';
	const { client, sent } = clientOf({ [`GET ${self}`]: { id: 'h1' } });
	const share = { id: 'h1', _links: { self: { href: self, method: 'get' } } };
	const NOT_OFFERED = { name: 'NotOffered' };
	await expect(client.shares.remove(shareSchema.parse(share))).rejects.toMatchObject(NOT_OFFERED);
	expect(sent).toEqual([`GET ${self}`]);
	const full = shareSchema.parse({ ...share, _representation: 'full' });
	await expect(client.shares.remove(full)).rejects.toMatchObject(NOT_OFFERED);
	expect(sent).toHaveLength(1);
});

describe.each(['update', 'edit'])('the row of an edit link with the link "%s"', (rel) => {
	const link = '/api/r/u1/l1';
	const written = `PUT ${link}/row`;
	const rowsOf = (answer: object | number) => {
		const row = { _id: 'e1', f1: 'old', _links: { [rel]: { href: `${link}/row`, method: 'put' } } };
		const { client, sent } = clientOf({ [`GET ${link}`]: row, [written]: answer });
		return { rows: new PublicRows(client.session, link, 'none'), sent };
	};

	test.each<[object | number, string, string[]]>([
		[{ _id: 'e1', f1: 'new' }, 'new', []],
		[204, 'old', [`GET ${link}`]],
	])('is written to its address; after the answer %j it is as %s', async (answer, f1, more) => {
		const { rows, sent } = rowsOf(answer);
		expect(await rows.update({ f1: 'new' }, 'field')).toMatchObject({ f1 });
		expect(sent).toEqual([`GET ${link}`, written, ...more]);
	});

	test('is perhaps written if the service has only accepted it', async () => {
		const update = rowsOf(202).rows.update({ f1: 'new' }, 'field');
		await expect(update).rejects.toBeInstanceOf(OutcomeUnknown);
	});
});

describe('an id that a list does not contain (§2.8)', () => {
	const linked = (path: string) => ({ _links: { self: { href: `${path}?x=1`, method: 'get' } } });

	test.each([
		[{ id: 'h1', ...linked('/api/users/u1/spaces/s1/shares/h2'), email: 'a@b.example' }, 'h1'],
		[{ ...linked('/api/users/u1/spaces/s1/shares/h2'), email: 'a@b.example' }, 'h2'],
		[{ emails: ['a@b.example', 'c@d.example'] }, 'a@b.example'],
		[{ email: 'c@d.example', emails: ['a@b.example'] }, 'c@d.example'],
		[{ ...linked('/api/users/u1'), role: 'reader' }, undefined],
	])('the share %j is %s', (share, id) => {
		expect(shareId(shareSchema.parse(share))).toBe(id);
	});

	test.each([
		[{ key: 'k', id: 'k1', ...linked('/api/users/u1/accessKeys/k2') }, 'k1'],
		[{ key: 'k', ...linked('/api/users/u1/accessKeys/k2') }, 'k2'],
		[{ key: 'k', ...linked('/api/keys') }, 'k'],
		[{ key: 'k' }, 'k'],
	])('the access key %j is %s', async (key, id) => {
		const { client } = clientOf({ ...SERVICE, 'GET /api/users/u1/accessKeys': pageOf([key]) });
		expect((await readList(client.accessKeys.list())).items).toMatchObject([{ id }]);
	});

	test('shares without an id are one share only if they are equal', async () => {
		const space = '/api/users/u1/spaces/s1';
		const [one, other] = [{ role: 'reader' }, { role: 'writer' }];
		const { client } = clientOf({
			[`GET ${space}/shares`]: pageOf([one, other, { ...other, ...linked('/api/users/u2') }]),
		});
		const _links = { shares: { href: `${space}/shares`, method: 'get' } };
		const shares = client.shares.list(spaceSchema.parse({ id: 's1', name: 'S', _links }));
		expect((await readList(shares)).items).toHaveLength(3);
	});
});

test.each([
	[{}, {}],
	[{ textInput: 'a text' }, {}],
	[{ textInput: { required: true, readonly: 1 } }, { required: true }],
	[{ textInput: { required: 1, readonly: true } }, { readonly: true }],
])('an input with the members %j is neither required nor read-only, except: %j', (members, read) => {
	const [input] = inputsOf({ type: 'textInput', formKey: 'f1', ...members });
	expect(input).toMatchObject({ fieldId: 'f1', label: 'f1', required: false, readonly: false, ...read });
});

test.each([
	[{ items: [7], ...COUNTS }, 'item 1: expected an object'],
	[{ items: [{ _id: 7 }], ...COUNTS }, '"_id" of item 1: expected a text'],
	[{ items: [{ _id: 'e1', _representation: 7 }], ...COUNTS }, '"_representation" of item 1: expected a text'],
])('rows in %j are refused: %s', async (page, problem) => {
	const entities = { href: `${GRID}/entities`, method: 'get' };
	const { client } = clientOf({
		[`GET ${GRID}`]: { id: 'g1', name: 'G', _links: { entities } },
		[`GET ${GRID}/entities`]: page,
		...USER,
	});
	const grid = await client.grids.open(REFERENCE);
	await expect(client.entities.many(grid, {})).rejects.toThrow(problem);
});

test('the schema of a grid without fields is refused', async () => {
	const { client } = clientOf({
		...USER,
		[`GET ${GRID}`]: { id: 'g1', name: 'G', _links: { schema: { href: `${GRID}/schema`, method: 'get' } } },
		[`GET ${GRID}/schema`]: { properties: 7 },
	});
	const grid = await client.grids.open(REFERENCE);
	await expect(client.fields.of(grid)).rejects.toThrow('expected the properties of entities by field id');
});

describe('a list of summaries in a grid whose columns cannot be read', () => {
	const rows = [entitySchema.parse({ _id: 'e1', _representation: 'summary' })];
	const summaries = (error: Error) =>
		new Summaries(new Limiter(new VirtualTime()), {
			columns: () => Promise.reject(error),
			open: () => Promise.reject(new Error('No row is read')),
		});
	const grid = async () => await clientOf(SERVICE).client.grids.open(REFERENCE);

	test.each([
		new LinkMissing({ action: 'read', rel: 'schema', available: [], role: 'reader' }),
		new Forbidden({ status: 403 }),
		new NotFound({ status: 404 }),
	])('is as it is after %p', async (error) => {
		expect(await summaries(error).completed(await grid(), rows)).toEqual(rows);
	});

	test('fails with any other error', async () => {
		const failure = new ServiceUnavailable({ status: 503 });
		await expect(summaries(failure).completed(await grid(), rows)).rejects.toBe(failure);
	});
});
