import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readList, type Client } from '../../../client';
import type { Grid } from '../../../client/resources/grids';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { POLL_LIMIT } from '../../../nodes/EntityTrigger/run';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import type { Fault } from '../../../testbed/proxy/faultProxy';
import { freezeSchema, publishedSchema, schemaOf } from '../outputSchema';
import { loadOptionsContext, pollContext, type NodeSettings } from '../../../testbed/engine/engine';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';
import { newId, post } from '../../../testbed/world/makeGrid';
import { anotherProcess } from '../../simulation/feedNodes';

const trigger = new EntityTrigger();
const world = new ProxiedWorld({ seed: 'demo' });
let client: Client;
let orders: WorldGrid;
let grid: Grid;

beforeAll(async () => {
	({ client } = world);
	orders = await world.demoGrid('Orders');
	({ grid } = orders);
});

afterEach(() => {
	jest.restoreAllMocks();
});

/** A poll retries as long as it may take. */
const pollBriefly = () => jest.replaceProperty(POLL_LIMIT, 'ms', 2000);

const locatorOf = ({ address }: Grid) => ({
	__rl: true,
	mode: 'list',
	value: `${address.spaceId}/${address.gridId}`,
});

function settingsFor(parameters: INodeParameters = {}, secret = world.owner.secret): NodeSettings {
	return {
		type: 'n8n-nodes-datagrid.entityTrigger',
		parameters: { grid: locatorOf(grid), events: ['created', 'updated', 'deleted'], ...parameters },
		credentials: {
			dataGridApi: { ...world.owner, baseUrl: world.proxy.url, secret },
		},
	};
}

async function activated(parameters: INodeParameters = {}): Promise<ActiveTrigger> {
	const active = new ActiveTrigger(trigger, settingsFor(parameters));
	expect(await active.activate()).toEqual([]);
	return active;
}

const field = (name: string) => orders.id(name);

const create = async (order: string) =>
	newId(await client.entities.create(grid, { [field('Order')]: order }));

const idsOf = (rows: IDataObject[]) => rows.map(({ _id }) => _id);

