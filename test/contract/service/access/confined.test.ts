import { allRoutes } from '../../../../service/routes/all';
import type { Caller, Json, Reply } from '../http';
import { href, id, makeGrid, objects, rels, version2, last, byKey } from '../http';
import { testPeople } from '../people';

/**
 * A person without a role in the space who has a share of a stateful view of a virtual grid sees
 * only what that virtual grid shows: on every route, with every parameter. Hidden names contain
 * CANARY; `hidden` also lists the IDs of fields, rows and views that no response may contain.
 */
const context = testPeople();
const { owner, anonymous } = context;
let grid: string;
let space: string;
let view: string;
let sview: string;
let otherSview: string;
let ids: Record<string, string>;
const rows: Record<string, string> = {};
const guests: Record<string, { caller: Caller; userId: string; email: string }> = {};
const hidden: string[] = [];

beforeAll(async () => {
	const columns = {
		title: { name: 'string' },
		canary_rank: { name: 'integer' },
		canary_status: { name: 'string' },
		made: { name: 'createdat' },
	};
	({ space, grid, ids } = await makeGrid(owner, columns, 'CANARY grid'));
	const row = (title: string, rank: number, status: string) =>
		owner.create(`${grid}/entities`, { fields: [title, rank, status, null] });
	rows['one'] = await row('one', 2, 'open');
	rows['two'] = await row('two', 1, 'open');
	rows['draft'] = await row('CANARY draft', 3, 'CANARY closed');
	// Enters the view only with its last update, after its title has changed.
	rows['published'] = await row('CANARY first words', 4, 'CANARY closed');
	await owner.put(rows['published'], { title: 'published' }, byKey);
	await owner.put(rows['published'], { canary_status: 'open' }, byKey);
	view = await owner.view(
		grid,
		[ids['title']],
		{ [id(ids, 'canary_status')]: { $eq: 'open' } },
		{ name: 'Open' },
	);
	const other = await owner.view(grid, [ids['canary_rank']], {}, { name: 'CANARY view' });
	sview = await owner.create(`${view}/sviews`, { type: 'kanban', properties: { colour: 'blue' } });
	otherSview = await owner.create(`${view}/sviews`, { type: 'CANARY calendar' });
	await owner.create(`${grid}/sviews`, { type: 'CANARY of the grid' });
	for (const role of ['reader', 'writer', 'creator', 'admin']) {
		const guest = context.person(role);
		guests[role] = guest;
		await owner.create(`${sview}/shares`, { email: guest.email, role });
	}
	hidden.push(
		'CANARY',
		'canary',
		id(ids, 'canary_rank'),
		id(ids, 'canary_status'),
		last(rows['draft']),
		last(other),
		last(otherSview),
	);
});

function guest(role: string) {
	const found = guests[role];
	if (!found) throw new Error(`No guest has the role ${role}`);
	return found;
}
const shownIn = (text: string) => hidden.filter((canary) => text.includes(canary));
const path = (name: string) => rows[name] ?? '';

/** Queries that ask for more than the view shows. */
const queries = (): Array<Record<string, string>> => {
	const rank = id(ids, 'canary_rank');
	const status = id(ids, 'canary_status');
	return [
		{},
		{ since: '2020-01-01T00:00:00Z' },
		{ compose: 'false', filter: '{}' },
		{ compose: 'false', filter: JSON.stringify({ [id(ids, 'title')]: { $ne: '' } }), layout: 'key' },
		{ filter: JSON.stringify({ [rank]: { $gt: 0 } }) },
		{ sorting: JSON.stringify({ [rank]: { $order: 'ascending' } }) },
		{ viewId: last(grid) },
		{ viewId: last(view) },
		{ viewId: hidden.at(-2) ?? '' },
		{ matching: 'CANARY', nested: 'true' },
		{ matching: status, viewId: hidden.at(-2) ?? '' },
	];
};
const bodies = (): Json[] => [
	{},
	{ [id(ids, 'canary_rank')]: 1 },
	{ fields: ['by indexed'] },
	{ name: 'Renamed', fields: [id(ids, 'canary_rank'), id(ids, 'title')], filter: {} },
	{ oldName: 'CANARY_RANK', newName: 'X' },
	{ fieldId: id(ids, 'canary_rank'), type: { name: 'string' }, key: 'x' },
	{ kind: 'edit', entityId: last(path('draft')) },
	{ email: 'x@example.com', role: 'admin' },
];
/** Hidden names in a response, except those that the request itself contained. */
const leaks = (text: string, sent: string) => shownIn(text).filter((canary) => !sent.includes(canary));

