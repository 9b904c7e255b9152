import { allRoutes } from '../../../../service/routes/all';
import type { Route } from '../../../../service/http/route';
import { testPeople } from '../people';
import { fieldIds, href, id, object, objects, version2, type Caller, type Reply, byKey, last } from '../http';

const people = testPeople();

const patterns = allRoutes.map((route) => ({
	route,
	pattern: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`),
}));

function routeOf(method: string, path: string): Route {
	const pathname = path.split('?', 1).join('');
	// `users/me` is no user: the route with fewer parameters is meant.
	const fitting = patterns.filter(({ route, pattern }) => route.method === method && pattern.test(pathname));
	const [best] = fitting.sort((a, b) => a.route.path.split(':').length - b.route.path.split(':').length);
	if (!best) throw new Error(`No route for ${method} ${path}`);
	return best.route;
}

/**
 * Returns a function that sends a request and checks the response against the description of
 * its endpoint.
 */
function checking(seen: Set<Route>) {
	const send = async (
		caller: Caller,
		method: string,
		path: string,
		body?: unknown,
		query?: Record<string, string>,
	) => {
		const reply = await caller.send(method, path, { body, headers: version2, ...(query ? { query } : {}) });
		const route = routeOf(method, path);
		seen.add(route);
		check(route, reply);
		return reply;
	};
	return send;
}

function check({ method, path, about }: Route, { status, text, headers }: Reply): void {
	const { response } = about;
	const shown = `${method} ${path}: ${status} ${text.slice(0, 300)}`;
	// No cache may keep what a revoked right showed.
	expect([shown, headers.get('cache-control')]).toEqual([shown, 'no-store']);
	expect([shown, headers.get('x-content-type-options')]).toEqual([shown, 'nosniff']);
	if (response === 'redirect') expect([shown, status]).toEqual([shown, 302]);
	else if (response === 'created') {
		expect([shown, status, headers.get('content-type')]).toEqual([
			shown,
			201,
			expect.stringMatching(/^text\/plain/),
		]);
		expect(text).toBe(`Created ${headers.get('location') ?? ''}`);
	} else if (response === 'file') {
		expect([shown, headers.get('content-type')]).toEqual([shown, 'application/octet-stream']);
	} else {
		expect([shown, status]).toEqual([shown, about.status ?? 200]);
		const { error } = response.safeParse(JSON.parse(text));
		expect([shown, error?.issues ?? []]).toEqual([shown, []]);
	}
}

test('§4, §5 requests and responses of every endpoint match its description', async () => {
	const seen = new Set<Route>();
	const { owner, anonymous, home } = people;
	const send = checking(seen);
	const get = (path: string, query?: Record<string, string>) => send(owner, 'GET', path, undefined, query);
	const post = (path: string, body?: unknown, query?: Record<string, string>) =>
		send(owner, 'POST', path, body, query);
	const make = async (path: string, body?: unknown, query?: Record<string, string>) =>
		(await post(path, body, query)).headers.get('location') ?? '';

	for (const path of ['types', 'nodeTypes', 'blocks', 'version', 'health', 'openapi.json'])
		await send(anonymous, 'GET', `/api/${path}`);
	await get('/api/users/me');
	await get(home);
	await send(owner, 'PATCH', home, { name: 'Ada' });
	const key = await make(`${home}/accessKeys`, { name: 'One', role: 'reader' });
	await get(`${home}/accessKeys`);
	await get(key);
	await send(owner, 'DELETE', key);

	const space = await make(`${home}/spaces`, { name: 'All' });
	await get(`${home}/spaces`, { matching: 'a,b' });
	await get(space);
	await send(owner, 'PATCH', space, { properties: { a: 'c' } });
	await make(`${space}/invite`, { email: 'ann@example.com', role: 'reader' });
	const share = await make(`${space}/shares`, { email: 'bob@example.com', role: 'creator' });
	for (const list of ['shares', 'invitations', 'people']) await get(`${space}/${list}`);
	await get(share);
	const joinLink = (await post(`${share}/joinLink`, {})).json();
	const invitation = String(joinLink['href']);
	await send(anonymous, 'GET', invitation);
	await send(anonymous, 'POST', invitation, { name: 'Bob', password: 'long enough' });
	await send(anonymous, 'POST', '/api/login', { email: 'bob@example.com', password: 'long enough' });
	await send(anonymous, 'POST', '/api/logout', {});
	await send(owner, 'PUT', `${home}/password`, { password: 'long enough' });
	await get(space);
	await send(owner, 'DELETE', share);
	await post(`${space}/uploadCSV`, { name: 'Uploaded', file: 'a,b\n1,x\n' });

	const grid = await make(`${space}/grids`, { name: 'Rows', createView: true });
	for (const [name, type] of Object.entries({
		text: 'string',
		n: 'integer',
		extra: 'string',
		who: 'createdby',
		parent: 'reference',
	}))
		await post(`${grid}/ColumnAdd`, { name, key: name, type: { name: type } });
	await get(grid);
	const ids = await fieldIds(owner, grid, 'key');
	const [textId, numberId, extraId] = [id(ids, 'text'), id(ids, 'n'), id(ids, 'extra')];
	await get(`${space}/grids`, { type: 'persistent' });
	await send(owner, 'PATCH', grid, { properties: { a: 1 } });
	await post(`${grid}/ColumnRename`, { oldName: 'extra', newName: 'more' });
	await post(`${grid}/ColumnKeyChange`, { fieldId: extraId, key: 'more' });
	await post(`${grid}/ColumnTypeChange`, { fieldId: extraId, type: { name: 'integer' } });
	await get(`${grid}/fields/${textId}`);
	await send(owner, 'PATCH', `${grid}/fields/${textId}`, { description: 'A text' });
	await post(`${grid}/ColumnRemove`, { fieldId: extraId });
	await get(`${grid}/removedFields`);
	await post(`${grid}/removedFields/${extraId}/restore`, {});
	const thrown = await make(`${space}/grids`, { name: 'Thrown' });
	await post(`${thrown}/discard`, {});
	await get(`${space}/discardedGrids`);
	await post(`${space}/discardedGrids/${last(thrown)}/restore`, {});
	await get(`${grid}/schema`);

	const view = await make(`${grid}/virtualgrids`, { name: 'Few', fields: [textId], filter: {} });
	await get(`${grid}/virtualgrids`);
	await send(owner, 'PUT', view, { name: 'Few', fields: [textId], filter: { [numberId]: { $gt: 0 } } });
	await post(`${view}/FilterChange`, { filter: {} });
	await get(view);
	const sview = await make(`${grid}/sviews`, { type: 'kanban' });
	await get(`${grid}/sviews`, { nested: 'true' });
	await get(sview);
	await send(owner, 'PATCH', sview, { type: 'list' });
	await get(`${sview}/schema`);
	const sviewShare = await make(`${sview}/shares`, { email: 'bob@example.com', role: 'reader' });
	await get(`${sview}/shares`);
	await get(sviewShare);
	await send(owner, 'DELETE', sviewShare);
	await send(owner, 'DELETE', sview);

	const entity = await make(`${grid}/entities`, { text: 'a', n: 1 }, byKey);
	await get(`${grid}/entities`, { layout: 'indexed', filter: '{}', sorting: '{}', compose: 'false' });
	await get(entity);
	await send(owner, 'PUT', entity, { [numberId]: 2 });
	await post(`${entity}/update`, { n: 3 });
	await get(`${entity}/events`);
	await get(`${grid}/updates`, { since: '2026-01-01T00:00:00Z' });
	await get(`${grid}/query`, { matching: 'a' });
	await get(`${grid}/csv`);
	await post(`${grid}/readCSV`, { file: 'a,b\n1,x\n' });
	const types =
		'block,entity,eventhook,externalHook,field,flow,flow activation,flow instance,flow node,form,formlink,grid,linkedGrid,node view,share,space,user,view,virtualGrid';
	await get(`${space}/resources`, { types });

	const [form] = objects((await get(`${grid}/forms`)).json()['items']);
	await get(href(form ?? {}, 'self'));
	await post(href(form ?? {}, 'self'), { [textId]: 'by form' });

	const toForm = await make(`${grid}/links`, { kind: 'form' });
	await send(anonymous, 'GET', toForm);
	const sent = await send(anonymous, 'POST', toForm, { [textId]: 'by link' });
	await send(anonymous, 'GET', sent.headers.get('location') ?? '');
	const parentId = id(ids, 'parent');
	const design = {
		linkedGrids: { [parentId]: grid },
		form: { inputs: [{ field: parentId, offerRows: true }] },
	};
	await send(owner, 'PATCH', grid, { properties: design });
	const offering = await make(`${grid}/links`, { kind: 'form', names: true });
	const [input] = objects((await send(anonymous, 'GET', offering)).json()['inputs']);
	await send(anonymous, 'GET', href(input ?? {}, 'rows'), undefined, { matching: 'a' });
	const toView = await make(`${view}/links`, { kind: 'view' });
	await send(anonymous, 'GET', toView);
	await send(anonymous, 'GET', `${toView}/entities`);
	await send(anonymous, 'GET', `${toView}/names`);
	const toEntity = await make(`${grid}/links`, { kind: 'edit', entityId: last(entity) });
	await send(anonymous, 'GET', toEntity);
	await send(anonymous, 'GET', `${toEntity}/schema`);
	await send(anonymous, 'GET', `${toEntity}/names`);
	await send(anonymous, 'PUT', toEntity, { [numberId]: 4 });
	const [link] = objects((await get(`${grid}/links`)).json()['items']);
	await send(owner, 'DELETE', href(link ?? {}, 'remove'));

	await send(owner, 'DELETE', entity);
	await post(`${entity}/restore`, {});
	await send(owner, 'DELETE', grid);
	await post(`${space}/copy`, { name: 'Copy' });
	await send(owner, 'DELETE', space);

	const missed = allRoutes.filter((route) => !seen.has(route)).map(({ method, path }) => `${method} ${path}`);
	expect(missed).toEqual([]);
});

test('§5 the OpenAPI description has the parameters and bodies of endpoints', async () => {
	const document = await people.anonymous.read('/api/openapi.json');
	const operation = (path: string, method: string) => object(object(object(document['paths'])[path])[method]);
	const parameters = (path: string) => objects(operation(path, 'get')['parameters']);
	const grid = '/api/users/{userId}/spaces/{spaceId}/grids/{gridId}';
	const names = parameters(`${grid}/entities`).map((one) => `${String(one['in'])} ${String(one['name'])}`);
	const query = ['pageIndex', 'pageSize', 'layout', 'viewId', 'filter', 'sorting', 'compose'];
	const path = ['userId', 'spaceId', 'gridId'];
	expect(names).toEqual([...path.map((name) => `path ${name}`), ...query.map((name) => `query ${name}`)]);
	const required = (of: string) =>
		parameters(of).flatMap((one) => (one['in'] === 'query' && one['required'] === true ? [one['name']] : []));
	expect(required('/api/users/{userId}/spaces/{spaceId}/resources')).toEqual(['types']);
	expect(required(`${grid}/updates`)).toEqual(['since']);
	const body = object(operation('/api/users/{userId}/accessKeys', 'post')['requestBody']);
	expect(object(object(body['content'])['application/json'])['schema']).toEqual({
		$ref: '#/components/schemas/CreateAccessKeyBody',
	});
	expect(object(object(document['components'])['schemas'])['CreateAccessKeyBody']).toEqual({
		type: 'object',
		properties: {
			name: { type: 'string', minLength: 1, maxLength: 1000 },
			role: { type: 'string', enum: ['reader', 'admin'] },
		},
		required: ['name', 'role'],
		additionalProperties: false,
	});
});
