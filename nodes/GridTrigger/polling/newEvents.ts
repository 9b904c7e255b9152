import type { FeedEvent, FeedPage } from './feed';
import { sortedByTime, type HeldEvent, type HeldEvents, type Released } from './heldEvents';
import type { Memory } from './memory';

/** How a page is read. */
interface Reading {
	/** What the feed was asked for. */
	since: number;
	/** The page is chronological, so what does not fit can be left for the next poll. */
	inOrder: boolean;
	/** Nothing is emitted. */
	baseline: boolean | undefined;
	/** A time after all changes that the feed can contain. */
	now: number;
}

/** Holds the new events that the workflow wants, and remembers all others. */
export class NewEvents<Event extends FeedEvent> {
	constructor(
		private readonly held: HeldEvents<Event>,
		private readonly memory: Memory<Event>,
		private readonly accepts: (event: Event) => boolean,
	) {}

	/** @returns false if the batch is full before the end of the page */
	take(page: FeedPage<Event>, { since, inOrder, baseline = false, now }: Reading): boolean {
		const { held, memory } = this;
		const bytes = (page.bytes ?? 0) / Math.max(1, page.events.length);
		for (const event of inOrder ? sortedByTime(page.events) : page.events) {
			const isSticky = memory.isSticky(event, since);
			if (held.has(event.key)) {
				held.noteSeenAgain(event.key, isSticky);
				continue;
			}
			const isNew = !memory.has(event);
			if (!isNew && !isSticky) continue;
			if (isNew && !baseline && this.accepts(event)) {
				if (inOrder && held.isFull) return false;
				held.add(event, bytes, isSticky);
			} else memory.remember(event, isSticky, now);
		}
		return true;
	}

	/** Takes what the preceding poll left over. */
	restore(events: ReadonlyArray<HeldEvent<Event>>, now: number): void {
		for (const held of events) {
			if (this.memory.has(held.event)) continue;
			if (this.accepts(held.event)) this.held.restore(held);
			else this.memory.remember(held.event, held.isSticky, now);
		}
	}

	/** The events to emit, which count as seen from now on. */
	release(now: number): Released<Event> {
		const released = this.held.release();
		for (const { event, isSticky } of released.events) this.memory.remember(event, isSticky, now);
		return released;
	}
}
