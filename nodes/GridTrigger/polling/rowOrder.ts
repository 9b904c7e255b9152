import type { FeedEvent } from './feed';

/** Minimum number of consecutive events with equal times that count as a burst. */
const MIN_BURST = 100;

/** The position of a change in the life of its row: the creation is first, the deletion last. */
export const rankOf = ({ kind }: FeedEvent) => (kind === 'created' ? 0 : kind === 'deleted' ? 2 : 1);

/**
 * What the changes of single rows show about the order of a feed whose events have equal times: a
 * creation listed after an update of its row means that the newest events come first.
 */
export class RowOrder {
	/** The last change listed of each row. */
	private readonly last = new Map<string, FeedEvent>();
	private hasFallen = false;
	private hasRisen = false;

	get isDescending(): boolean {
		return this.hasFallen && !this.hasRisen;
	}

	follow(events: readonly FeedEvent[]): void {
		for (const event of events) {
			if (event.row === undefined) continue;
			const before = this.last.get(event.row);
			this.last.set(event.row, event);
			if (!before || before.time !== event.time) continue;
			this.hasFallen ||= rankOf(event) < rankOf(before);
			this.hasRisen ||= rankOf(event) > rankOf(before);
		}
	}

	/**
	 * Whether a page continues a burst that is read oldest first: all events have the same time, and
	 * each row begins with its creation. The rows of other pages show nothing of the order.
	 */
	isBurst(events: readonly FeedEvent[]): boolean {
		const [first] = events;
		if (!first || events.length < MIN_BURST) return false;
		const ranks = new Map<string, number>();
		return events.every((event) => {
			const { row, time } = event;
			if (row === undefined || time !== first.time) return false;
			const before = ranks.get(row) ?? this.rankAt(row, time) ?? -1;
			ranks.set(row, rankOf(event));
			return before === -1 ? rankOf(event) === 0 : rankOf(event) >= before;
		});
	}

	private rankAt(row: string, time: number | undefined): number | undefined {
		const last = this.last.get(row);
		return last && last.time === time ? rankOf(last) : undefined;
	}
}
