import { readUpdate } from '../../client/updateRecord';
import type { Feed, FeedEvent, FeedPage } from '../../nodes/GridTrigger/feed';
import { keyOf } from '../../nodes/GridTrigger/key';
import type { Random } from './random';

/** How a service may answer `GET GRID/updates`: every kind that the trigger has to cope with. */
export interface FeedKind {
	order: 'ascending' | 'descending' | 'shuffled' | 'byEntity';
	/** A log of all changes, or only the entities that have changed, with their last change. */
	content: 'log' | 'entities';
	since: 'inclusive' | 'exclusive' | 'second' | 'exclusiveSecond';
	/** Pages with totals, pages that only say whether there is another one, arrays by page, or one array of everything. */
	paging: 'totals' | 'next' | 'arrays' | 'whole';
	pageSize: number;
	/** Whether an entry carries an id of its own. */
	ids: boolean;
	/** Whether an entry carries its time. */
	times: boolean;
}

/** One change as it truly happened. Times are milliseconds of the service's own clock. */
export interface TrueChange {
	entity: number;
	kind: 'created' | 'updated' | 'deleted';
	time: number;
	/** When the feed shows it for the first time. */
	visibleAt: number;
	/** What was written; two updates may write the same. */
	value: number;
}

export interface SimulatedEvent extends FeedEvent {
	change: TrueChange;
}

export class SimulatedFailure extends Error {}

/** What may go wrong with a single request. */
export interface Weather {
	failure: number;
	latency: number;
	/** Milliseconds that the `Date` header is wrong by, always. */
	dateSkew: number;
	/** How often a single answer's `Date` is wrong by a day, either way. */
	wildDate: number;
}

const DAY = 86_400_000;

/** The time of the whole simulation; nothing in it waits. */
export class VirtualTime {
	constructor(public now: number) {}
}

/** A service in virtual time: changes become visible as the time goes on, also between two pages. */
export class SimulatedFeed implements Feed<SimulatedEvent> {
	reads = 0;
	/** What the feed shows now, in its order. */
	private shown: SimulatedEvent[] = [];
	private readonly latest = new Map<number, SimulatedEvent>();
	private next = 0;
	private readonly changes: TrueChange[];

	constructor(
		private readonly kind: FeedKind,
		changes: readonly TrueChange[],
		private readonly time: VirtualTime,
		public weather: Weather,
		private readonly random: Random,
	) {
		this.changes = [...changes].sort((a, b) => a.visibleAt - b.visibleAt || a.time - b.time);
	}

	async read(since: number, page: number): Promise<FeedPage<SimulatedEvent>> {
		this.reads += 1;
		const took = 1 + this.random.below(this.weather.latency);
		const failed = this.random.chance(this.weather.failure);
		this.time.now += took / 2;
		const answer = this.answer(since, page);
		this.time.now += took / 2;
		if (failed) throw new SimulatedFailure('503');
		const wild = this.random.chance(this.weather.wildDate) ? (this.random.chance(0.5) ? DAY : -DAY) : 0;
		const date = Math.floor((this.time.now + this.weather.dateSkew + wild) / 1000) * 1000;
		return await Promise.resolve({ ...answer, date, took });
	}

	/** Changes whose time has come, in the order in which the feed came to show them. */
	everShown(): TrueChange[] {
		this.advance();
		return this.changes.slice(0, this.next);
	}

	/** Events that the feed shows now: of a log all of them, else the last of each entity that still exists. */
	showing(): readonly SimulatedEvent[] {
		this.advance();
		return this.shown;
	}

	private answer(since: number, page: number): Pick<FeedPage<SimulatedEvent>, 'events' | 'more' | 'total'> {
		this.advance();
		const from = this.kind.since.endsWith('econd') ? Math.floor(since / 1000) * 1000 : since;
		const strict = this.kind.since.startsWith('exclusive');
		const matching = this.shown.filter(({ change: { time } }) => (strict ? time > from : time >= from));
		const { paging, pageSize } = this.kind;
		if (paging === 'whole') return { events: matching, more: matching.length > 0 ? 'maybe' : 'no' };
		const events = matching.slice((page - 1) * pageSize, page * pageSize);
		if (paging === 'arrays') return { events, more: events.length > 0 ? 'maybe' : 'no' };
		const more = page * pageSize < matching.length ? 'yes' : 'no';
		return paging === 'next' ? { events, more } : { events, more, total: matching.length };
	}

	private advance(): void {
		for (; this.next < this.changes.length; this.next++) {
			const change = this.changes[this.next];
			if (!change || change.visibleAt > this.time.now) return;
			this.show(change);
		}
	}

	private show(change: TrueChange): void {
		const event = this.eventOf(change, this.next);
		if (this.kind.content === 'entities') {
			const before = this.latest.get(change.entity);
			// A late change may be older than what is shown of its entity already.
			if (before && before.change.time > change.time) return;
			if (before) this.shown.splice(this.shown.indexOf(before), 1);
			this.latest.set(change.entity, event);
			if (change.kind === 'deleted') return;
		}
		this.shown.splice(this.placeOf(event), 0, event);
	}

	/** Where an event belongs among those shown, behind its equals: found by halves, as bursts are large. */
	private placeOf(event: SimulatedEvent): number {
		let [from, to] = [0, this.shown.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if (this.compare(event, this.shown[middle] ?? event) < 0) to = middle;
			else from = middle + 1;
		}
		return from;
	}

	private compare(a: SimulatedEvent, b: SimulatedEvent): number {
		// Ties stand in an order of their own, unlike that of ids or of keys.
		const tie = tieOf(a.change) - tieOf(b.change) || a.change.entity - b.change.entity;
		if (this.kind.order === 'shuffled') return tie || a.change.time - b.change.time;
		if (this.kind.order === 'byEntity')
			return a.change.entity - b.change.entity || a.change.time - b.change.time;
		const byTime = a.change.time - b.change.time;
		return (this.kind.order === 'ascending' ? byTime : -byTime) || tie;
	}

	/** Made as the service would write it, and read as the trigger reads it. */
	private eventOf(change: TrueChange, number: number): SimulatedEvent {
		const { content, ids, times } = this.kind;
		const timestamp = new Date(change.time).toISOString().replace('Z', '+00:00');
		const raw =
			content === 'entities'
				? { _id: `e${change.entity}`, f1: change.value, ...(times ? { updatedAt: timestamp } : {}) }
				: {
						...(ids ? { id: `u${number}` } : {}),
						type: change.kind,
						entityId: `e${change.entity}`,
						changes: [{ fieldId: 'f1', newValue: change.value }],
						...(times ? { timestamp } : {}),
					};
		const update = readUpdate(raw);
		if (!update) throw new Error(`Not recognised: ${JSON.stringify(raw)}`);
		return { key: keyOf(update), time: update.time, change };
	}
}

const tieOf = ({ entity, value }: TrueChange) => (Math.imul(entity * 31 + value, 2654435761) >>> 0) % 1009;
