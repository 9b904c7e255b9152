import type { FeedEvent } from './feed';

/** More than this is not emitted at once: n8n holds all items of an execution in memory. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

export interface HeldEvent<Event extends FeedEvent> {
	event: Event;
	/** Sequence number in which the events were read. */
	sequence: number;
	bytes: number;
	/** Older than asked for in any reading, or without a time: remembered for as long as it comes. */
	isSticky: boolean;
}

/**
 * The events that a poll may emit: of all that were read
 * the oldest ones, up to a number and a size.
 */
export class HeldEvents<Event extends FeedEvent> {
	private events = new Map<string, HeldEvent<Event>>();
	private bytes = 0;
	private sequence = 0;
	/** Whether newer events had to be let go: they have to be read again. */
	hasDropped = false;
	/** Whether the feed lists the newest first. */
	isDescending = false;

	constructor(private readonly limit: number) {}

	get count() {
		return this.events.size;
	}

	get isFull() {
		return this.events.size >= this.limit || this.bytes >= MAX_HELD_BYTES;
	}

	has(key: string) {
		return this.events.has(key);
	}

	/** A later reading of the same poll asked for what is newer, and got this event all the same. */
	markSticky(key: string) {
		const held = this.events.get(key);
		if (held) held.isSticky = true;
	}

	add(event: Event, bytes: number, isSticky: boolean) {
		this.events.set(event.key, { event, bytes, isSticky, sequence: this.sequence++ });
		this.bytes += bytes;
		// Sorting now and then is cheaper than keeping a queue.
		if (this.events.size > 2 * this.limit || this.bytes > 2 * MAX_HELD_BYTES) this.trim();
	}

	/** Lets go of the newest events past the limits. @returns the others, oldest first */
	trim(): Array<HeldEvent<Event>> {
		const sorted = inOrder([...this.events.values()], this.isDescending);
		let bytes = 0;
		const isTooMuch = (held: HeldEvent<Event>, index: number) => {
			bytes += held.bytes;
			return index >= this.limit || (index > 0 && bytes > MAX_HELD_BYTES);
		};
		const cut = sorted.findIndex(isTooMuch);
		const kept = cut === -1 ? sorted : sorted.slice(0, cut);
		this.hasDropped ||= kept.length < sorted.length;
		this.events = new Map(kept.map((held) => [held.event.key, held]));
		this.bytes = kept.reduce((sum, held) => sum + held.bytes, 0);
		return kept;
	}
}

/** Oldest first; events of one moment in the order of the feed. Those without a time come last. */
function inOrder<Event extends FeedEvent>(
	held: Array<HeldEvent<Event>>,
	isDescending: boolean,
): Array<HeldEvent<Event>> {
	const moments = new Map<number, Array<HeldEvent<Event>>>();
	for (const one of held.sort((a, b) => a.sequence - b.sequence)) {
		const time = one.event.time ?? Infinity;
		const same = moments.get(time);
		if (same) same.push(one);
		else moments.set(time, [one]);
	}
	return [...moments]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.flatMap(([, same]) => inOrderOfRows(isDescending ? same.reverse() : same));
}

const rankOf = ({ kind }: FeedEvent) => (kind === 'created' ? 0 : kind === 'deleted' ? 2 : 1);

/** So many events of one moment in a row show whether the newest come first. */
const MIN_BURST = 100;

/**
 * Whether a page is part of a burst in one moment, which no times put in order, and shows no row's
 * changes the wrong way round.
 */
export function isBurst(events: readonly FeedEvent[]): boolean {
	const [first] = events;
	if (!first || events.length < MIN_BURST) return false;
	const ranks = new Map<string, number>();
	return events.every((event) => {
		const { row = '', time } = event;
		const before = ranks.get(row) ?? 0;
		ranks.set(row, rankOf(event));
		return time === first.time && rankOf(event) >= before;
	});
}

/**
 * Of one row, the creation comes first and the deletion last,
 * in the places that the row's events have; all others stay.
 */
function inOrderOfRows<Event extends FeedEvent>(same: Array<HeldEvent<Event>>): Array<HeldEvent<Event>> {
	const places = new Map<string, number[]>();
	for (const [place, { event }] of same.entries()) {
		if (event.row === undefined) continue;
		const own = places.get(event.row);
		if (own) own.push(place);
		else places.set(event.row, [place]);
	}
	const ordered = [...same];
	for (const own of places.values()) {
		if (own.length === 1) continue;
		const events = own.flatMap((place) => same[place] ?? []);
		events.sort((a, b) => rankOf(a.event) - rankOf(b.event));
		for (const [index, held] of events.entries()) ordered[own[index] ?? 0] = held;
	}
	return ordered;
}
