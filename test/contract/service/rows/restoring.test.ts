import { byKey, href, id, last, makeGrid, object, objects, rels, type Caller } from '../http';
import { testPeople } from '../people';

const context = testPeople();
const { owner } = context;
const since = '2020-01-01T00:00:00Z';

const columns = { title: { name: 'string' }, n: { name: 'string' }, made: { name: 'createdat' }, by: { name: 'createdby' } }; // prettier-ignore
const deletionOf = async (caller: Caller, grid: string, entityId: string) =>
	(await caller.items(`${grid}/entities/${entityId}/events`))[0] ?? {};

test('a deleted entity comes back with its ID, values, creator and history, once in the feed', async () => {
	const { grid } = await makeGrid(owner, columns, 'Restored');
	const path = await owner.create(`${grid}/entities`, { title: 'One', n: '1' }, byKey);
	await owner.create(`${grid}/entities`, { title: 'Two' }, byKey);
	await owner.put(path, { n: '5' }, byKey);
	const before = await owner.read(path, byKey);
	const colleague = context.person('colleague');
	await owner.create(`${grid.split('/grids/')[0]}/shares`, { email: colleague.email, role: 'writer' });
	await colleague.caller.delete(path);
	const deletion = await deletionOf(owner, grid, last(path));
	expect([deletion['type'], rels(deletion), deletion['userName']]).toEqual(['deleted', ['restore'], 'colleague']);
	expect((await owner.get(path)).status).toBe(404);
	const reply = await owner.post(href(deletion, 'restore'), {}, byKey);
	expect([reply.status, reply.json()]).toEqual([200, before]);
	expect(await owner.read(path, byKey)).toEqual(before);
	const titles = (await owner.items(`${grid}/entities`, byKey)).map(({ title }) => title);
	expect(titles).toEqual(['Two', 'One']);
	const feed = await owner.items(`${grid}/updates`, { since });
	expect(feed.filter(({ entityId }) => entityId === last(path)).map(({ type }) => type)).toEqual(['created', 'updated', 'deleted', 'created']);
	expect(new Set(feed.map((event) => event['id'])).size).toBe(feed.length);
	const values = objects(object(feed.at(-1))['changes']).map(({ newValue }) => newValue);
	expect(values.sort()).toEqual(['5', 'One']);
	// What was restored is changed and deleted like any other, and restored again.
	await owner.put(path, { n: '6' }, byKey);
	await owner.delete(path);
	expect((await owner.post(href(deletion, 'restore'), {}, byKey)).json()).toEqual({ ...before, n: '6' });
	expect((await owner.post(href(deletion, 'restore'), {})).status).toBe(400);
	expect((await owner.post(`${grid}/entities/${'0'.repeat(24)}/restore`, {})).status).toBe(404);
	const other = await makeGrid(owner, columns, 'Other');
	await owner.delete(path);
	expect((await owner.post(`${other.grid}/entities/${last(path)}/restore`, {})).status).toBe(404);
}); // prettier-ignore

test('values of other types and of removed columns do not hinder a restoration', async () => {
	const { grid, ids } = await makeGrid(owner, { ...columns, gone: { name: 'string' } }, 'Changed');
	const path = await owner.create(`${grid}/entities`, { title: 'One', n: 'many', gone: 'x' }, byKey);
	await owner.delete(path);
	await owner.post(`${grid}/ColumnTypeChange`, { fieldId: id(ids, 'n'), type: { name: 'integer' } });
	await owner.post(`${grid}/ColumnRemove`, { fieldId: id(ids, 'gone') });
	const reply = await owner.post(`${path}/restore`, {}, byKey);
	expect(reply.json()).toMatchObject({ title: 'One', n: null });
	const [removed = {}] = await owner.items(`${grid}/removedFields`);
	await owner.post(href(removed, 'restore'));
	expect(await owner.read(path, byKey)).toMatchObject({ title: 'One', n: null, gone: 'x' });
});

test('readers and those who may see only a view restore nothing, and see no row that left the view', async () => {
	const { grid, ids } = await makeGrid(owner, columns, 'Seen');
	const view = await owner.view(grid, [ids['title']], { [id(ids, 'n')]: { $eq: 'in' } }, { name: 'In' });
	const sview = await owner.create(`${view}/sviews`, { type: 'kanban' });
	const guest = context.person('guest');
	await owner.create(`${sview}/shares`, { email: guest.email, role: 'writer' });
	const path = await owner.create(`${grid}/entities`, { title: 'One', n: 'in' }, byKey);
	const seen = async () =>
		(await guest.caller.items(`${view}/updates`, { since })).map(({ type, userName, _links }) => [type, userName, Object.keys(object(_links))]);
	await owner.delete(path);
	expect(await seen()).toEqual([['created', null, []], ['deleted', null, []]]);
	expect((await guest.caller.post(`${view}/entities/${last(path)}/restore`, {})).status).toBe(404);
	const { caller: reader } = await owner.newKey('reader');
	expect(rels(await deletionOf(reader, grid, last(path)))).toEqual([]);
	expect((await reader.post(`${path}/restore`, {})).status).toBe(403);
	await owner.post(`${path}/restore`);
	expect((await seen()).map(([type]) => type)).toEqual(['created', 'deleted', 'created']);
	await owner.put(path, { n: 'secret' }, byKey);
	expect(await seen()).toEqual([]);
	await owner.delete(path);
	expect(await seen()).toEqual([]);
}); // prettier-ignore