describe('events', () => {
	test('existing rows are not emitted; created, updated and deleted rows are, once each', async () => {
		const active = await activated();
		const id = await create('T-1');
		expect(await active.poll()).toMatchObject([{ event: 'created', _id: id, row: { Order: 'T-1' } }]);
		await client.entities.update(grid, id, { [field('Order')]: 'T-2' });
		expect(await active.poll()).toMatchObject([
			{ event: 'updated', _id: id, changes: [{ field: 'Order', old: 'T-1', new: 'T-2' }] },
		]);
		await client.entities.remove(grid, id);
		expect(await active.poll()).toMatchObject([{ event: 'deleted', _id: id }]);
		expect(await active.poll()).toEqual([]);
	});

	test('a row whose deletion is undone comes back once, as the same row', async () => {
		const active = await activated();
		const id = await create('T-back');
		await client.entities.remove(grid, id);
		expect((await active.poll()).map(({ event }) => event)).toEqual(['created', 'deleted']);
		const { userId, spaceId, gridId } = grid.address;
		const { key, secret } = world.owner;
		const path = `/api/users/${userId}/spaces/${spaceId}/grids/${gridId}/entities/${id}/restore`;
		const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
		const { status } = await fetch(world.proxy.url + path, { method: 'POST', headers: { authorization } });
		expect(status).toBe(200);
		expect(await active.poll()).toMatchObject([{ event: 'created', _id: id, row: { Order: 'T-back' } }]);
		expect(await active.poll()).toEqual([]);
	});

	test('an idle poll is one request', async () => {
		const unchanged = await world.grid({ Title: 'string' });
		const active = await activated({ grid: locatorOf(unchanged.grid) });
		world.proxy.setRules();
		expect(await active.poll()).toEqual([]);
		expect(world.proxy.requests).toHaveLength(1);
		expect(world.proxy.requests[0]?.path).toContain('/updates?');
	});

	test('emits only the chosen kinds of events', async () => {
		const active = await activated({ events: ['deleted'] });
		const id = await create('T-kinds');
		expect(await active.poll()).toEqual([]);
		await client.entities.remove(grid, id);
		expect(await active.poll()).toMatchObject([{ event: 'deleted', _id: id }]);
	});

	test('emits an update only if a watched column changed', async () => {
		const active = await activated({ events: ['updated'], options: { watched: [field('Notes')] } });
		const id = await create('T-watched');
		await client.entities.update(grid, id, { [field('Order')]: 'T-unwatched' });
		expect(await active.poll()).toEqual([]);
		await client.entities.update(grid, id, { [field('Notes')]: 'watched' });
		expect(await active.poll()).toMatchObject([{ changes: [{ field: 'Notes', new: 'watched' }] }]);
	});

	test('a column that is added later is not a watched one', async () => {
		const other = await world.grid({ Order: 'string', Notes: 'string' });
		const watched = [other.id('Notes')];
		const on = await activated({ grid: locatorOf(other.grid), events: ['updated'], options: { watched } });
		const [row = ''] = await other.fill({ Order: 'A' });
		expect(await on.poll()).toEqual([]);
		const added = (await client.fields.add(other.grid, { name: 'Added', type: { name: 'string' } })) ?? '';
		await client.entities.update(other.grid, row, { [added]: 'not watched' });
		expect(await on.poll()).toEqual([]);
		await client.entities.update(other.grid, row, { [other.id('Notes')]: 'watched' });
		expect(await on.poll()).toMatchObject([{ changes: [{ field: 'Notes', new: 'watched' }] }]);
	});

	test('emits only rows of the chosen view, and deleted rows', async () => {
		const view = await orders.view(['Order'], { Order: { $eq: 'wanted' } }, 'Wanted');
		const { results } = await trigger.methods.listSearch.searchViews.call(loadOptionsContext(settingsFor()));
		expect(results).toContainEqual(expect.objectContaining({ name: 'Wanted', value: view }));
		const active = await activated({ options: { view } });
		const inside = await create('wanted');
		const outside = await create('unwanted');
		expect(idsOf(await active.poll())).toEqual([inside]);
		await client.entities.remove(grid, outside);
		expect(await active.poll()).toMatchObject([{ event: 'deleted', _id: outside }]);
	});

	test('a watched column that is gone is an error at the activation and at a poll with changes', async () => {
		const watched = ['gone'];
		const active = new ActiveTrigger(trigger, settingsFor({ options: { watched } }));
		await expect(active.activate()).rejects.toThrow('The grid has no column "gone"');
		const other = await world.grid({ Order: 'string', Doomed: 'string' });
		const doomed = other.id('Doomed');
		const on = await activated({ grid: locatorOf(other.grid), options: { watched: [doomed] } });
		await other.fill({ Order: 'A' });
		expect(await on.poll()).toHaveLength(1);
		await client.fields.remove(other.grid, doomed);
		await other.fill({ Order: 'B' });
		await expect(on.poll()).rejects.toThrow(`The grid has no column "${doomed}"`);
		await expect(on.activate()).rejects.toThrow(`The grid has no column "${doomed}"`);
	});

	test('a view that is gone is an error at the activation and at a poll with changes', async () => {
		const gone = new ActiveTrigger(trigger, settingsFor({ options: { view: 'gone' } }));
		await expect(gone.activate()).rejects.toThrow('The grid has no view "gone"');
		const other = await world.grid({ Order: 'string' });
		const view = await other.view(['Order']);
		const active = await activated({
			grid: locatorOf(other.grid),
			events: ['deleted'],
			options: { view, includeDeleted: false },
		});
		await client.grids.remove(await client.grids.open({ ...other.grid.address, gridId: view }));
		expect(await active.poll()).toEqual([]);
		await other.fill({ Order: 'A' });
		await expect(active.poll()).rejects.toThrow(`The grid has no view "${view}"`);
		await expect(active.activate()).rejects.toThrow(`The grid has no view "${view}"`);
	});

	test('a view is found by its name within a grid that is found by its key', async () => {
		const listed = {
			name: 'By name',
			fields: [field('Order')],
			filter: { [field('Order')]: { $eq: 'named' } },
		};
		const view = newId(await client.views.create(grid, listed));
		const by = (mode: string, value: string) => ({ __rl: true, mode, value });
		const parameters = {
			grid: by('key', 'operations/orders'),
			options: { view: by('name', 'By name'), includeDeleted: false },
		};
		const active = await activated(parameters);
		const inside = await create('named');
		await create('not named');
		expect(idsOf(await active.poll())).toEqual([inside]);
		world.proxy.setRules();
		expect(await active.poll()).toEqual([]);
		expect(world.proxy.requests).toHaveLength(1);
		await client.grids.remove(await client.grids.open({ ...grid.address, gridId: view }));
		await create('named');
		await expect(active.poll()).rejects.toThrow('has no view');
		await client.views.create(grid, listed);
		expect(await active.poll()).toHaveLength(1);
	});

	test('a view with an unknown name is an error at the activation', async () => {
		const view = { __rl: true, mode: 'name', value: 'No such view' };
		const active = new ActiveTrigger(trigger, settingsFor({ events: ['entered'], options: { view } }));
		await expect(active.activate()).rejects.toThrow('"No such view"');
	});

	test('the changes of the own user are ignored', async () => {
		const active = await activated({ options: { ignoreChangesBy: ['me'] } });
		await create('T-own');
		expect(await active.poll()).toEqual([]);
		const others = await activated({ options: { ignoreChangesBy: ['somebody else'] } });
		await create('T-others');
		expect(await others.poll()).toHaveLength(1);
	});

	test('a column that becomes one of some values starts the workflow', async () => {
		const to = { column: field('Notes'), values: ['late'] };
		const active = await activated({ options: { becomes: { to } } });
		const id = await create('T-becomes');
		await client.entities.update(grid, id, { [field('Notes')]: 'early' });
		expect(await active.poll()).toEqual([]);
		await client.entities.update(grid, id, { [field('Notes')]: 'late' });
		await client.entities.update(grid, id, { [field('Order')]: 'T-becomes-2' });
		expect(await active.poll()).toMatchObject([{ changes: [{ field: 'Notes', new: 'late' }] }]);
	});

	test('rows that enter and leave a view are reported once each, whoever moved them', async () => {
		const other = await world.grid({ Order: 'string', State: 'string' });
		const state = other.id('State');
		const view = await other.view(['Order'], { State: { $eq: 'late' } });
		const [there = '', later = ''] = await other.fill(
			{ Order: 'A', State: 'late' },
			{ Order: 'B', State: 'early' },
		);
		const active = await activated({
			grid: locatorOf(other.grid),
			events: ['entered', 'left'],
			options: { view, ignoreChangesBy: ['me'] },
		});
		expect(await active.poll()).toEqual([]);
		await client.entities.update(other.grid, later, { [state]: 'late' });
		expect(await active.poll()).toMatchObject([{ event: 'entered', _id: later, row: { Order: 'B' } }]);
		expect(await active.poll()).toEqual([]);
		await client.entities.update(other.grid, later, { [state]: 'early' });
		await client.entities.remove(other.grid, there);
		expect(await active.poll()).toMatchObject([
			{ event: 'left', _id: there, deleted: true, row: null },
			{ event: 'left', _id: later, deleted: false, row: { Order: 'B' } },
		]);
		expect(await active.poll()).toEqual([]);
	});

	test('a view is checked every minute by polls that are a little less than a minute apart', async () => {
		const other = await world.grid({ Order: 'string' });
		const options = { view: await other.view(['Order']), checkViewEvery: 1 };
		const active = await activated({ grid: locatorOf(other.grid), events: ['entered'], options });
		const hasRead = async () => {
			world.proxy.setRules();
			expect(await active.poll()).toEqual([]);
			return world.proxy.requests.some(({ path }) => path.includes('/entities'));
		};
		expect(await hasRead()).toBe(false);
		const later = Date.now() + 59_900;
		jest.spyOn(Date, 'now').mockImplementation(() => later);
		expect(await hasRead()).toBe(true);
		expect(await hasRead()).toBe(false);
	});

	test.each([
		['name', 'Order'],
		['key', 'order'],
	])('columns are named by %s', async (columnNaming, expected) => {
		const active = await activated({ options: { columnNaming } });
		await create('T-naming');
		expect(await active.poll()).toMatchObject([{ row: { [expected]: 'T-naming' } }]);
	});

	test('reads the current state of the full entity', async () => {
		const active = await activated({ options: { fullEntity: true } });
		const id = await create('T-before');
		await client.entities.update(grid, id, { [field('Order')]: 'T-now' });
		expect(await active.poll()).toMatchObject([
			{ event: 'created', row: { _id: id, Order: 'T-now' } },
			{ event: 'updated', row: { _id: id, Order: 'T-now' } },
		]);
	});

	test('requests no full entity for a deletion', async () => {
		const active = await activated({ options: { fullEntity: true } });
		const id = await create('T-gone');
		expect(idsOf(await active.poll())).toEqual([id]);
		await client.entities.remove(grid, id);
		world.proxy.setRules();
		expect(await active.poll()).toMatchObject([{ event: 'deleted', _id: id, row: null }]);
		expect(world.proxy.requests.filter(({ path }) => path.includes('/entities'))).toEqual([]);
	});

	test('emits at most the chosen number of events per run, in order', async () => {
		const active = await activated({ options: { eventsPerExecution: 2 } });
		const written: string[] = [];
		for (let number = 0; number < 5; number++) written.push(await create(`T-burst-${number}`));
		const batches = [await active.poll(), await active.poll(), await active.poll(), await active.poll()];
		expect(batches.map(idsOf)).toEqual([written.slice(0, 2), written.slice(2, 4), written.slice(4), []]);
	});

	test('"Start From" emits the changes since that time', async () => {
		const startFrom = new Date(Date.now() - 1).toISOString();
		const id = await create('T-since');
		const active = new ActiveTrigger(trigger, settingsFor({ options: { startFrom } }));
		expect(idsOf(await active.activate())).toContain(id);
		expect(await active.poll()).toEqual([]);
	});
});

