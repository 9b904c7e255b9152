import { shortHash } from './eventKeys';
import type { FeedEvent } from './feed';
import type { SeenKeys } from './seenKeys';

/**
 * Changes in a row that are too large to be read, and their neighbors: all that they can be known
 * by when they are met again.
 */
interface Gap {
	/** Key of the event before; undefined at the beginning of a reading. */
	after: string | undefined;
	count: number;
}

type Known = Pick<FeedEvent, 'key' | 'time'>;

/** A change of which nothing is known but where it stands. */
export interface Unreadable {
	key: string;
	/** It is met again under each of these, as its neighbors come and go. */
	otherKeys: string[];
	/** Time of a neighbor. */
	time: number | undefined;
}

/** Tells changes that are too large to be read apart from those that were met before. */
export class UnreadableChanges<Event> {
	/** What stands for the changes that were not met before. */
	readonly placeholders: Event[] = [];
	private gap: Gap | undefined;
	private last: Known | undefined;

	/** @param seen also keeps the names that a change gets here */
	constructor(
		private readonly seen: SeenKeys,
		private readonly placeholderOf: (change: Unreadable) => Event,
	) {}

	/** A reading begins at its first page. */
	begin(): void {
		this.last = undefined;
	}

	/** The only change of a page is too large. */
	skip(): void {
		this.gap ??= { after: this.last?.key, count: 0 };
		this.gap.count += 1;
	}

	/**
	 * The events of the page after, or none at the end.
	 * @param second until when the names are kept
	 * @param baseline whether nothing is emitted
	 */
	follow(events: readonly Known[], second: number, baseline = false): void {
		const found = this.gapBefore(events, second);
		if (!baseline) this.placeholders.push(...found.map(this.placeholderOf));
	}

	private gapBefore(events: readonly Known[], second: number): Unreadable[] {
		const { gap, last } = this;
		const next = events[0];
		this.gap = undefined;
		this.last = events.at(-1) ?? last;
		if (!gap) return [];
		return Array.from({ length: gap.count }, (_, index) => index).flatMap((index) => {
			const names = [
				...(gap.after === undefined ? [] : [`after ${gap.after} ${index}`]),
				...(next === undefined ? [] : [`before ${next.key} ${gap.count - index}`]),
			];
			const keys = (names.length > 0 ? names : [`alone ${index}`]).map(shortHash);
			const isKnown = keys.some((key) => this.seen.has(key));
			for (const key of keys) this.seen.add(key, second);
			const [key = '', ...otherKeys] = keys;
			return isKnown ? [] : [{ key, otherKeys, time: last?.time ?? next?.time }];
		});
	}
}
