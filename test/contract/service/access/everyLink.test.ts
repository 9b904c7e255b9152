import { roles } from '../../../../service/rules/access';
import { crawl } from './crawler';
import { type Caller, id, makeGrid, objects, type Json, byKey, last } from '../http';
import { startWithPeople } from '../people';

let people: Awaited<ReturnType<typeof startWithPeople>>;
let owner: Caller;
beforeEach(async () => {
	people = await startWithPeople();
	owner = people.owner;
});
afterEach(() => people.end());

let made = 0;

/**
 * Makes a space with one resource of each kind, and rows whose links may be dead:
 * a deleted row, and rows outside a view.
 */
async function makeWorld() {
	const text = { name: 'string' };
	const { space, grid, ids } = await makeGrid(owner, { a: text, n: { name: 'integer' }, hidden: text }, `World ${++made}`); // prettier-ignore
	const rows = [];
	for (const fields of [['in', 1, 'x'], ['out', 2, 'y'], ['in', 1, 'z'], ['gone', 1, 'x']]) rows.push(await owner.create(`${grid}/entities`, { fields })); // prettier-ignore
	const [inside = '', , changed = '', gone = ''] = rows;
	const n = id(ids, 'n');
	const cut = { fields: [id(ids, 'a'), n], filter: { [n]: { $eq: 1 } } };
	const view = await owner.create(`${grid}/virtualgrids`, { name: 'View', ...cut });
	const other = await owner.create(`${grid}/virtualgrids`, {
		name: 'Other',
		...cut,
		filter: { [n]: { $eq: 2 } },
	});
	await owner.put(changed, { n: 2 }, byKey);
	await owner.delete(gone);
	const sview = await owner.create(`${view}/sviews`, { type: 'kanban' });
	await owner.create(`${grid}/sviews`, { type: 'list' });
	await owner.create(`${space}/invite`, { email: 'nobody@example.com', role: 'reader' });
	await owner.create(`${sview}/shares`, { email: 'nobody@example.com', role: 'reader' });
	const link = (body: Json, on = view) => owner.create(`${on}/links`, body);
	const links = {
		form: await link({ kind: 'form' }),
		formOfGrid: await link({ kind: 'form' }, grid),
		view: await link({ kind: 'view' }),
		edit: await link({ kind: 'edit', entityId: last(inside) }),
	};
	return { space, grid, view, other, sview, ids, links, rows, gone };
}
type World = Awaited<ReturnType<typeof makeWorld>>;

/** A caller with a role, and the addresses to start from. */
interface Person {
	readonly caller: (world: World) => Promise<{ caller: Caller; keep?: string[] }>;
	readonly starts: (world: World, caller: Caller) => string[];
}

const sharedWith = async (address: string, role: string) => {
	const name = `person-${++made}`;
	const { email } = people.person(name);
	const share = await owner.create(`${address}/shares`, { email, role });
	// A bearer token, because the crawler deletes every access key.
	return { caller: await people.bearer(name), keep: [last(share)] };
};
const home = (caller: Caller) => `/api/users/${caller.userId}`;
const persons: Record<string, Person> = {
	'the owner': {
		caller: async () => ({ caller: await people.bearer() }),
		starts: ({ space, other, view, gone }, caller) => [
			home(caller),
			space,
			`${other}/entities?viewId=${last(view)}`,
			`${view}/query?viewId=${last(other)}`,
			`${gone}/events`,
		],
	},
	'a reader key': {
		caller: () => owner.newKey('reader'),
		starts: ({ space }, caller) => [home(caller), space],
	},
};
for (const role of roles) {
	persons[`a share of the space as ${role}`] = {
		caller: ({ space }) => sharedWith(space, role),
		starts: ({ space }, caller) => [
			home(caller),
			...(role === 'creator' ? [] : [space, space.replace(home(owner), home(caller))]),
		],
	};
	persons[`a share of a stateful view of a view as ${role}`] = {
		caller: ({ sview }) => sharedWith(sview, role),
		starts: ({ view, sview }) => (role === 'creator' ? ['/api/version'] : [view, sview]),
	};
}
persons['an anonymous user of public links'] = {
	caller: () => Promise.resolve({ caller: people.anonymous }),
	starts: ({ links }) => Object.values(links),
};

test.each(Object.entries(persons))(
	'every link of every response resolves for %s',
	async (name, { caller, starts }) => {
		const world = await makeWorld();
		const { caller: user, keep } = await caller(world);
		const begin = starts(world, user);
		const followed = await crawl(user, begin, keep);
		const dead = followed.filter(({ ok }) => !ok).map(({ from, link, status }) => `${status} ${link.method} ${link.href} (${link.rel} of ${from})`); // prettier-ignore
		expect([name, dead]).toEqual([name, []]);
		expect(followed.length).toBeGreaterThanOrEqual(begin.length);
	},
);

