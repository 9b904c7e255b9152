import type { Random } from '../random';
import type { TrueChange } from './feedKind';
import { DAY, middleOf, MINUTE, START, type Scenario } from './scenario';

/** The work that people do on the grid, before and while the trigger runs. */
export function changesOf(scenario: Scenario, random: Random): TrueChange[] {
	const { rate, burst, repeats = 0, entities, lateness, future, kind } = scenario;
	const changes: TrueChange[] = [];
	const alive = new Set<number>();
	const births: number[] = [];
	let entitiesEver = 0;
	const note = (change: Omit<TrueChange, 'createdAt' | 'sequence'>) => {
		births[change.entity] ??= change.time;
		changes.push({ ...change, createdAt: births[change.entity] ?? change.time, sequence: changes.length });
	};
	const write = (time: number) => {
		const known = [...alive];
		const chosen = known[random.below(known.length)];
		const deleted = chosen !== undefined && random.chance(0.08);
		const created = chosen === undefined || (!deleted && known.length < entities && random.chance(0.4));
		const entity = created ? entitiesEver++ : chosen;
		if (deleted) alive.delete(entity);
		else alive.add(entity);
		const dated = random.chance(future) ? time + random.below(365 * DAY) : time;
		note({
			entity,
			kind: created ? 'created' : deleted ? 'deleted' : 'updated',
			time: dated,
			visibleAt: time + (random.chance(0.5) ? random.below(lateness + 1) : 0),
			value: random.below(3),
		});
	};
	for (const [minute, length] of slots(scenario)) {
		const busy = random.chance(0.5) ? random.below(2 * rate + 1) : 0;
		const moments = Array.from({ length: busy }, () => minute + random.below(length)).sort((a, b) => a - b);
		moments.forEach(write);
		const middle = middleOf(scenario);
		if (minute >= START && (minute === middle || random.chance(0.1))) {
			const moment = minute + length - 1;
			const rows = Array.from({ length: burst }, () => entitiesEver++);
			const updates: Array<Parameters<typeof note>[0]> = [];
			for (const entity of rows) {
				const at = { entity, time: moment, visibleAt: moment };
				alive.add(entity);
				note({ ...at, kind: 'created', value: random.below(3) });
				if (random.chance(0.2)) updates.push({ ...at, kind: 'updated', value: 3 + random.below(3) });
				for (let value = 6; value < 6 + repeats; value++)
					if (random.chance(0.5)) updates.push({ ...at, kind: 'updated', value });
				if (kind.ties !== 'asWritten') updates.splice(0).forEach(note);
			}
			updates.forEach(note);
		}
	}
	return distinguishable(changes, scenario);
}

/**
 * Spans of time with work in them: the minutes before and while
 * the trigger runs, and twenty longer ones while it is down.
 */
function slots(scenario: Scenario): Array<[start: number, length: number]> {
	const { polls, downtime } = scenario;
	const middle = middleOf(scenario);
	const minutes = (from: number, count: number) =>
		Array.from({ length: count }, (_, index): [number, number] => [from + index * MINUTE, MINUTE]);
	const down = Array.from({ length: downtime > 0 ? 20 : 0 }, (_, index): [number, number] => [
		middle + (index * downtime) / 20,
		downtime / 20,
	]);
	return [
		...minutes(START - 15 * MINUTE, 15 + Math.ceil(polls / 2)),
		...down,
		...minutes(middle + downtime, Math.floor(polls / 2)),
	];
}

/**
 * A2 asks that events can be told apart; what a feed
 * without ids or times writes alike is one event.
 */
function distinguishable(changes: TrueChange[], { kind }: Scenario): TrueChange[] {
	const isLog = kind.content === 'log';
	if (isLog && kind.ids === 'own') return changes;
	const known = new Set<string>();
	return changes.map((change, index) => {
		if (kind.times !== 'change') return { ...change, value: index };
		let { time } = change;
		// A log tells two changes of one moment apart by what
		// happened; of an entity only the time of the last one shows.
		const told = (at: number) =>
			isLog ? `${change.entity} ${at} ${change.kind} ${change.value}` : `${change.entity} ${at}`;
		while (known.has(told(time))) time += 1;
		known.add(told(time));
		return { ...change, time };
	});
}
