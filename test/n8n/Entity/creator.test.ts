import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { loadOptionsContext, type NodeSettings } from '../../../testbed/engine/engine';
import { OpaqueAddresses, rewrite } from '../../../testbed/proxy/rewriting';
import { byId, textOf } from '../../../testbed/world/parameters';
import { PeopledWorld } from '../../../testbed/world/peopledWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** Create with the role creator (§5): adds rows to a grid that the caller may not read. */
const bed = new PeopledWorld();
let orders: WorldGrid;
let creator: NodeSettings['credentials'];

beforeAll(async () => {
	orders = await bed.grid({ Title: 'string', Amount: 'decimal', Due: 'date' });
	creator = await bed.person('creator');
});

const idOf = (name: string) => orders.id(name);
const auto = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] };
/** Columns as the editor stores them with a mapping. */
const schema = () => [
	{ id: idOf('Title'), displayName: 'Title', type: 'string' },
	{ id: idOf('Amount'), displayName: 'Amount', type: 'number' },
	{ id: idOf('Due'), displayName: 'Due', type: 'dateTime' },
];

const create = async (columns: object, input?: IDataObject[], more: INodeParameters = {}) =>
	await orders.run('create', { columns: { ...columns }, ...more }, input, { credentials: creator });

/** Reads the values of a row as the owner. */
async function stored(id: unknown) {
	const row = await bed.client.entities.get(orders.grid, String(id));
	return [...orders.fields.values()].map((field) => row[field.id] ?? null);
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
	const key = orders.field('Title').key ?? '';
	const { rows, error } = await create(auto, [{ [key]: 'B', [idOf('Amount')]: 3 }, { [key]: 'C' }]);
	expect(error).toBeUndefined();
	expect(await stored(rows[0]?.['_id'])).toEqual(['B', 3, null]);
	expect(await stored(rows[1]?.['_id'])).toEqual(['C', null, null]);
	const requested = bed.proxy.requests.map(({ method, path }) => `${method} ${path.split('/').at(-1) ?? ''}`);
	expect(requested).toEqual([
		'GET me',
		`GET ${orders.grid.id}`,
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
	bed.proxy.setRules(rewrite(opaque.rewriting));
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
	expect(bed.proxy.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('the editor explains how to add rows without reading', async () => {
	const context = loadOptionsContext({
		type: 'n8n-nodes-datagrid.entity',
		parameters: orders.chosen,
		credentials: creator,
	});
	const { fields: shown, emptyFieldsNotice } = await new Entity().methods.resourceMapping.getColumns.call(
		context,
	);
	expect(shown).toEqual([]);
	expect(emptyFieldsNotice).toContain('may not read the columns');
});