const gridRoutes = allRoutes.filter(({ path: address }) => address.includes('/grids/:gridId'));
const table = gridRoutes.map(
	(route) => [`${route.method} ${route.path.split(':gridId')[1] ?? ''}`, route] as const,
);

test('more than 35 routes of a grid are tried', () => {
	expect(table.length).toBeGreaterThan(35);
});

test.each(table)(
	'a share of a stateful view: %s shows nothing that the view hides, and is refused on the grid',
	async (_name, route) => {
		const fill = (gridPath: string, entity: string, ofSview: string) =>
			route.path
				.replace('/api/users/:userId/spaces/:spaceId/grids/:gridId', gridPath)
				.replace(':entityId', entity)
				.replace(':sview', last(ofSview))
				.replace(':fieldId', id(ids, 'canary_rank'))
				.replace(/:\w+/g, 'unknown');
		// Only bodies with values have a layout.
		const layouts = /entities|forms/.test(route.path) ? [{}, byKey] : [{}];
		for (const role of route.method === 'GET' ? ['reader', 'creator'] : ['writer', 'admin']) {
			const { caller } = guest(role);
			for (const body of route.method === 'GET' ? [{}] : bodies()) {
				for (const query of route.method === 'GET' ? queries() : layouts) {
					const sending = { query, headers: version2, ...(route.method === 'GET' ? {} : { body }) };
					const targets = [
						[fill(view, last(path('draft')), otherSview), [400, 403, 404]],
						[fill(view, last(path('one')), sview), [200, 201, 400, 403, 404]],
					] as const;
					for (const [address, allowed] of targets) {
						// Later requests need the visible row and view.
						if (route.method === 'DELETE' && address.includes(last(path('one')))) continue;
						const reply = await caller.send(route.method, address, sending);
						const inner =
							route.path.includes(':entityId') || route.path.includes(':sview') ? allowed : targets[1][1];
						expect([inner, address]).toEqual([expect.arrayContaining([reply.status]), address]);
						expect([
							role,
							address,
							query,
							leaks(reply.text, `${address}${JSON.stringify([query, body])}`),
						]).toEqual([role, address, query, []]);
					}
					const below = await caller.send(route.method, fill(grid, last(path('one')), sview), sending);
					expect([role, below.status]).toEqual([role, 403]);
				}
			}
			if (route.role === 'admin') {
				const address = fill(view, last(path('one')), sview);
				expect([
					role,
					(await caller.send(route.method, address, route.method === 'GET' ? {} : { body: bodies()[3] }))
						.status,
				]).toEqual([role, 403]);
			}
		}
	},
);

test('a share of a stateful view: the content of the view can be read, searched, exported and polled', async () => {
	const { caller } = guest('reader');
	const titles = async (address: string, query: Record<string, string> = {}) =>
		(await caller.items(address, { ...byKey, ...query })).map((row) => row['title']);
	const all = ['one', 'two', 'published'];
	expect(await titles(`${view}/entities`)).toEqual(expect.arrayContaining(all));
	expect(await titles(`${view}/entities`, { viewId: last(view) })).toEqual(await titles(`${view}/entities`));
	const byTitle = { sorting: JSON.stringify({ [id(ids, 'title')]: { $order: 'descending' } }) };
	expect((await titles(`${view}/entities`, byTitle)).filter((title) => all.includes(String(title)))).toEqual([
		'two',
		'published',
		'one',
	]);
	// Filters and sorting by hidden columns would reveal the values of their cells.
	for (const name of ['canary_rank', 'canary_status'])
		for (const query of [
			{ sorting: JSON.stringify({ [id(ids, name)]: { $order: 'ascending' } }) },
			{ filter: JSON.stringify({ [id(ids, name)]: { $empty: false } }) },
			{ filter: JSON.stringify({ $not: { $or: [{ [id(ids, name)]: { $eq: null } }] } }) },
		])
			for (const compose of ['true', 'false'])
				expect((await caller.get(`${view}/entities`, { ...query, compose })).status).toBe(400);
	expect(await titles(`${view}/query`, { matching: 'publ' })).toEqual(['published']);
	for (const matching of ['open', '4', 'CANARY'])
		expect(await titles(`${view}/query`, { matching })).toEqual([]);
	expect((await caller.get(`${view}/csv`)).text).toContain('published');
	expect(await caller.read(view, undefined, version2)).toMatchObject({
		name: 'Open',
		fields: [{ id: ids['title'] }],
	});
	const shared = await caller.items(`${view}/sviews`, { nested: 'true' });
	expect(shared).toMatchObject([{ id: last(sview), properties: { colour: 'blue' } }]);
	expect((await caller.get(sview)).status).toBe(200);
	expect((await caller.get(otherSview)).status).toBe(403);
	const inputs = (await caller.items(`${view}/forms`)).map((form) => href(form, 'self'));
	expect(objects((await caller.read(inputs[0] ?? ''))['inputs']).map((input) => input['formKey'])).toEqual([
		ids['title'],
	]);
});