test.each(Object.entries(persons))('every Location resolves for %s', async (name, { caller }) => {
	const world = await makeWorld();
	const { space, grid, view, sview, ids, links } = world;
	const { caller: user } = await caller(world);
	const [a, n] = [id(ids, 'a'), id(ids, 'n')];
	const [form] = await owner.items(`${grid}/forms`);
	const formId = String(form?.['id']);
	const requests: Array<[path: string, body: Json]> = [
		[`${grid}/entities`, { fields: ['new', 1, null] }],
		[`${view}/entities`, { fields: ['inside', 1] }],
		[`${view}/entities`, { fields: ['outside', 3] }],
		[`${grid}/forms/${formId}`, { [a]: 'by form' }],
		[`${view}/forms/${formId}`, { [a]: 'outside', [n]: 3 }],
		[links.form, { [a]: 'anonymous' }],
		[links.formOfGrid, { [a]: 'anonymous', [n]: 3 }],
		[`${view}/ColumnAdd`, { name: 'By a view', type: { name: 'string' } }],
		[`${grid}/ColumnAdd`, { name: 'By the grid', type: { name: 'string' } }],
		[`${view}/virtualgrids`, { name: 'Of a view', fields: [a], filter: {} }],
		[`${view}/sviews`, { type: 'calendar' }],
		[`${sview}/shares`, { email: 'ann@example.com', role: 'reader' }],
		[`${space}/shares`, { email: 'bob@example.com', role: 'reader' }],
		[`${space}/invite`, { email: 'carl@example.com', role: 'reader' }],
		[`${space}/grids`, { name: 'New' }],
		[`${space}/uploadCSV`, { name: 'File', file: 'a\n1\n' }],
		[`${space}/copy`, { name: `Copy ${++made}` }],
		[`${home(user)}/spaces`, { name: `Space ${++made}` }],
		[`${home(user)}/accessKeys`, { name: 'Key', role: 'reader' }],
		[`${view}/links`, { kind: 'view' }],
		[`${grid}/links`, { kind: 'form' }],
	];
	let created = 0;
	for (const [path, body] of requests) {
		const reply = await user.post(path, body);
		if (reply.status !== 201) {
			expect([path, [400, 401, 403].includes(reply.status)]).toEqual([path, true]);
			continue;
		}
		created += 1;
		const { status } = await user.get(reply.headers.get('location') ?? '');
		// A creator may add rows but not read them (§5), so the Location responds with 403.
		const creator = name.endsWith('as creator') && status === 403;
		expect([name, path, status]).toEqual([name, path, creator ? 403 : 200]);
	}
	expect(created).toBeGreaterThan(0);
});

test('an update that removes an entity from the addressed view returns links that resolve, or none', async () => {
	const { view, rows, links, sview, ids } = await makeWorld();
	const inside = `${view}/entities/${last(rows[0] ?? '')}`;
	const out = { [id(ids, 'n')]: 5 };
	const anonymous = (await people.anonymous.put(links.edit, out)).json();
	expect(anonymous['_links']).toEqual({});
	await owner.put(rows[0] ?? '', { [id(ids, 'n')]: 1 });
	const { caller: writer } = await sharedWith(sview, 'writer');
	expect((await writer.put(inside, out)).json()['_links']).toEqual({});
	await owner.put(rows[0] ?? '', { [id(ids, 'n')]: 1 });
	const followed = await crawl(owner, [inside]);
	expect(followed.filter(({ ok }) => !ok)).toEqual([]);
});

test('the Location of a public form submission shows its receipt only, and only below its own link', async () => {
	const { grid, links, ids, rows } = await makeWorld();
	const { anonymous } = people;
	// Nobody has submitted anything yet.
	expect((await anonymous.get(`${links.formOfGrid}/entities/${'0'.repeat(32)}`)).status).toBe(404);
	const sent = await anonymous.post(links.formOfGrid, { [id(ids, 'a')]: 'secret' });
	const receipt = sent.headers.get('location') ?? '';
	const body = await anonymous.read(receipt);
	expect(body).toEqual({
		_id: last(receipt),
		_representation: 'summary',
		createdAt: expect.any(String) as unknown,
		_links: { self: { href: receipt, method: 'get' } },
	});
	expect((await anonymous.get(`${links.formOfGrid}/entities/${last(rows[0] ?? '')}`)).status).toBe(404);
	expect((await anonymous.get(`${links.form}/entities/${last(receipt)}`)).status).toBe(404);
	const page = await owner.read(`${grid}/entities`);
	const row = objects(page['items']).find((one) => one[id(ids, 'a')] === 'secret');
	// The ID of a row is counted, so it is no address of a receipt.
	const counted = await anonymous.get(`${links.formOfGrid}/entities/${String(row?.['_id'])}`);
	expect(counted.status).toBe(404);
	expect(receipt).not.toContain(String(row?.['_id']));
	await owner.delete(`${grid}/entities/${String(row?.['_id'])}`);
	expect((await anonymous.get(receipt)).status).toBe(404);
});

test('history and updates feed have the same events, without entity and links for a deleted row', async () => {
	const { grid, gone, rows } = await makeWorld();
	const feed = await owner.items(`${grid}/updates`, { since: '2020-01-01T00:00:00Z' });
	for (const row of rows) {
		const history = await owner.items(`${row}/events`);
		const same = feed.filter((event) => event['entityId'] === last(row)).reverse();
		expect(history).toEqual(same);
		for (const event of history) {
			expect(event['entity'] === undefined).toBe(row === gone);
			const restore =
				event['type'] === 'deleted' ? { restore: { href: `${row}/restore`, method: 'post' } } : {};
			expect(event['_links']).toEqual(row === gone ? restore : { entity: { href: row, method: 'get' } });
		}
	}
});
