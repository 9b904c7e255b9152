import type { Random } from '../random';
import { MINUTE, START, type Scenario } from './scenario';

/** One change as it truly happened. Times are milliseconds of the service's own clock. */
export interface TrueChange {
	row: number;
	kind: 'created' | 'updated' | 'deleted';
	time: number;
	/** When the feed shows it for the first time. */
	visibleAt: number;
	/** When the row was created. */
	createdAt: number;
	/** Its place among all changes. */
	sequence: number;
}

/** The work that people do on the grid, before and while the trigger runs. */
export function changesOf(scenario: Scenario, random: Random): TrueChange[] {
	const { rate, burst, rows, lateness, polls, downtime } = scenario;
	const changes: TrueChange[] = [];
	const alive = new Map<number, number>();
	let rowsEver = 0;
	const note = (row: number, kind: TrueChange['kind'], time: number, visibleAt: number) => {
		if (kind === 'created') alive.set(row, time);
		const createdAt = alive.get(row) ?? time;
		if (kind === 'deleted') alive.delete(row);
		changes.push({ row, kind, time, visibleAt, createdAt, sequence: changes.length });
	};
	const write = (time: number) => {
		const known = [...alive.keys()];
		const chosen = known[random.below(known.length)];
		const isDeleted = chosen !== undefined && random.chance(0.08);
		const isCreated = chosen === undefined || (!isDeleted && known.length < rows && random.chance(0.4));
		const visibleAt = time + (random.chance(0.5) ? random.below(lateness + 1) : 0);
		if (isCreated) note(rowsEver++, 'created', time, visibleAt);
		else note(chosen, isDeleted ? 'deleted' : 'updated', time, visibleAt);
	};
	const half = Math.ceil(polls / 2);
	const minutes = (from: number, count: number) =>
		Array.from({ length: count }, (_, index) => ({ from: from + index * MINUTE, length: MINUTE }));
	const middle = START + half * MINUTE;
	const down = Array.from({ length: downtime > 0 ? 20 : 0 }, (_, index) => ({
		from: middle + (index * downtime) / 20,
		length: downtime / 20,
	}));
	const spans = [
		...minutes(START - 10 * MINUTE, 10 + half),
		...down,
		...minutes(middle + downtime, polls - half),
	];
	for (const { from, length } of spans) {
		const busy = random.chance(0.5) ? random.below(2 * rate + 1) : 0;
		const moments = Array.from({ length: busy }, () => from + random.below(length)).sort((a, b) => a - b);
		moments.forEach(write);
		if (burst === 0 || !(from === middle || random.chance(0.1))) continue;
		// A bulk change: all in one millisecond, some rows several times.
		const moment = from + length - 1;
		for (let count = 0; count < burst; count++) note(rowsEver++, 'created', moment, moment);
		for (let row = rowsEver - burst; row < rowsEver; row++)
			for (let more = random.below(3); more > 0; more--)
				if (alive.has(row)) note(row, random.chance(0.1) ? 'deleted' : 'updated', moment, moment);
	}
	return changes;
}
