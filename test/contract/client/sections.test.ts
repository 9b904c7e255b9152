import type { Client } from '../../../client';
import { isWritable } from '../../../client/resources/fields';
import type { Grid } from '../../../client/resources/grids';
import { findLink } from '../../../client/hal/links';
import { endpoints } from '../../../client/endpoints/endpoints';
import { pathOf } from '../../../client/endpoints/paths';
import { makeGrid, makeSpace, newId } from '../../../testbed/world/makeGrid';
import { World } from '../../../testbed/world/world';

let world: World;
let client: Client;
let reader: Client;
let spaceId: string;
let grid: Grid;
let idOf: (column: string) => string;

beforeAll(async () => {
	world = await World.start();
	client = world.newClient();
	spaceId = await makeSpace(client, 'Orders & more');
	const made = await makeGrid(client, spaceId, 'Orders', {
		Title: 'string',
		Amount: 'decimal',
		Paid: 'boolean',
		Due: 'date',
		Made: 'createdat',
	});
	grid = made.grid;
	idOf = (column) => made.fields.get(column)?.id ?? '';

	const me = await client.users.me();
	const body = { name: 'Reader', role: 'reader' };
	const href = pathOf(endpoints.accessKeyCreate, { userId: me.id });
	const answer = await client.session.send({ method: 'POST', href, body });
	const issued: unknown = JSON.parse(String(answer.body));
	expect(issued).toMatchObject({ name: 'Reader' });
	const { key, secret } = { key: '', secret: '', ...(typeof issued === 'object' ? issued : {}) };
	reader = world.newClient({ key, secret });
});
afterAll(() => world.stop());

describe('users (§4.2, §5)', () => {
	it('the current user is found through the redirect of users/me', async () => {
		const me = await client.users.me();
		expect(me.id).toBe(world.service.userId);
		expect(me._links.size).toBeGreaterThan(0);
	});

	it('concurrent calls request the current user once', async () => {
		const other = world.newClient();
		const all = await Promise.all([other.users.me(), other.users.me(), other.users.me()]);
		expect(new Set(all).size).toBe(1);
	});

	it('a wrong secret is refused on each call', async () => {
		const stranger = world.newClient({ secret: 'wrong' });
		await expect(stranger.users.me()).rejects.toMatchObject({ name: 'Unauthorized', facts: { status: 401 } });
		await expect(stranger.users.me()).rejects.toMatchObject({ name: 'Unauthorized' });
	});
});

describe('spaces (§2.3, §4.3)', () => {
	it('are listed in pages, in summary form, and opened in full', async () => {
		const { items, unstable } = await client.spaces.many();
		expect(unstable).toBeUndefined();
		const summary = items.find((space) => space.id === spaceId);
		expect(summary).toMatchObject({ name: 'Orders & more', _representation: 'summary' });
		expect(summary).not.toHaveProperty('createdAt');
		const full = summary && (await client.spaces.open(summary));
		expect(full).toMatchObject({ id: spaceId, _representation: 'full' });
		expect(full).toHaveProperty('createdAt');
		expect(full && [...full._links.keys()]).toEqual(
			expect.arrayContaining(['self', 'grids', 'addGrid', 'shares', 'blocks']),
		);
	});

	it('that do not exist are not found', async () => {
		await expect(client.spaces.get('nowhere')).rejects.toMatchObject({
			name: 'NotFound',
			facts: { status: 404 },
		});
	});
});

describe('grids (§2.4, §4.4, §9)', () => {
	it('have their fields, because version 2 of the representation is requested', () => {
		expect(grid.fields?.map((field) => field.name)).toEqual(
			expect.arrayContaining(['Title', 'Amount', 'Paid', 'Due', 'Made']),
		);
	});

	it('are listed with their addresses', async () => {
		const space = await client.spaces.get(spaceId);
		const { items } = await client.grids.many(space, { type: 'persistent' });
		expect(items.map((item) => [item.name, item.address])).toEqual([['Orders', grid.address]]);
	});

	it('are found by ID in any space', async () => {
		const found = await world.newClient().grids.open({ gridId: grid.id });
		expect(found.address).toEqual(grid.address);
	});

	it('are not found if no space has them', async () => {
		await expect(client.grids.open({ gridId: 'nowhere' })).rejects.toMatchObject({ name: 'NotFound' });
	});

	it('are cached until an operation changes their columns', async () => {
		const reference = { spaceId, gridId: grid.id };
		const first = await client.grids.open(reference);
		expect(await client.grids.open(reference)).toBe(first);
		await client.entities.remove(first, newId(await client.entities.create(first, {})));
		expect(await client.grids.open(reference)).toBe(first);
		const id = await client.fields.add(first, { name: 'Note', type: { name: 'string' } });
		const second = await client.grids.open(reference);
		expect(second.fields?.map((field) => field.name)).toContain('Note');
		await client.fields.remove(second, id ?? '');
		expect((await client.grids.open(reference)).fields).toEqual(first.fields);
	});

	it('stay cached after a change that the service refuses', async () => {
		const reference = { spaceId, gridId: grid.id };
		const first = await client.grids.open(reference);
		await expect(client.fields.remove(first, 'nowhere')).rejects.toMatchObject({ name: 'BadRequest' });
		expect(await client.grids.open(reference)).toBe(first);
	});
});

