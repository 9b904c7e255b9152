import { addToGroup } from '../../../client/formats/grouping';
import type { FeedEvent } from './feed';
import { rankOf } from './rowOrder';

/** Maximum size of a batch, because n8n holds all items of an execution in memory. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
/** Maximum number of events kept in memory for later polls. */
const MAX_LEFT = 10_000;
const MAX_LEFT_BYTES = 8 * 1024 * 1024;

export interface HeldEvent<Event extends FeedEvent> {
	event: Event;
	/** Place in the feed, relative to the others. */
	sequence: number;
	bytes: number;
	/**
	 * Sent although older than `since`, or without a time: remembered as long as the feed sends it.
	 */
	isSticky: boolean;
}

/** The events that a poll emits, and the next events after them. Oldest first. */
export interface Released<Event extends FeedEvent> {
	events: Array<HeldEvent<Event>>;
	left: Array<HeldEvent<Event>>;
}

/**
 * The events that this poll and the next ones may emit: the oldest of all events read, up to a
 * number and a size.
 */
export class HeldEvents<Event extends FeedEvent> {
	private events = new Map<string, HeldEvent<Event>>();
	/** Where the events are in the pass so far. */
	private readonly places = new Map<string, number>();
	private bytes = 0;
	private sequence = 0;
	private readonly capacity: number;
	/** Whether newer events were dropped, so that they must be read again. */
	hasDropped = false;
	/** Whether the feed lists the newest events first. */
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

	/** Whether there is more than this poll and the next ones can emit without reading again. */
	get isOverfull() {
		return this.hasDropped || this.events.size > this.capacity || this.bytes > MAX_LEFT_BYTES;
	}

	has(key: string) {
		return this.events.has(key);
	}

	/** Notes that a later page or pass of the same poll has an event again. */
	noteSeenAgain(key: string, isSticky: boolean) {
		this.places.set(key, this.sequence++);
		const held = this.events.get(key);
		if (held && isSticky) held.isSticky = true;
	}

	/**
	 * Takes over the places of a pass: an event that became visible late is then between its
	 * neighbors.
	 * @param until time up to which the pass is complete
	 */
	endPass(until: number) {
		for (const [key, place] of this.places) {
			const held = this.events.get(key);
			if (held && (held.event.time ?? Infinity) <= until) held.sequence = place;
		}
		this.places.clear();
	}

	add(event: Event, bytes: number, isSticky: boolean) {
		this.places.set(event.key, this.sequence);
		this.hold({ event, bytes, isSticky, sequence: this.sequence++ });
		// Occasional sorting is cheaper than a priority queue.
		if (this.events.size <= 2 * this.capacity && this.bytes <= 2 * MAX_HELD_BYTES) return;
		const kept = this.oldest(this.sorted(), this.capacity, MAX_HELD_BYTES);
		this.hasDropped ||= kept.length < this.events.size;
		this.events = new Map();
		this.bytes = 0;
		kept.forEach((held) => this.hold(held));
	}

	/** Holds the next event that the preceding poll left over. */
	restore(held: HeldEvent<Event>) {
		this.hold({ ...held, sequence: this.sequence++ });
	}

	/** Drops the newest events above the limits. */
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

	/** The first events up to a number and a size, at least one. */
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

/** Oldest first; events with equal times in the order of the feed, events without a time last. */
function inOrder<Event extends FeedEvent>(
	held: Array<HeldEvent<Event>>,
	isDescending: boolean,
): Array<HeldEvent<Event>> {
	const moments = new Map<number, Array<HeldEvent<Event>>>();
	for (const one of held.sort((a, b) => a.sequence - b.sequence))
		addToGroup(moments, one.event.time ?? Infinity, one);
	return [...moments]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.flatMap(([, same]) => inOrderOfRows(isDescending ? same.reverse() : same));
}

/**
 * Puts each row's creation first and its deletion last, within the positions of the row's events.
 */
function inOrderOfRows<Event extends FeedEvent>(same: Array<HeldEvent<Event>>): Array<HeldEvent<Event>> {
	const places = new Map<string, number[]>();
	for (const [place, { event }] of same.entries())
		if (event.row !== undefined) addToGroup(places, event.row, place);
	const ordered = [...same];
	for (const own of places.values()) {
		if (own.length === 1) continue;
		const events = own.flatMap((place) => same[place] ?? []);
		events.sort((a, b) => rankOf(a.event) - rankOf(b.event));
		for (const [index, held] of events.entries()) ordered[own[index] ?? 0] = held;
	}
	return ordered;
}

/**
 * A page sorted by time; events with equal times, or without a time, stay in the order of the feed.
 */
export function sortedByTime<Event extends FeedEvent>(events: readonly Event[]): Event[] {
	const timeOf = ({ time }: Event) => time ?? Infinity;
	return [...events].sort((a, b) => (timeOf(a) === timeOf(b) ? 0 : timeOf(a) < timeOf(b) ? -1 : 1));
}