test('a share of a stateful view: a guest’s own key as reader reads, and writes nothing', async () => {
	for (const role of ['reader', 'writer', 'creator', 'admin']) {
		const { caller } = await guest(role).caller.newKey('reader');
		const one = path('one');
		const allowed = role === 'creator' ? 403 : 200;
		for (const address of ['', '/entities', '/csv', '/updates?since=2020-01-01T00:00:00Z'])
			expect([role, address, (await caller.get(`${view}${address}`)).status]).toEqual([
				role,
				address,
				allowed,
			]);
		const entity = `${view}/entities/${last(one)}`;
		const writes = [
			['POST', `${view}/entities`],
			['PUT', entity],
			['POST', `${entity}/update`],
			['DELETE', entity],
		] as const;
		for (const [method, address] of writes) {
			const { status } = await caller.send(method, address, { body: { title: 'changed' }, query: byKey });
			expect([role, method, status]).toEqual([role, method, 403]);
		}
	}
});

test('a share of a stateful view: the feed has only changes within the view, without old values', async () => {
	const { caller } = guest('reader');
	const feed = async () =>
		await caller.items(`${view}/updates`, { since: '2020-01-01T00:00:00Z', pageSize: '1000' });
	const of = async (name: string) =>
		(await feed())
			.filter((event) => event['entityId'] === last(path(name)))
			.map((event) => [event['type'], event['entity'], event['changes']]);
	const now = { [id(ids, 'title')]: 'published' };
	expect(await of('published')).toEqual([
		['created', now, []],
		['updated', now, []],
		['updated', now, []],
	]);
	expect(await of('draft')).toEqual([]);
	const history = await caller.items(`${view}/entities/${last(path('published'))}/events`);
	expect(history.map((event) => [event['type'], event['changes']])).toEqual([
		['updated', []],
		['updated', []],
		['created', []],
	]);
	expect((await caller.get(`${view}/entities/${last(path('draft'))}/events`)).status).toBe(404);
	// A deletion is reported if the row was within the view.
	rows['gone'] = await owner.create(`${grid}/entities`, { fields: ['gone', 5, 'open', null] });
	rows['goneDraft'] = await owner.create(`${grid}/entities`, {
		fields: ['CANARY', 5, 'CANARY closed', null],
	});
	await owner.delete(rows['gone']);
	await owner.delete(rows['goneDraft']);
	expect((await of('gone')).map(([type]) => type)).toEqual(['created', 'deleted']);
	expect(await of('goneDraft')).toEqual([]);
	// The pages add up to the whole feed.
	const whole = (await feed()).map((event) => event['id']);
	const pages: unknown[] = [];
	for (let page = 1; page <= Math.ceil(whole.length / 2); page++) {
		const query = { since: '2020-01-01T00:00:00Z', pageSize: '2', pageIndex: String(page) };
		const reply = await caller.read(`${view}/updates`, query);
		expect(reply['numberOfItems']).toBe(whole.length);
		pages.push(...objects(reply['items']).map((event) => event['id']));
	}
	expect(pages).toEqual(whole);
	// A view without a filter shows the changes of its columns.
	const columns = await owner.view(grid, [ids['title']], {}, { name: 'Titles' });
	const shared = await owner.create(`${columns}/sviews`, { type: 'list' });
	await owner.create(`${shared}/shares`, { email: guest('reader').email, role: 'reader' });
	const row = await owner.create(`${grid}/entities`, { fields: ['before', 7, 'open', null] });
	await owner.put(row, { canary_rank: 8 }, byKey);
	await owner.put(row, { title: 'after', canary_rank: 9 }, byKey);
	const rowHistory = await caller.items(`${columns}/entities/${last(row)}/events`);
	const change = (oldValue: unknown, newValue: unknown) => ({ fieldId: ids['title'], oldValue, newValue });
	expect(rowHistory.map((event) => event['changes'])).toEqual([
		[change('before', 'after')],
		[change(null, 'before')],
	]);
});

