import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { RunOptions } from '../../../testbed/world/call';
import { byId, textOf } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';
import { readList } from '../../../client';

const world = World.forTests();
let spaceId: string;

beforeAll(async () => {
	spaceId = world.spaceId;
	const orders = await world.grid({ Order: 'string' }, 'Orders');
	await orders.fill({ Order: 'A-1' });
});

const run = async (operation: string, parameters: INodeParameters = {}, extra: RunOptions = {}) =>
	await world.run({ node: 'space', resource: 'space', operation, parameters }, extra);
const asReader = (): RunOptions => ({ as: 'reader' });
const inSpace = () => ({ space: byId(spaceId) });

/** Reads a space from the service. */
const spaceNow = async (id = spaceId) => await world.client.spaces.get(id);
const idOf = (rows: IDataObject[]) => textOf(rows[0]?.id);

describe('create', () => {
	test('creates a space with name, key, organization and icon, and outputs its ID', async () => {
		const { rows, error } = await run('create', {
			name: 'Sales & "Ünï"',
			additionalFields: { key: 'sales', belongsTo: 'acme', iconName: 'rocket', iconColor: '#ff0000' },
		});
		expect(error).toBeUndefined();
		const icon = { name: 'rocket', iconset: '', color: '#ff0000' };
		expect(rows[0]).toMatchObject({
			name: 'Sales & "Ünï"',
			key: 'sales',
			belongsTo: 'acme',
			spaceIcon: icon,
		});
		expect(await spaceNow(idOf(rows))).toMatchObject({
			name: 'Sales & "Ünï"',
			key: 'sales',
			belongsTo: 'acme',
		});
	});
});

describe('get', () => {
	test('outputs a space, simplified or unchanged', async () => {
		const { rows } = await run('get', inSpace());
		expect(rows[0]).toMatchObject({ id: spaceId, name: 'Work', type: 'space' });
		expect(rows[0]).not.toHaveProperty('_links');
		const raw = await run('get', { ...inSpace(), simplify: false });
		expect(raw.rows[0]).toHaveProperty('_links.addGrid.href');
	});
});

describe('get many', () => {
	test('lists all spaces, or up to Limit, each paired with its item', async () => {
		await run('create');
		const all = await run('getMany', { returnAll: true });
		expect(all.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['Work', 'Space']));
		const one = await run('getMany', { limit: 1 });
		expect(one.items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			[all.rows[0]?.id, { item: 0 }],
		]);
	});

	test('filters by property key and value', async () => {
		const marked = idOf((await run('create', { name: 'Marked' })).rows);
		await run('update', { space: byId(marked), updateFields: { properties: '{ "team": "north" }' } });
		const filters = { propertyKey: 'team', propertyValue: 'north' };
		expect((await run('getMany', { filters })).rows.map(({ name }) => name)).toEqual(['Marked']);
	});

	test('refuses a value without a key', async () => {
		const { error } = await run('getMany', { filters: { propertyValue: 'north' } });
		expect(error?.message).toBe('"Property Value" is set, but "Property Key" is not');
	});
});

describe('update', () => {
	test('changes only the given members', async () => {
		const id = idOf((await run('create', { name: 'Before', additionalFields: { key: 'stays' } })).rows);
		const updateFields = {
			name: 'After',
			belongsTo: '',
			properties: '{ "zero": 0, "no": false, "text": "" }',
		};
		const { rows, error } = await run('update', { space: byId(id), updateFields });
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ id, name: 'After', belongsTo: null });
		expect(await spaceNow(id)).toMatchObject({
			name: 'After',
			key: 'stays',
			properties: { zero: 0, no: false, text: '' },
		});
	});

	test('a change to one part of the icon keeps the other parts', async () => {
		const additionalFields = { iconName: 'star', iconSet: 'material', iconColor: '#000000' };
		const id = idOf((await run('create', { name: 'Icons', additionalFields })).rows);
		await run('update', { space: byId(id), updateFields: { iconColor: '#ffffff' } });
		const spaceIcon = { name: 'star', iconset: 'material', color: '#ffffff' };
		expect(await spaceNow(id)).toMatchObject({ spaceIcon });
	});
});

describe('copy', () => {
	const rowsIn = async (id: string) => {
		const client = world.client;
		const grid = (await readList(client.grids.list(await client.spaces.get(id)))).items[0];
		if (!grid) throw new Error('The copy has no grid');
		const open = await client.grids.open({ spaceId: id, gridId: grid.id });
		return (await client.entities.page(open)).items.length;
	};

	test.each([
		[true, 1],
		[false, 0],
	])('with includeEntities %s the copy holds %i entities', async (includeEntities, count) => {
		const name = `Copy ${String(includeEntities)}`;
		const { rows, error } = await run('copy', { ...inSpace(), name, includeEntities });
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ copyOf: spaceId, name, includeEntities });
		expect(await rowsIn(idOf(rows))).toBe(count);
	});
});

describe('contents', () => {
	test('are listed by type, next to the space', async () => {
		const chosen = { ...inSpace(), includeContents: ['grid', 'form'] };
		const { rows, error } = await run('get', chosen, asReader());
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([{ id: spaceId, name: 'Work' }]);
		const contents = referencesSchema.parse(rows[0]?.contents);
		expect(contents.map(({ type }) => type).sort()).toEqual(['form', 'grid']);
		expect(contents.every(({ id, href }) => href.endsWith(`/${id}`))).toBe(true);
	});
});

const referencesSchema = z.array(z.object({ type: z.string(), id: z.string(), href: z.string() }));
