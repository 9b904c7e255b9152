import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { Space } from '../../../nodes/Space/Space.node';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import type { RunOptions } from '../../../testbed/world/call';
import { byId, textOf } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';

let world: World;
let spaceId: string;

beforeAll(async () => {
	world = await World.start();
	spaceId = world.spaceId;
	const orders = await world.grid({ Order: 'string' }, 'Orders');
	await orders.fill([{ Order: 'A-1' }]);
});

afterAll(async () => {
	await world.stop();
});

const run = async (operation: string, parameters: INodeParameters = {}, extra: RunOptions = {}) =>
	await world.run({ node: 'space', resource: 'space', operation, parameters }, extra);
const asReader = (): RunOptions => ({ as: 'reader' });
const inSpace = () => ({ space: byId(spaceId) });

/** Reads a space from the service. */
const spaceNow = async (id = spaceId) => await world.client.spaces.get(id);
const names = async () => (await world.client.spaces.many()).items.map(({ name }) => name);
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

	test('the service names a space without a name Space', async () => {
		const { rows } = await run('create');
		expect((await spaceNow(idOf(rows))).name).toBe('Space');
	});

	test('refuses a name of more than 80 characters before anything is sent', async () => {
		const { error } = await run('create', { name: 'x'.repeat(81) });
		expect(error?.message).toContain('"Name" cannot be used: it is longer than 80 characters');
	});

	test('a reader key cannot create a space', async () => {
		const { error } = await run('create', { name: 'By a reader' }, asReader());
		expect(error).toMatchObject({ httpCode: '403' });
		expect(await names()).not.toContain('By a reader');
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

	test('accepts a reader key', async () => {
		expect((await run('get', inSpace(), asReader())).rows[0]).toMatchObject({ id: spaceId });
	});

	test('reports a missing space and an empty picker with different messages', async () => {
		expect((await run('get', { space: byId('nowhere') })).error).toMatchObject({ httpCode: '404' });
		expect((await run('get', { space: byId('={{ $json.nothing }}') })).error?.message).toBe(
			'The expression of "Space" returns nothing (undefined)',
		);
	});
});

describe('get many', () => {
	test('lists all spaces, or up to Limit, each paired with its item', async () => {
		await run('create', { name: 'Another' });
		const all = await run('getMany', { returnAll: true });
		expect(all.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['Work', 'Another']));
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

	test('reports wrong credentials', async () => {
		const credentials = { dataGridApi: { ...world.owner, secret: 'wrong' } };
		expect((await run('getMany', {}, { credentials })).error).toMatchObject({ httpCode: '401' });
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

	test('refuses a reader key before anything is sent, and explains what to do', async () => {
		const { error } = await run('update', { ...inSpace(), updateFields: { name: 'Mine' } }, asReader());
		expect(error?.message).toContain('No permission to change the space "Work"');
		expect(error).toMatchObject({ description: expect.stringContaining('role admin') as unknown });
	});

	test('refuses properties that are not a JSON object, and an update without changes', async () => {
		const bad = await run('update', { ...inSpace(), updateFields: { properties: '[1' } });
		expect(bad.error?.message).toContain('it is not a JSON object');
		expect((await run('update', inSpace())).error?.message).toBe('There is nothing to change');
	});
});

describe('delete', () => {
	test('deletes the space; a notice warns that everything in it is deleted', async () => {
		const notice = new Space().description.properties.find(({ type }) => type === 'notice');
		expect(notice?.displayName).toBeDefined();
		const id = idOf((await run('create', { name: 'Short-lived' })).rows);
		expect((await run('delete', { space: byId(id) })).rows).toEqual([
			{ deleted: true, id, name: 'Short-lived' },
		]);
		expect(await names()).not.toContain('Short-lived');
	});

	test('refuses a reader key before anything is sent', async () => {
		const { error } = await run('delete', inSpace(), asReader());
		expect(error?.message).toContain('No permission to delete the space "Work"');
		expect(await names()).toContain('Work');
	});

	test('reports a missing space', async () => {
		expect((await run('delete', { space: byId('gone') })).error).toMatchObject({ httpCode: '404' });
	});
});

describe('copy', () => {
	const rowsIn = async (id: string) => {
		const client = world.client;
		const grid = (await client.grids.many(await client.spaces.get(id))).items[0];
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

	test('refuses an invalid choice', async () => {
		const { error } = await run('copy', { ...inSpace(), includeEntities: '={{ "perhaps" }}' });
		expect(error?.message).toContain('"Include Rows"');
	});

	test('reports a missing space', async () => {
		expect((await run('copy', { space: byId('gone') }, asReader())).error).toMatchObject({ httpCode: '404' });
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

	test('of an unknown type are refused before anything is sent', async () => {
		const unknown = await run('get', { ...inSpace(), includeContents: '={{ ["nonsense"] }}' });
		expect(unknown.error?.message).toContain('"Include Contents"');
	});
});

const referencesSchema = z.array(z.object({ type: z.string(), id: z.string(), href: z.string() }));

test('lists spaces by name in the picker', async () => {
	const { listSearch } = new Space().methods;
	const context = loadOptionsContext({
		type: 'n8n-nodes-datagrid.space',
		parameters: { resource: 'space', operation: 'get' },
		credentials: { dataGridApi: world.owner },
	});
	const { results } = await listSearch.searchSpaces.call(context, 'wor');
	expect(results).toContainEqual({ name: 'Work', value: spaceId });
});