describe('Fetch Test Event', () => {
	test('shows only the newest event, as n8n requires, and does not move the cursor', async () => {
		const active = await activated();
		const before = await create('T-manual-before');
		const id = await create('T-manual');
		const manual = pollContext(settingsFor(), { mode: 'manual', activation: 'manual' });
		const shown = (await trigger.poll.call(manual.context))?.flat() ?? [];
		expect(shown.map(({ json }) => json)).toMatchObject([{ event: 'created', _id: id }]);
		expect(manual.workflow.staticData).toEqual({});
		expect(idsOf(await active.poll())).toEqual([before, id]);
	});

	test('shows the newest event of a row in the chosen view', async () => {
		const view = await orders.view(['Order'], { Order: { $eq: 'shown' } });
		const inside = await create('shown');
		await create('not shown');
		const { context } = pollContext(settingsFor({ options: { view } }), { mode: 'manual' });
		const shown = (await trigger.poll.call(context))?.flat() ?? [];
		expect(shown.map(({ json }) => json)).toMatchObject([{ event: 'created', _id: inside }]);
	});

	test('on a grid without changes says that there is no event to show', async () => {
		const created = await post(client.session, {
			href: `${world.service.url}/api/users/${world.service.userId}/spaces/${grid.address.spaceId}/grids`,
			body: { name: 'Untouched' },
		});
		const value = `${grid.address.spaceId}/${created.id}`;
		const { context } = pollContext(settingsFor({ grid: { __rl: true, mode: 'list', value } }), {
			mode: 'manual',
		});
		await expect(trigger.poll.call(context)).rejects.toThrow('There is no event to show');
	});
});

