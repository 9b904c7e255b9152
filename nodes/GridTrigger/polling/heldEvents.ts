import type { FeedEvent } from './feed';

/** More than this is not emitted at once: n8n holds all items of an execution in memory. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
/** What is left over for later polls stays in memory up to this number and size. */
const MAX_LEFT = 10_000;
const MAX_LEFT_BYTES = 8 * 1024 * 1024;

export interface HeldEvent<Event extends FeedEvent> {
	event: Event;
	/** Sequence number in which the events were read. */
	sequence: number;
	bytes: number;
	/** Older than asked for in any reading, or without a time: remembered for as long as it comes. */
	isSticky: boolean;
}

/** What a poll emits, and the next events after it. Oldest first. */
interface Released<Event extends FeedEvent> {
	events: Array<HeldEvent<Event>>;
	left: Array<HeldEvent<Event>>;
}

/**
 * The events that a poll may emit, and those that the next ones may: of all that were read the
 * oldest ones, up to a number and a size.
 */
export class HeldEvents<Event extends FeedEvent> {
	private events = new Map<string, HeldEvent<Event>>();
	private bytes = 0;
	private sequence = 0;
	private readonly capacity: number;
	/** Whether newer events had to be let go: they have to be read again. */
	hasDropped = false;
	/** Whether the feed lists the newest first. */
	isDescending = false;

	constructor(private readonly limit: number) {
		this.capacity = Math.max(limit, MAX_LEFT);
	}

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
		this.hold({ event, bytes, isSticky, sequence: this.sequence++ });
		// Sorting now and then is cheaper than keeping a queue.
		if (this.events.size <= 2 * this.capacity && this.bytes <= 2 * MAX_HELD_BYTES) return;
		const kept = this.oldest(this.sorted(), this.capacity, MAX_HELD_BYTES);
		this.hasDropped ||= kept.length < this.events.size;
		this.events = new Map();
		this.bytes = 0;
		kept.forEach((held) => this.hold(held));
	}

	/** Holds what the poll before left over. */
	restore(held: HeldEvent<Event>) {
		this.hold({ ...held });
		this.sequence = Math.max(this.sequence, held.sequence + 1);
	}

	/** Lets go of the newest events past the limits. */
	release(): Released<Event> {
		const sorted = this.sorted();
		const events = this.oldest(sorted, this.limit, MAX_HELD_BYTES);
		const later = sorted.slice(events.length);
		const left = this.oldest(later, this.capacity, MAX_LEFT_BYTES);
		this.hasDropped ||= left.length < later.length;
		return { events, left };
	}

	private hold(held: HeldEvent<Event>) {
		this.events.set(held.event.key, held);
		this.bytes += held.bytes;
	}

	private sorted() {
		return inOrder([...this.events.values()], this.isDescending);
	}

	/** The first of some events, at least one, up to a number and a size. */
	private oldest(sorted: Array<HeldEvent<Event>>, limit: number, maxBytes: number) {
		let bytes = 0;
		const isTooMuch = (held: HeldEvent<Event>, index: number) => {
			bytes += held.bytes;
			return index >= limit || (index > 0 && bytes > maxBytes);
		};
		const cut = sorted.findIndex(isTooMuch);
		return cut === -1 ? sorted : sorted.slice(0, cut);
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

/** A page by time; what has the same time, or none, stays in the order of the feed. */
export function inTime<Event extends FeedEvent>(events: readonly Event[]): Event[] {
	const timeOf = ({ time }: Event) => time ?? Infinity;
	return [...events].sort((a, b) => (timeOf(a) === timeOf(b) ? 0 : timeOf(a) < timeOf(b) ? -1 : 1));
}