test('a share of a stateful view as writer: rows can be updated and created within the view', async () => {
	const { caller } = guest('writer');
	const inView = (name: string) => `${view}/entities/${last(path(name))}`;
	expect((await caller.put(inView('one'), { title: 'one' }, byKey)).status).toBe(200);
	expect((await caller.put(inView('one'), { canary_rank: 9 }, byKey)).status).toBe(400);
	for (const method of ['PUT', 'DELETE', 'GET'])
		expect((await caller.send(method, inView('draft'), method === 'PUT' ? { body: {} } : {})).status).toBe(
			404,
		);
	// The new row gets the value that the filter demands.
	const made = await caller.create(`${view}/entities`, { title: 'new' }, byKey);
	expect(await owner.read(`${grid}/entities/${last(made)}`, byKey)).toMatchObject({
		title: 'new',
		canary_status: 'open',
	});
	expect(await caller.read(made, byKey)).toMatchObject({ title: 'new' });
	const ranked = await owner.view(grid, [ids['title']], { [id(ids, 'canary_rank')]: { $gt: 1 } });
	const shared = await owner.create(`${ranked}/sviews`, { type: 'list' });
	await owner.create(`${shared}/shares`, { email: guest('writer').email, role: 'writer' });
	const before = (await owner.read(`${grid}/entities`))['numberOfItems'];
	expect((await caller.post(`${ranked}/entities`, { title: 'outside' }, byKey)).status).toBe(400);
	expect((await owner.read(`${grid}/entities`))['numberOfItems']).toBe(before);
});

test('lists of views and stateful views have the links of the role on each of them', async () => {
	const { caller, email } = context.person('several');
	const roles = { writer: 'addEntity', reader: 'entities', creator: 'addEntity' };
	const views: Record<string, string> = {};
	for (const role of Object.keys(roles)) {
		const shown = { name: `For a ${role}`, fields: [ids['title']], filter: {} };
		const one = await owner.create(`${grid}/virtualgrids`, shown);
		const shared = await owner.create(`${one}/sviews`, { type: role });
		await owner.create(`${shared}/shares`, { email, role });
		views[role] = one;
	}
	const listed = await caller.items(`${views['writer']}/virtualgrids`);
	expect(listed.map((one) => one['id'])).toEqual([last(views['writer'] ?? ''), last(views['reader'] ?? '')]);
	for (const one of listed) expect(rels(one)).toEqual(rels(await caller.read(href(one, 'self'))));
	const whole = await owner.create(`${grid}/sviews`, { type: 'whole' });
	await owner.create(`${whole}/shares`, { email, role: 'reader' });
	const nested = await caller.items(`${grid}/sviews`, { nested: 'true' });
	expect(nested.map((one) => one['type'])).toEqual(['writer', 'reader', 'whole']);
	for (const one of nested) expect((await caller.get(href(one, 'self'))).status).toBe(200);
});

test('a share of a stateful view of a grid grants access to that grid, and to its views only if they are shared', async () => {
	const person = context.person('whole');
	const shared = await owner.create(`${grid}/sviews`, { type: 'list' });
	await owner.create(`${shared}/shares`, { email: person.email, role: 'reader' });
	expect((await person.caller.items(`${grid}/entities`)).length).toBeGreaterThan(3);
	expect(await person.caller.items(`${grid}/virtualgrids`)).toEqual([]);
	expect((await person.caller.get(`${grid}/entities`, { viewId: last(view) })).status).toBe(404);
	for (const refused of [view, space]) expect((await person.caller.get(refused)).status).toBe(403);
	await owner.create(`${sview}/shares`, { email: person.email, role: 'reader' });
	expect((await person.caller.items(`${grid}/virtualgrids`)).map((one) => one['id'])).toEqual([last(view)]);
});