describe('the cursor', () => {
	test('survives a restart of n8n', async () => {
		const active = await activated();
		await create('T-restart-1');
		await active.poll();
		const id = await create('T-restart-2');
		expect(idsOf(await active.activate(await anotherProcess()))).toEqual([id]);
	});

	test('survives a rename of the node, which changes the name under which n8n stores it', async () => {
		const active = await activated();
		const id = await create('T-renamed');
		const kept = JSON.parse(active.saved ?? '{}') as IDataObject;
		delete kept['node:DataGrid'];
		active.saved = JSON.stringify(kept);
		expect(idsOf(await active.activate(await anotherProcess()))).toEqual([id]);
	});

	test('is not used by another node with the old name', async () => {
		const active = await activated();
		const id = await create('T-taken-over');
		const foreign = (active.saved ?? '').replaceAll('6d1f4d2e-0000', '6d1f4d2e-1111');
		active.saved = foreign;
		expect(idsOf(await active.activate(await anotherProcess()))).toEqual([]);
		expect(idsOf(await active.poll())).not.toContain(id);
	});

	test('a poll that overlaps another one is left to the next interval', async () => {
		const active = await activated();
		const id = await create('T-overlap');
		world.proxy.setRules(() => ({ kind: 'latency', milliseconds: 200 }));
		const [first, second] = await Promise.all([active.poll(), active.poll()]);
		expect([idsOf(first), second]).toEqual([[id], []]);
	});

	test('an edit during a slow poll duplicates no event', async () => {
		const active = await activated();
		const id = await create('T-edited');
		world.proxy.setRules(() => ({ kind: 'latency', milliseconds: 200 }));
		const slow = active.poll();
		active.load();
		expect(await active.poll()).toEqual([]);
		const emitted = await slow;
		world.proxy.setRules();
		// Newer n8n versions drop the result of the slow poll, so the next poll must emit it.
		for (let polls = 0; polls < 2; polls++) emitted.push(...(await active.poll()));
		expect(idsOf(emitted)).toEqual([id]);
	});

	test('starts again for another grid', async () => {
		const active = await activated();
		await create('T-old-grid');
		const space = await client.spaces.get(grid.address.spaceId);
		const other = (await readList(client.grids.list(space))).items.find(({ name }) => name === 'Customers');
		active.settings = settingsFor({
			grid: { __rl: true, mode: 'list', value: `${space.id}/${other?.id ?? ''}` },
		});
		expect(await active.activate()).toEqual([]);
		expect(await active.poll()).toEqual([]);
	});

	test('of a newer version is refused, and not discarded', async () => {
		const active = await activated();
		active.saved = (active.saved ?? '').replaceAll('"v":1', '"v":999');
		await expect(active.activate(await anotherProcess())).rejects.toThrow('newer version');
	});

	test('that cannot be read causes an error, not a new start', async () => {
		const active = await activated();
		active.saved = (active.saved ?? '').replaceAll(/"low":\d+/g, '"low":null');
		await expect(active.activate(await anotherProcess())).rejects.toThrow('cannot be read');
	});

	test('is advanced by a poll with a time limit of n8n', async () => {
		const active = await activated();
		const id = await create('T-budget');
		active.load();
		const { context } = pollContext(active.settings, {
			staticData: JSON.parse(active.saved ?? '{}') as IDataObject,
		});
		const items = await trigger.poll.call(Object.assign(context, { getPollBudgetMs: () => 20_000 }));
		expect(items?.flat().map(({ json }) => json['_id'])).toEqual([id]);
	});
});

