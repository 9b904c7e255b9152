import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';
import { OWN_CLOCK, passTime } from '../../fixtures/passingTime';
import { readList } from '../../../client';

const history = { resource: 'history' };
const world = new ProxiedWorld({ now: () => Date.now() });
let orders: WorldGrid;
let jobs = 0;

beforeAll(async () => {
	orders = await world.grid({ Order: 'string' });
});

const wait = (seconds: number) => {
	passTime(seconds);
	world.proxy.setRules(() => OWN_CLOCK);
};

const job = () => ({ sinceWhat: 'confirmed', positionName: `job ${++jobs}`, positionsIn: 'positions' });
const read = async (parameters: INodeParameters) => {
	const { rows, error } = await orders.run('getChanges', parameters, [{}], history);
	expect(error).toBeUndefined();
	return rows;
};
const confirm = async (rows: IDataObject[]) => {
	const { error } = await orders.run('confirmChanges', {}, rows, history);
	expect(error).toBeUndefined();
};
const idsOf = (rows: IDataObject[]) => rows.map(({ _id }) => _id);

test('a job lists each change until it confirms it, from its first run on', async () => {
	await orders.fill({ Order: 'before' });
	wait(180);
	const parameters = job();
	expect(await read(parameters)).toEqual([]);
	const ids = await orders.fill({ Order: 'A' }, { Order: 'B' });
	wait(180);
	const rows = await read(parameters);
	expect(idsOf(rows)).toEqual(ids);
	// The workflow failed half-way.
	expect(await read(parameters)).toMatchObject(ids.map((_id) => ({ _id })));
	await confirm(rows.slice(0, 1));
	expect(await read(parameters)).toEqual([]);
	const [late] = await orders.fill({ Order: 'C' });
	expect(await read(parameters)).toEqual([]);
	wait(180);
	expect(idsOf(await read(parameters))).toEqual([late]);
});

test('says why a run lists nothing', async () => {
	const parameters = job();
	const hintsOf = async () => (await orders.run('getChanges', parameters, [{}], history)).hints.join();
	expect(await hintsOf()).toContain('later runs list the changes from now on');
	await orders.fill({ Order: 'new' });
	expect(await hintsOf()).toContain('or only in the last two minutes');
	wait(180);
	expect(await hintsOf()).toBe('');
});

test('the first run can begin at the start, and jobs are apart', async () => {
	wait(180);
	const one = { ...job(), firstTime: 'start' };
	const rows = await read(one);
	expect(rows.length).toBeGreaterThan(0);
	await confirm(rows);
	expect(await read(one)).toEqual([]);
	expect(await read({ ...job(), firstTime: 'start' })).toHaveLength(rows.length);
});

test('a run that was overtaken does not move the position back', async () => {
	wait(180);
	const parameters = job();
	expect(await read(parameters)).toEqual([]);
	await orders.fill({ Order: 'D' });
	wait(180);
	const first = await read(parameters);
	await orders.fill({ Order: 'E' });
	wait(180);
	const second = await read(parameters);
	expect([first.length, second.length]).toEqual([1, 2]);
	await confirm(second);
	await confirm(first);
	expect(await read(parameters)).toEqual([]);
});

test('a position that a person set back is kept', async () => {
	wait(180);
	const parameters = job();
	expect(await read(parameters)).toEqual([]);
	await orders.fill({ Order: 'F' });
	wait(180);
	const rows = await read(parameters);
	const grids = await readList(
		world.client.grids.list(await world.client.spaces.get(orders.grid.address.spaceId)),
	);
	const id = grids.items.find(({ key }) => key === 'positions')?.id ?? '';
	const grid = await world.client.grids.open({ ...orders.grid.address, gridId: id });
	const [name, position] = await world.client.fields.of(grid);
	const { items } = await world.client.entities.many(grid);
	const row = items.find((one) => one[name?.id ?? ''] === parameters.positionName);
	await world.client.entities.update(grid, row?._id ?? '', { [position?.id ?? '']: '2020-01-01T00:00:00Z' });
	await confirm(rows);
	expect((await read(parameters)).length).toBeGreaterThan(rows.length);
});

test('items without a position are an error', async () => {
	const { error } = await orders.run('confirmChanges', {}, [{ event: 'created' }], history);
	expect(error?.message).toContain('None of the items carries "_position"');
});
