import { createClient } from '../../../../client';
import type { Transport, TransportRequest } from '../../../../client/http/transport';
import { inputsOf } from '../../../../client/resources/forms';
import { PublicRows } from '../../../../client/resources/publicRows';
import { shareSchema } from '../../../../client/resources/shares';

/** Returns a client of a service with responses by method and path, and the requests sent. */
function clientOf(responses: Readonly<Record<string, object | undefined>>) {
	const sent: string[] = [];
	const transport: Transport = {
		send: ({ method, url }: TransportRequest) => {
			const { pathname } = new URL(url);
			sent.push(`${method} ${pathname}`);
			const found = responses[`${method} ${pathname}`];
			const status = found === undefined ? 404 : Object.keys(found).length === 0 ? 204 : 200;
			return Promise.resolve({
				status,
				headers: {},
				body: status === 204 ? '' : JSON.stringify(found ?? {}),
			});
		},
		sleep: () => Promise.resolve(),
		now: () => 0,
	};
	return { client: createClient({ transport, baseUrl: 'https://grids.example' }), sent };
}

const GRID = '/api/users/u1/spaces/s1/grids/g1';
const SERVICE = {
	'GET /api/users/me': { id: 'u1' },
	[`GET ${GRID}`]: { id: 'g1', name: 'G', fields: [], _links: { update: { href: GRID, method: 'patch' } } },
	[`PATCH ${GRID}`]: { id: 'g1' },
};
const REFERENCE = { spaceId: 's1', gridId: 'g1' };

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
	const { client } = clientOf({ ...SERVICE, [`GET ${path}`]: { items: events, page: 1, size: 3, numberOfPages: 1, numberOfItems: 3, pageSize: 1000 } }); // prettier-ignore
	const { items } = await client.history.of(await client.grids.open(REFERENCE), 'e1');
	expect(items.map(({ entityId, kind, raw }) => [entityId, kind, raw])).toEqual([
		['e1', 'updated', events[0]],
		['e1', 'deleted', events[1]],
		['e1', 'deleted', events[2]],
	]);
});

test('a feed without content is an error, not the end of the feed', async () => {
	const { client } = clientOf({ ...SERVICE, [`GET ${GRID}/updates`]: {} });
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

test.each(['update', 'edit'])(
	'writes the row of an edit link to the address of its link "%s"',
	async (rel) => {
		const link = '/api/r/u1/l1';
		const row = { _id: 'e1', _links: { [rel]: { href: `${link}/row`, method: 'put' } } };
		const { client, sent } = clientOf({
			[`GET ${link}`]: row,
			[`PUT ${link}/row`]: { _id: 'e1', f1: 'new' },
		});
		const rows = new PublicRows(client.session, link, 'none');
		expect(await rows.update({ f1: 'new' }, 'field')).toMatchObject({ f1: 'new' });
		expect(sent).toEqual([`GET ${link}`, `PUT ${link}/row`]);
	},
);