test('two triggers of a workflow with the same node ID get each event', async () => {
	const active = await activated();
	const copy = new ActiveTrigger(trigger, { ...active.settings, name: 'DataGrid1' });
	copy.saved = active.saved;
	await copy.activate();
	const id = await create('T-copied');
	expect(idsOf(await active.poll())).toEqual([id]);
	expect(idsOf(await copy.poll())).toEqual([id]);
	const both = await Promise.all([active.poll(), copy.poll()]);
	expect(both).toEqual([[], []]);
});

describe('a poll whose output fails', () => {
	test('is repeated by the next poll without reading the feed again', async () => {
		const active = await activated({ options: { fullEntity: true } });
		const id = await create('T-output');
		pollBriefly();
		world.proxy.setRules(({ path }) =>
			path.includes('/entities/') ? { kind: 'response', status: 403 } : undefined,
		);
		await expect(active.poll()).rejects.toThrow();
		world.proxy.setRules();
		expect(idsOf(await active.poll())).toEqual([id]);
		expect(world.proxy.requests.filter(({ path }) => path.includes('/updates?'))).toEqual([]);
		expect(await active.poll()).toEqual([]);
	});
});

describe('an n8n that stores the cursor with the execution', () => {
	/** Polls with a new context and the stored data, as n8n does. */
	const pollWatched = async (active: ActiveTrigger, node = trigger) => {
		const staticData = JSON.parse(active.saved ?? '{}') as IDataObject;
		const { context, workflow } = pollContext(active.settings, { staticData });
		const items = await node.poll.call(Object.assign(context, { getPollBudgetMs: () => 20_000 }));
		const store = () => (active.saved = JSON.stringify(workflow.staticData));
		return { ids: items?.flat().map(({ json }) => json['_id']), store };
	};

	test('polls again before it has stored a batch: no event is emitted twice', async () => {
		const active = await activated();
		const first = await create('T-being-stored');
		const batch = await pollWatched(active);
		expect(batch.ids).toEqual([first]);
		const second = await create('T-meanwhile');
		expect((await pollWatched(active)).ids).toBeUndefined();
		batch.store();
		expect((await pollWatched(active)).ids).toEqual([second]);
	});

	test('does not store the cursor of the poll on activation: changes until the next poll are emitted', async () => {
		const active = new ActiveTrigger(trigger, settingsFor());
		const node = await anotherProcess();
		expect((await pollWatched(active, node)).ids).toBeUndefined();
		const id = await create('T-after-activation');
		expect((await pollWatched(active, node)).ids).toEqual([id]);
	});

	test('has discarded a batch: it is emitted again after a minute', async () => {
		const active = await activated();
		const id = await create('T-thrown-away');
		expect((await pollWatched(active)).ids).toEqual([id]);
		const now = performance.now.bind(performance);
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
		expect((await pollWatched(active)).ids).toEqual([id]);
		clock.mockRestore();
	});
});