test('an admin lists, reads and revokes a share of a stateful view at its Location', async () => {
	const person = context.person('former');
	const share = await owner.create(`${sview}/shares`, { email: person.email, role: 'reader' });
	expect((await person.caller.get(view)).status).toBe(200);
	const listed = (await owner.items(`${sview}/shares`)).find((one) => one['id'] === last(share));
	expect(href(listed ?? {}, 'self')).toBe(share);
	expect(await owner.read(share)).toMatchObject({
		role: 'reader',
		emails: [person.email],
		users: [person.userId],
	});
	expect((await person.caller.delete(share)).status).toBe(403);
	expect((await owner.delete(share.replace(last(sview), last(otherSview)))).status).toBe(404);
	expect((await owner.delete(href(listed ?? {}, 'remove'))).status).toBe(200);
	expect((await person.caller.get(view)).status).toBe(403);
	expect((await owner.get(share)).status).toBe(404);
});

/** A response without its links, which differ between a grid and a public link. */
const valuesIn = (reply: Reply): unknown =>
	JSON.parse(reply.text, (name, value: unknown) => (name === '_links' ? undefined : value));

test('public view, form and edit links obey the columns and the filter of the view', async () => {
	const shared = await owner.create(`${view}/links`, { kind: 'view' });
	for (const query of [...queries(), byKey]) {
		const reply = await anonymous.get(`${shared}/entities`, query);
		const asGuest = await guest('reader').caller.get(`${view}/entities`, query);
		expect([query, reply.status, valuesIn(reply)]).toEqual([query, asGuest.status, valuesIn(asGuest)]);
		expect(leaks(reply.text, JSON.stringify(query))).toEqual([]);
		expect(leaks((await anonymous.get(shared, query)).text, JSON.stringify(query))).toEqual([]);
	}
	const form = await owner.create(`${view}/links`, { kind: 'form' });
	expect(objects((await anonymous.read(form))['inputs']).map((input) => input['formKey'])).toEqual([
		ids['title'],
	]);
	const refused = await anonymous.post(form, { [id(ids, 'canary_rank')]: 1 });
	expect([refused.status, leaks(refused.text, id(ids, 'canary_rank'))]).toEqual([400, []]);
	expect((await anonymous.post(form, { [id(ids, 'title')]: 'by form' })).status).toBe(201);
	const made = (await owner.items(`${grid}/entities`, { ...byKey, pageSize: '1000' })).find(
		(row) => row['title'] === 'by form',
	);
	expect(made).toMatchObject({ canary_status: 'open', canary_rank: null });
	expect((await owner.post(`${view}/links`, { kind: 'edit', entityId: last(path('draft')) })).status).toBe(
		404,
	);
	const edit = await owner.create(`${view}/links`, { kind: 'edit', entityId: last(path('two')) });
	expect(shownIn((await anonymous.get(edit)).text)).toEqual([]);
	expect((await anonymous.put(edit, { canary_rank: 100 }, byKey)).status).toBe(400);
	expect((await anonymous.put(edit, { [id(ids, 'canary_rank')]: 100 })).status).toBe(400);
	expect((await anonymous.put(edit, { title: 'two' }, byKey)).json()).toMatchObject({ title: 'two' });
	await owner.put(path('two'), { canary_status: 'closed' }, byKey);
	expect([
		(await anonymous.get(edit)).status,
		(await anonymous.put(edit, { title: 'x' }, byKey)).status,
	]).toEqual([404, 404]);
	expect(await owner.read(path('two'), byKey)).toMatchObject({ title: 'two', canary_rank: 1 });
	await owner.put(path('two'), { canary_status: 'open' }, byKey);
	expect((await anonymous.get(edit)).status).toBe(200);
	// A link grants access to its target only; other addresses below it respond with 404.
	const below = (link: string, kind: string) => `/api/${kind}/${owner.userId}/${last(link)}`;
	for (const address of [
		below(edit, 'a'),
		`${below(edit, 'a')}/entities`,
		`${below(edit, 'a')}/entities/${last(path('draft'))}`,
		`${below(edit, 'a')}/entities/${last(path('two'))}`,
		`${shared}/entities/${last(path('draft'))}`,
		`${form}/entities/${last(path('draft'))}`,
		below(shared, 'r'),
		below(form, 'r'),
	])
		expect([address, (await anonymous.get(address)).status]).toEqual([address, 404]);
});

