import type { INodeParameters } from 'n8n-workflow';
import { addEntity, idsOf, newGrid, picked, readGrid, rowIn, rowsIn, type GridPick } from './fixture';
import type { Call } from '../../../testbed/world/call';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';

const bed = new ProxiedWorld();
let grid: GridPick;
let count = 0;

beforeEach(async () => {
	count += 1;
	grid = await newGrid(bed, `Things ${count}`, [{ name: 'State', type: 'enum', options: 'new, "old"' }]);
});

const field = (operation: string, parameters: Call['parameters'] = {}): Call => ({
	node: 'grid',
	resource: 'field',
	operation,
	parameters: { ...grid, ...parameters },
});
const columns = async () => rowsIn(await bed.rows(field('getMany', { returnAll: true })));
const named = async (name: string) => (await columns()).find((column) => column.name === name);
const rowsOf = async () => rowsIn(rowIn(await readGrid(bed, grid, '/entities?layout=property')).items);
const throughProxy = async (call: Call) => await bed.run(call);

test('options in the type details are added and replaced by the same rules', async () => {
	await addEntity(bed, grid, { State: 'new' });
	const change = (additionalFields: INodeParameters) =>
		field('update', { field: picked('State'), additionalFields });
	const typeDetails = '{ "options": ["lost"] }';
	await bed.row(change({ typeDetails }));
	expect(await named('State')).toMatchObject({
		type: { options: [{ value: 'new' }, { value: '"old"' }, { value: 'lost' }] },
	});
	const { error } = await bed.run(change({ typeDetails, replaceOptions: true }));
	expect(error?.message).toContain('Options of "State" that would be dropped are in use in 1 row: "new" (1)');
	expect(await rowsOf()).toMatchObject([{ State: 'new' }]);
	const broken = await bed.run(change({ typeDetails: '{ "options": 5 }' }));
	expect(broken.error?.message).toContain('"Options" cannot be used');
});

test('options keep the other members that the service returns', async () => {
	const options = '[{ "value": "red", "label": "Rot", "color": "#f00" }, "blue"]';
	await bed.row(field('create', { name: 'Colour', type: 'enum', options }));
	await bed.row(field('update', { field: picked('Colour'), options: 'green' }));
	const read = await readGrid(bed, grid, `/fields/${String((await named('Colour'))?.id)}`);
	expect(read).toMatchObject({
		type: { options: [{ value: 'red', label: 'Rot', color: '#f00' }, 'blue', 'green'] },
	});
	// People know an option by its label.
	await bed.row(field('update', { field: picked('Colour'), options: 'Rot, green' }));
	expect(await named('Colour')).toMatchObject({
		type: { options: [{ value: 'red' }, { value: 'blue' }, { value: 'green' }] },
	});
	const additionalFields = { replaceOptions: true };
	await bed.row(field('update', { field: picked('Colour'), options: 'green, Rot, red', additionalFields }));
	expect(await readGrid(bed, grid, `/fields/${String((await named('Colour'))?.id)}`)).toMatchObject({
		type: { options: ['green', { value: 'red', label: 'Rot', color: '#f00' }] },
	});
});

test('fails if the grid keeps changing while the rows with an option are counted', async () => {
	const { client } = bed;
	const opened = await client.grids.open(idsOf(grid));
	const rows: string[] = [];
	for (let n = 0; n < 6; n++) rows.push(await addEntity(bed, grid, { State: 'new' }));
	// Pages have two rows. Before each second page, a row is deleted, so that the others move up.
	bed.proxy.setRules(async ({ path }) => {
		if (!path.includes('/entities?')) return undefined;
		if (path.includes('pageIndex=2&')) await client.entities.remove(opened, rows.shift() ?? '');
		return { kind: 'change', request: { path: path.replace(/pageSize=\d+/, 'pageSize=2') } };
	});
	const replacing = field('update', {
		field: picked('State'),
		options: 'lost',
		additionalFields: { replaceOptions: true },
	});
	const { error } = await throughProxy(replacing);
	expect(error?.message).toContain('kept changing while it was read');
	expect(await rowsOf()).toMatchObject([{ State: 'new' }, { State: 'new' }, { State: 'new' }]);
});

test('an option that was added after the column was read is not removed', async () => {
	let isAdded = false;
	// Another user adds an option just before the column is read again.
	bed.proxy.setRules(async ({ method, path }) => {
		if (method !== 'GET' || !/\/fields\/[^/]+$/.test(path) || isAdded) return undefined;
		isAdded = true;
		await bed.row(field('update', { field: picked('State'), options: 'theirs' }));
		return undefined;
	});
	const adding = field('update', { field: picked('State'), options: 'mine' });
	const { error } = await throughProxy(adding);
	expect([error, isAdded]).toEqual([undefined, true]);
	expect(await named('State')).toMatchObject({
		type: { options: [{ value: 'new' }, { value: '"old"' }, { value: 'theirs' }, { value: 'mine' }] },
	});
});

test('a change of the type of a column with options keeps them, and replaces none that rows use', async () => {
	await addEntity(bed, grid, { State: 'new' });
	const change = (parameters: Call['parameters']) =>
		field('update', { field: picked('State'), type: 'enum', options: 'lost', ...parameters });
	await bed.row(change({}));
	expect(await named('State')).toMatchObject({
		type: { options: [{ value: 'new' }, { value: '"old"' }, { value: 'lost' }] },
	});
	const { error } = await bed.run(change({ additionalFields: { replaceOptions: true } }));
	expect(error?.message).toContain('Options of "State" that would be dropped are in use in 1 row: "new" (1)');
	await bed.row(change({ type: 'enumcollection', options: '' }));
	expect(await named('State')).toMatchObject({
		type: { name: 'enumcollection', options: { length: 3 } },
	});
	expect(await rowsOf()).toMatchObject([{ State: ['new'] }]);
	const several = await bed.run(
		change({ type: 'enumcollection', additionalFields: { replaceOptions: true } }),
	);
	expect(several.error?.message).toContain('"new" (1)');
	await bed.row(change({ additionalFields: { replaceOptions: true, dropUsedOptions: true } }));
	expect(await named('State')).toMatchObject({ type: { name: 'enum', options: [{ value: 'lost' }] } });
});
