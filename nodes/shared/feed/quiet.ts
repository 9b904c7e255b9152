import { addToGroup, type UpdateKind } from '../../../client';

/** Holds the changes of a row until nothing has changed it for a while. */
export interface Quiet<Entry> {
	/** Milliseconds without a change. */
	wait: number;
	/** Milliseconds after the first change; a longer burst is emitted in parts. */
	atMost: number;
	/** Whether an entry is held; others are emitted at once. */
	holds(entry: Entry): boolean;
	/** Changes of one row, oldest first, as one; undefined if nothing is left of them. */
	merge(entries: readonly Entry[]): Entry | undefined;
}

/**
 * The bursts that are over at a moment, each the changes of one row with less than `wait` between
 * them, oldest first. They depend on the times of the changes only, so that a process that reads
 * them again finds the same ones.
 * @param queue in order
 * @param now milliseconds since 1970
 * @returns by their last changes
 */
export function burstsUntil<
	Entry extends { row: string; time: number | undefined },
	Queued extends { entry: Entry; time: number },
>(queue: readonly Queued[], now: number, { wait, atMost, holds }: Quiet<Entry>): Queued[][] {
	const over: Queued[][] = [];
	const rows = new Map<string, Queued[]>();
	// Without a time, each reading would find it anew.
	for (const queued of queue)
		if (queued.entry.time !== undefined && holds(queued.entry)) addToGroup(rows, queued.entry.row, queued);
		else over.push([queued]);
	for (const changes of rows.values()) {
		for (let from = 0, to = 1; from < changes.length; from = to++) {
			const [first] = changes.slice(from);
			const goesOn = () => {
				const gap = (changes[to]?.time ?? Infinity) - (changes[to - 1]?.time ?? 0);
				return gap < wait && (changes[to]?.time ?? 0) - (first?.time ?? 0) <= atMost;
			};
			while (goesOn()) to++;
			const burst = changes.slice(from, to);
			const isOver = now - lastTime(burst) >= wait || now - (first?.time ?? 0) > atMost;
			// Later ones of the row would overtake it.
			if (!isOver) break;
			over.push(burst);
		}
	}
	return over.sort((a, b) => lastTime(a) - lastTime(b));
}

const lastTime = (burst: ReadonlyArray<{ time: number }>) => burst.at(-1)?.time ?? 0;

/** What happened to a row in a burst; undefined if it was created and deleted. */
export function mergedKind(kinds: readonly UpdateKind[]): UpdateKind | undefined {
	if (kinds.at(-1) === 'deleted') return kinds[0] === 'created' ? undefined : 'deleted';
	return kinds.includes('created') ? 'created' : kinds.at(-1);
}