describe('fields (§2.5, §4.4)', () => {
	it('are the same in the grid and in its schema', async () => {
		const fromGrid = await client.fields.of(grid);
		const fromSchema = await client.fields.of({ ...grid, fields: undefined });
		expect(fromSchema.map((field) => field.id)).toEqual(fromGrid.map((field) => field.id));
		expect(fromSchema.map((field) => field.name)).toEqual(fromGrid.map((field) => field.name));
	});

	it('are read-only if the service computes them', async () => {
		const fields = await client.fields.of(grid);
		const readOnly = fields.filter((field) => !isWritable(field)).map((field) => field.name);
		expect(readOnly).toEqual(['Made']);
	});
});

describe('entities (§2.6, §2.7, §4.5)', () => {
	it('are created, read, changed and deleted', async () => {
		const id = newId(await client.entities.create(grid, { [idOf('Title')]: 'One', [idOf('Paid')]: false }));
		const read = await client.entities.get(grid, id);
		expect(read).toMatchObject({ _id: id, [idOf('Title')]: 'One', [idOf('Paid')]: false });
		const changed = await client.entities.update(grid, read, { [idOf('Amount')]: 0 });
		expect(changed).toMatchObject({ [idOf('Title')]: 'One', [idOf('Amount')]: 0, [idOf('Paid')]: false });
		const cleared = await client.entities.update(grid, id, { [idOf('Title')]: null });
		expect(cleared[idOf('Title')] ?? null).toBeNull();
		await client.entities.remove(grid, changed);
		await expect(client.entities.get(grid, id)).rejects.toMatchObject({ name: 'NotFound' });
	});

	it('without values are created from an empty object', async () => {
		const id = newId(await client.entities.create(grid, {}));
		expect((await client.entities.get(grid, id))._id).toBe(id);
		await client.entities.remove(grid, id);
	});

	it('have their values by column name in the layout property', async () => {
		const id = newId(await client.entities.create(grid, { Title: 'Two' }, 'property'));
		expect(await client.entities.get(grid, id, 'property')).toMatchObject({ Title: 'Two' });
		await client.entities.remove(grid, id);
	});

	it('are filtered and sorted by field ID', async () => {
		const title = idOf('Title');
		const ids: string[] = [];
		for (const value of ['b & c', 'a?', 'b & c'])
			ids.push(newId(await client.entities.create(grid, { [title]: value })));
		const filtered = await client.entities.page(grid, { filter: { [title]: { $eq: 'b & c' } } });
		expect(filtered.items.map((entity) => entity._id)).toEqual([ids[0], ids[2]]);
		const ordered = await client.entities.page(grid, { sorting: { [title]: { $order: 'ascending' } } });
		expect(ordered.items[0]?._id).toBe(ids[1]);
		for (const id of ids) await client.entities.remove(grid, id);
	});

	it('with an invalid value are refused with the message of the service', async () => {
		const creating = client.entities.create(grid, { [idOf('Amount')]: 'much' });
		await expect(creating).rejects.toMatchObject({
			name: 'BadRequest',
			facts: { status: 400, serviceMessage: expect.stringMatching(/\w/) as string },
		});
	});
});

describe('a reader key (§1, §5)', () => {
	it('has no link to add entities, and fails before anything is sent', async () => {
		const seen = await reader.grids.open({ spaceId, gridId: grid.id });
		expect(findLink(seen, 'addEntity')).toBeUndefined();
		await expect(reader.entities.create(seen, {})).rejects.toMatchObject({
			name: 'LinkMissing',
			rel: 'addEntity',
			available: expect.arrayContaining(['self', 'entities', 'schema']) as string[],
		});
	});

	it('is refused by the service if there is no link to check', async () => {
		const id = newId(await client.entities.create(grid, {}));
		await expect(reader.entities.remove(grid, id)).rejects.toMatchObject({
			name: 'Forbidden',
			facts: { status: 403 },
		});
		await client.entities.remove(grid, id);
	});
});
