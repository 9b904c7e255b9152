import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { addUser } from '../../../service/cli/commands';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import { startFaultProxy, type FaultProxy } from '../../../testbed/proxy/faultProxy';
import { OpaqueAddresses, rewrite } from '../../../testbed/proxy/rewriting';
import type { Client } from '../../../client';
import type { Field } from '../../../client/resources/fields';
import type { Grid } from '../../../client/resources/grids';
import { makeGrid, makeSpace } from '../../../testbed/world/makeGrid';
import { byId, textOf } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';

/** Create with the role creator (§5): adds rows to a grid that the caller may not read. */
let folder: string;
let world: World;
let owner: Client;
let grid: Grid;
let fields: Map<string, Field>;
let proxy: FaultProxy;
let people: Record<'creator' | 'stranger', Record<string, string>>;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'datagrid-'));
	const data = join(folder, 'data.db');
	world = await World.start({ data });
	owner = world.client;
	const spaceId = await makeSpace(owner, 'Inbox');
	({ grid, fields } = await makeGrid(owner, spaceId, 'Orders', {
		Title: 'string',
		Amount: 'decimal',
		Due: 'date',
	}));
	proxy = await startFaultProxy(world.service.url);
	const person = (name: string) => {
		const { key, secret, email } = addUser(data, name, undefined);
		return { baseUrl: proxy.url, authentication: 'apiKey', key, secret, email };
	};
	people = { creator: person('creator'), stranger: person('stranger') };
	const share = { email: people.creator['email'] ?? '', role: 'creator' };
	await owner.shares.create(await owner.spaces.get(spaceId), share);
});
beforeEach(() => {
	proxy.setRules();
});
afterAll(async () => {
	await proxy.stop();
	await world.stop();
	rmSync(folder, { recursive: true });
});

const idOf = (name: string) => fields.get(name)?.id ?? '';
const auto = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] };
/** Columns as the editor stores them with a mapping. */
const schema = () => [
	{ id: idOf('Title'), displayName: 'Title', type: 'string' },
	{ id: idOf('Amount'), displayName: 'Amount', type: 'number' },
	{ id: idOf('Due'), displayName: 'Due', type: 'dateTime' },
];

async function create(
	columns: object,
	input: IDataObject[] = [{}],
	more: INodeParameters = {},
	who = people.creator,
) {
	const chosen = { space: byId(grid.address.spaceId), grid: byId(grid.id) };
	const parameters: INodeParameters = { ...chosen, columns: { ...columns }, ...more };
	return await world.run(
		{ node: 'entity', resource: 'entity', operation: 'create', parameters },
		{ credentials: { dataGridApi: who }, input },
	);
}

/** Reads the values of a row as the owner. */
async function stored(id: unknown) {
	const row = await owner.entities.get(grid, String(id));
	return [...fields.values()].map((field) => row[field.id] ?? null);
}

test('writes values that a user with read access has mapped', async () => {
	const value = { [idOf('Title')]: 'A', [idOf('Amount')]: 1.5, [idOf('Due')]: '2026-03-01' };
	const { rows, error } = await create({ mappingMode: 'defineBelow', value, schema: schema() });
	expect(error).toBeUndefined();
	expect(rows).toEqual([{ _id: expect.any(String) as unknown, Title: 'A', Amount: 1.5, Due: '2026-03-01' }]);
	expect(await stored(rows[0]?.['_id'])).toEqual(['A', 1.5, '2026-03-01']);
});

test('matches input members by column names stored in the workflow, and converts them', async () => {
	const { rows, error } = await create({ ...auto, schema: schema() }, [{ Title: 7, Amount: '2' }]);
	expect(error).toBeUndefined();
	expect(await stored(rows[0]?.['_id'])).toEqual(['7', 2, null]);
});

test('without stored columns, uses input members as keys and IDs', async () => {
	const key = fields.get('Title')?.key ?? '';
	const { rows, error } = await create(auto, [{ [key]: 'B', [idOf('Amount')]: 3 }, { [key]: 'C' }]);
	expect(error).toBeUndefined();
	expect(await stored(rows[0]?.['_id'])).toEqual(['B', 3, null]);
	expect(await stored(rows[1]?.['_id'])).toEqual(['C', null, null]);
	const requested = proxy.requests.map(({ method, path }) => `${method} ${path.split('/').at(-1) ?? ''}`);
	expect(requested).toEqual([
		'GET me',
		`GET ${grid.id}`,
		'POST entities?layout=keyAndField',
		'POST entities?layout=keyAndField',
	]);
});

test('outputs the values sent if the row cannot be read back', async () => {
	const { rows, hints } = await create(auto, [{ [idOf('Title')]: 'D' }], {
		options: { readRowsBack: true },
	});
	expect(rows).toEqual([{ _id: expect.any(String) as unknown, [idOf('Title')]: 'D' }]);
	expect(hints).toEqual([expect.stringContaining('could not be read back')]);
});

test('outputs the opaque address of a row that cannot be read instead of its ID', async () => {
	const opaque = new OpaqueAddresses();
	proxy.setRules(rewrite(opaque.rewriting));
	const { rows, error } = await create(auto, [{ [idOf('Title')]: 'E' }, { [idOf('Title')]: 'F' }]);
	expect(error).toBeUndefined();
	expect(rows).toEqual([
		{ _id: null, _href: expect.stringMatching(/^\/go\//) as unknown, [idOf('Title')]: 'E' },
		{ _id: null, _href: expect.stringMatching(/^\/go\//) as unknown, [idOf('Title')]: 'F' },
	]);
	const path = opaque.path(textOf(rows[0]?.['_href'])) ?? '';
	expect((await stored(path.split('/').at(-1)))[0]).toBe('E');
});

test('fails without the space, because the address is then unknown', async () => {
	const { error } = await create(auto, [{ [idOf('Title')]: 'G' }], { space: byId('') });
	expect(error?.message).toContain('Permission denied');
});

test('refuses options that require reading before anything is written', async () => {
	const { error } = await create(auto, [{ [idOf('Title')]: 'I' }], {
		options: { avoidDuplicatesBy: [idOf('Title')] },
	});
	expect(error?.message).toContain('No permission to read the rows');
	expect(proxy.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('the editor explains how to add rows without reading', async () => {
	const context = loadOptionsContext({
		type: 'n8n-nodes-datagrid.entity',
		parameters: { space: byId(grid.address.spaceId), grid: byId(grid.id) },
		credentials: { dataGridApi: people.creator },
	});
	const { fields: shown, emptyFieldsNotice } = await new Entity().methods.resourceMapping.getColumns.call(
		context,
	);
	expect(shown).toEqual([]);
	expect(emptyFieldsNotice).toContain('may not read the columns');
});
