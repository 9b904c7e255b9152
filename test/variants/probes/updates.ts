import { z } from 'zod/v4';
import { same } from '../difference';
import { lastOfEach } from '../aspects/feedEntry';
import type { Probe } from './probe';
import type { TrueEvent } from '../truth';
import type { Trial } from '../trial';
import { toldIn, toldOf } from './history';
import { newCells, someRows } from './rows';

const GET_CHANGES = { node: 'entity', resource: 'history', operation: 'getChanges' } as const;

/**
 * Changes a row. Without ids of their own, changes that are alike in everything, the moment too,
 * are one: so time goes on.
 */
export async function changeRow(trial: Trial, id: string, Size: number): Promise<void> {
	const { ids } = trial.variant.feed;
	if (!ids.startsWith('own')) trial.trials.pass(2);
	await trial.grid.change(id, { Size });
}

/** Work on the grid: rows made, changed several times in one moment, and removed. */
async function work(trial: Trial): Promise<void> {
	const rows = await someRows(trial, 3);
	const [first, second] = rows;
	if (!first || !second) throw new Error('No rows');
	await trial.trials.inOneMoment(async () => {
		for (const Size of [1, 2, 1, 2]) await changeRow(trial, first.id, Size);
	});
	await trial.grid.change(second.id, { Size: 9 });
	await trial.grid.fill([trial.kept(newCells(trial))]);
	await trial.grid.remove(second.id);
}

/**
 * What the feed tells of changes: all of them, or where its
 * entries are rows, the last one of each row.
 */
export function inFeed(trial: Trial, events: readonly TrueEvent[]): TrueEvent[] {
	return trial.variant.feed.entry === 'row' ? lastOfEach(events) : [...events];
}

const changedRow = z.looseObject({ _id: z.string() });

async function getChanges(trial: Trial): Promise<void> {
	await work(trial);
	const { feed } = trial.variant;
	const events = inFeed(trial, await trial.grid.events());
	trial.trials.pass(feed.late);
	const found = await trial.rows(GET_CHANGES, {
		...trial.inGrid,
		returnAll: true,
		since: '2020-01-01T00:00:00Z',
	});
	const told = found.map((row) => toldIn(trial, row));
	if (feed.entry === 'row') {
		const shownIds = found.map((row) => changedRow.parse(row)).map(({ _id }) => _id);
		same('getChanges: rows', shownIds.sort(), events.map(({ entityId }) => entityId).sort());
		return;
	}
	const expected = events.map((event) => toldOf(trial, event));
	const inAnyOrder = (list: object[]) => list.map((one) => JSON.stringify(one)).sort();
	same('getChanges: events', inAnyOrder(told), inAnyOrder(expected));
	if (feed.order === 'ascending') same('getChanges: the order', told, expected);
}

export const updateProbes: Probe[] = [{ name: 'history.getChanges', every: 2, run: getChanges }];
