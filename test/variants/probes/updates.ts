import { same } from '../difference';
import { lastOfEach } from '../aspects/feedEntry';
import type { Probe } from './probe';
import type { TrueEvent } from '../truth';
import type { World } from '../world';
import { toldIn, toldOf } from './history';
import { newCells, someRows } from './rows';

const GET_UPDATES = { node: 'grid', resource: 'grid', operation: 'getUpdates' } as const;

/**
 * Changes a row. Without ids of their own, changes that are alike in everything, the moment too,
 * are one: so time goes on.
 */
export async function changeRow(world: World, id: string, Size: number): Promise<void> {
	if (!world.variant.feed.ids.startsWith('own')) world.ground.pass(2);
	await world.grid.change(id, { Size });
}

/** Work on the grid: rows made, changed several times in one moment, and removed. */
async function work(world: World): Promise<void> {
	const rows = await someRows(world, 3);
	const [first, second] = rows;
	if (!first || !second) throw new Error('No rows');
	await world.ground.inOneMoment(async () => {
		for (const Size of [1, 2, 1, 2]) await changeRow(world, first.id, Size);
	});
	await world.grid.change(second.id, { Size: 9 });
	await world.grid.fill([world.kept(newCells(world))]);
	await world.grid.remove(second.id);
}

/**
 * What the feed tells of changes: all of them, or where its
 * entries are rows, the last one of each row.
 */
export function inFeed(world: World, events: readonly TrueEvent[]): TrueEvent[] {
	return world.variant.feed.entry === 'row' ? lastOfEach(events) : [...events];
}

/** Which change of which row, as far as every feed tells. */
const ids = (list: ReadonlyArray<{ entityId: string }>) => list.map(({ entityId }) => entityId).sort();

async function getUpdates(world: World): Promise<void> {
	await work(world);
	const { feed } = world.variant;
	const events = inFeed(world, await world.grid.events());
	world.ground.pass(feed.late);
	const found = await world.rows(GET_UPDATES, {
		...world.inGrid,
		returnAll: true,
		since: '2020-01-01T00:00:00Z',
	});
	const told = found.map((row) => toldIn(world, row));
	if (feed.entry === 'row') {
		same('getUpdates: rows', ids(found.map((row) => ({ entityId: entityIdIn(row) }))), ids(events));
		return;
	}
	const expected = events.map((event) => toldOf(world, event));
	const inAnyOrder = (list: object[]) => list.map((one) => JSON.stringify(one)).sort();
	same('getUpdates: events', inAnyOrder(told), inAnyOrder(expected));
	if (feed.order === 'ascending' && feed.entry !== 'grouped') same('getUpdates: the order', told, expected);
}

const entityIdIn = (row: unknown): string =>
	typeof row === 'object' && row !== null && 'entityId' in row ? String(row.entityId) : '';

export const updateProbes: Probe[] = [{ name: 'grid.getUpdates', every: 2, run: getUpdates }];
