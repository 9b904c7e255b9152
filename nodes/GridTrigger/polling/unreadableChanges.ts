import { shortHash } from './eventKeys';
import type { FeedEvent } from './feed';
import type { SeenKeys } from './seenKeys';

/**
 * Consecutive changes that are too large to read. Their neighbors are the only way to recognize
 * them again.
 */
interface Gap {
	/** Key of the preceding event; undefined at the start of a reading. */
	after: string | undefined;
	count: number;
}

type Known = Pick<FeedEvent, 'key' | 'time'>;

/** A change of which only the position is known. */
export interface Unreadable {
	key: string;
	/** Further keys that identify the change when its neighbors have changed. */
	otherKeys: string[];
	/** Time of a neighbor. */
	time: number | undefined;
}

/** Distinguishes new unreadable changes from known ones. */
export class UnreadableChanges<Event> {
	/** Events that stand for new unreadable changes. */
	readonly placeholders: Event[] = [];
	private gap: Gap | undefined;
	private last: Known | undefined;

	/** @param seen also stores the keys made here */
	constructor(
		private readonly seen: SeenKeys,
		private readonly placeholderOf: (change: Unreadable) => Event,
	) {}

	/** Starts a reading at its first page. */
	begin(): void {
		this.last = undefined;
	}

	/** Notes that the only change of a page is too large. */
	skip(): void {
		this.gap ??= { after: this.last?.key, count: 0 };
		this.gap.count += 1;
	}

	/**
	 * Processes the events of the next page, or none at the end.
	 * @param second until when the keys are kept
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