describe('delivery at least once', () => {
	const atLeastOnce = { options: { delivery: 'atLeastOnce' } };

	test('a batch that was emitted before n8n was killed is emitted once more and marked', async () => {
		const active = await activated(atLeastOnce);
		const id = await create('T-killed');
		const emitted = await active.poll();
		expect(emitted.map(({ _id, redelivered }) => [_id, redelivered])).toEqual([[id, undefined]]);
		const after = await anotherProcess();
		expect(await active.activate(after)).toMatchObject([{ _id: id, redelivered: true }]);
		expect(await active.poll(after)).toEqual([]);
	});
});

describe('activation', () => {
	const down: Fault = { kind: 'response', status: 503 };

	test('while the service is unavailable: the workflow stays active and catches up', async () => {
		const active = await activated();
		const id = await create('T-down');
		pollBriefly();
		world.proxy.setRules(() => down);
		expect(await active.activate()).toEqual([]);
		await expect(active.poll()).rejects.toThrow('The service reported an error');
		world.proxy.setRules();
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('with a time limit of n8n, while the service is unavailable: an error, as n8n polls again', async () => {
		const active = await activated();
		pollBriefly();
		world.proxy.setRules(() => down);
		const { context } = pollContext(active.settings, {
			staticData: JSON.parse(active.saved ?? '{}') as IDataObject,
		});
		const activation = (await anotherProcess()).poll.call(
			Object.assign(context, { getPollBudgetMs: () => 20_000 }),
		);
		await expect(activation).rejects.toThrow('The service reported an error');
	});

	test('for the first time while the service is unavailable: an error, because events could be lost', async () => {
		pollBriefly();
		world.proxy.setRules(() => down);
		await expect(new ActiveTrigger(trigger, settingsFor()).activate()).rejects.toThrow('reported an error');
	});

	test('with a key that is refused at first: catches up later, and the error lacks the word "authorization"', async () => {
		const active = await activated();
		const id = await create('T-refused');
		const body = JSON.stringify({ message: 'Authorization header is wrong' });
		world.proxy.setRules(() => ({ kind: 'response', status: 401, body }));
		const refused: unknown = await active.activate().catch((error: unknown) => error);
		expect(refused).toBeInstanceOf(Error);
		expect(JSON.stringify([refused, String(refused)])).not.toMatch(/authorization/i);
		expect(JSON.stringify([refused, String(refused)])).not.toContain(world.owner.secret);
		world.proxy.setRules();
		expect(idsOf(await active.activate())).toEqual([id]);
	});
});

const ALWAYS = 99;

/**
 * Faults of the requests of one poll. `fails`: the poll ends with an error, and the next one
 * catches up.
 */
const faults: Array<[name: string, fault: Fault, times: number, fails: boolean]> = [
	['503 once', { kind: 'response', status: 503 }, 1, false],
	['429 throughout', { kind: 'response', status: 429 }, ALWAYS, true],
	['a connection reset after the request was processed', { kind: 'resetAfter' }, 1, false],
	['a truncated body', { kind: 'cutBody' }, 1, false],
	['truncated JSON', { kind: 'halfBody' }, 1, true],
	['JSON that is no feed', { kind: 'response', status: 200, body: '{"ok":true}' }, 1, true],
	['a Date header a day ahead', { kind: 'date', skew: 86_400_000 }, ALWAYS, false],
	['a Date header a day behind', { kind: 'date', skew: -86_400_000 }, ALWAYS, false],
	['no Date header', { kind: 'date', skew: undefined }, ALWAYS, false],
];

describe('faults of the connection: no event is lost or duplicated', () => {
	test.each(faults)('%s', async (_name, fault, times, fails) => {
		const active = await activated({ options: { eventsPerExecution: 3 } });
		const written: string[] = [];
		for (let number = 0; number < 5; number++) written.push(await create(`T-fault-${number}`));

		if (times === ALWAYS) pollBriefly();
		world.proxy.setRules((_request, number) => (number <= times ? fault : undefined));
		const outcome = await active.poll().then(
			(rows) => ({ failed: false, rows }),
			() => ({ failed: true, rows: [] }),
		);
		expect(outcome.failed).toBe(fails);
		world.proxy.setRules();
		const emitted = [...outcome.rows];
		for (let polls = 0; polls < 3; polls++) emitted.push(...(await active.poll()));
		written.push(await create('T-fault-after'));
		emitted.push(...(await active.poll()));
		expect(idsOf(emitted)).toEqual(written);
	});
});

test('the published schema has the members of the events', async () => {
	const active = await activated();
	await client.entities.update(grid, await create('T-schema'), { [field('Order')]: 'T-schema-2' });
	const rows = await active.poll();
	expect(rows).toHaveLength(2);
	const columns = [...orders.fields.values()].flatMap(({ id, name }) => [id, name]);
	// "raw" is the original entry, which depends on the service.
	const schema = schemaOf(rows, new Set([...columns, 'raw']));
	if (process.env.FREEZE === '1') freezeSchema({ node: 'entityTrigger' }, schema);
	expect(publishedSchema({ node: 'entityTrigger' })).toEqual(schema);
});