test('public links to deleted entities, views, grids and spaces grant nothing', async () => {
	const { grid: other, space: otherSpace } = await makeGrid(owner, { a: { name: 'string' } }, 'Gone');
	const otherView = await owner.view(other, [], {}, { name: 'Gone view' });
	const row = await owner.create(`${other}/entities`, { fields: ['x'] });
	const ofRow = await owner.create(`${other}/links`, { kind: 'edit', entityId: last(row) });
	const ofView = await owner.create(`${otherView}/links`, { kind: 'view' });
	const ofGrid = await owner.create(`${other}/links`, { kind: 'form' });
	const status = async (link: string) => (await anonymous.get(link)).status;
	expect([await status(ofRow), await status(ofView), await status(ofGrid)]).toEqual([200, 200, 200]);
	await owner.delete(row);
	await owner.delete(otherView);
	expect([await status(ofRow), await status(ofView), await status(ofGrid)]).toEqual([404, 404, 200]);
	await owner.delete(other);
	expect([await status(ofGrid), (await anonymous.post(ofGrid, {})).status]).toEqual([404, 404]);
	await owner.delete(otherSpace);
	expect((await owner.get(otherSpace)).status).toBe(404);
});

test('IDs of other grids are refused below an accessible address: rows, forms, fields, views, links', async () => {
	const person = context.person('neighbor');
	const mine = await makeGrid(person.caller, { mine: { name: 'string' } }, 'Mine');
	const [form] = await owner.items(`${grid}/forms`);
	const link = (await owner.items(`${view}/links`))[0];
	const field = id(ids, 'canary_rank');
	for (const [method, address] of [
		['GET', `${mine.space}/grids/${last(grid)}`],
		['GET', `${mine.space}/grids/${last(grid)}/entities`],
		['GET', `${mine.grid}/entities/${last(path('one'))}`],
		['PUT', `${mine.grid}/entities/${last(path('one'))}`],
		['DELETE', `${mine.grid}/entities/${last(path('one'))}`],
		['GET', `${mine.grid}/entities/${last(path('one'))}/events`],
		['GET', `${mine.grid}/entities?viewId=${last(view)}`],
		['GET', `${mine.grid}/query?viewId=${last(view)}`],
		['GET', `${mine.grid}/forms/${last(href(form ?? {}, 'self'))}`],
		['POST', `${mine.grid}/forms/${last(href(form ?? {}, 'self'))}`],
		['GET', `${mine.grid}/fields/${field}`],
		['PATCH', `${mine.grid}/fields/${field}`],
		['GET', `${mine.grid}/sviews/${last(sview)}`],
		['POST', `${mine.grid}/sviews/${last(sview)}/shares`],
		['DELETE', `${mine.grid}/sviews/${last(sview)}`],
		['DELETE', `${mine.grid}/links/${String(link?.['id'])}`],
	] as const) {
		const body = address.endsWith('/shares') ? { email: 'x@example.com', role: 'reader' } : {};
		const reply = await person.caller.send(method, address, method === 'GET' ? {} : { body });
		expect([method, address, reply.status]).toEqual([method, address, 404]);
	}
	for (const [name, body] of [
		['ColumnRemove', { fieldId: field }],
		['ColumnTypeChange', { fieldId: field, type: { name: 'string' } }],
		['ColumnKeyChange', { fieldId: field, key: 'taken' }],
		['virtualgrids', { name: 'V', fields: [field], filter: {} }],
		['virtualgrids', { name: 'V', fields: [], filter: { [field]: { $empty: false } } }],
	] as const)
		expect([name, (await person.caller.post(`${mine.grid}/${name}`, body)).status]).toEqual([name, 400]);
});
