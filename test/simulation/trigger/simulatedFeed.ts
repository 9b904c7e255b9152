import { parseUpdates } from '../../../client/resources/updates/feedPage';
import { PageTooLarge, type Feed, type FeedPage } from '../../../nodes/GridTrigger/polling/feed';
import { keysOf } from '../../../nodes/GridTrigger/polling/eventKeys';
import type { Random } from '../random';
import { EntryWriter, groupEntry, groupsOf, respelled, type ShownChange } from './feedEntries';
import {
	SimulatedFailure,
	type FeedKind,
	type FeedOrder,
	type SimulatedClock,
	type SimulatedEvent,
	type TrueChange,
	type Weather,
} from './feedKind';

const DAY = 86_400_000;
const SECOND = 1000;
const HOUR = 3_600_000;

/**
 * A service in virtual time: changes become visible as the time goes on, also between two pages.
 */
export class SimulatedFeed implements Feed<SimulatedEvent> {
	reads = 0;
	/** What the feed shows now, in its order. */
	private shown: ShownChange[] = [];
	private readonly latest = new Map<number, ShownChange>();
	private next = 0;
	private readonly changes: TrueChange[];
	private readonly writer: EntryWriter;
	private order: FeedOrder;

	/** @param middle when the service changes its order or its local time, if it does */
	constructor(
		private readonly kind: FeedKind,
		changes: readonly TrueChange[],
		private readonly clock: SimulatedClock,
		public weather: Weather,
		private readonly random: Random,
		private readonly middle: number,
	) {
		this.changes = [...changes].sort((a, b) => a.visibleAt - b.visibleAt || a.sequence - b.sequence);
		this.writer = new EntryWriter(kind, this.changes, middle);
		this.order = kind.order;
	}

	async read(since: number, page: number, size: number): Promise<FeedPage<SimulatedEvent>> {
		this.reads += 1;
		const { failure, latency, wildDate, dateSkew } = this.weather;
		const took = 1 + this.random.below(latency);
		const failed = this.random.chance(failure);
		this.clock.now += took / 2;
		const answer = this.answer(since, page, size);
		this.clock.now += took / 2;
		if (failed) throw new SimulatedFailure('503');
		const wild = this.random.chance(wildDate) ? (this.random.chance(0.5) ? DAY : -DAY) : 0;
		const date = Math.floor((this.clock.now + dateSkew + wild) / SECOND) * SECOND;
		return await Promise.resolve({ ...answer, date, took });
	}

	/** Changes whose time has come, in the order in which the feed came to show them. */
	everShown(): TrueChange[] {
		this.advance();
		return this.changes.slice(0, this.next);
	}

	/**
	 * Events that the feed shows now: of a log all of them,
	 * else the last of each entity that still exists.
	 */
	showing(): TrueChange[] {
		this.advance();
		return this.shown.map(({ change }) => change);
	}

	private answer(since: number, page: number, size: number): Omit<FeedPage<SimulatedEvent>, 'took'> {
		this.advance();
		const { paging, grouped, room, spelling, deletions } = this.kind;
		const stored = this.stored();
		const matching = stored.filter(this.isAfter(since));
		const pageSize = Math.min(size, this.kind.pageSize);
		const isBeside = ({ change }: ShownChange) => deletions === 'beside' && change.kind === 'deleted';
		const beside = page === 1 ? matching.filter(isBeside) : [];
		const others = deletions === 'beside' ? matching.filter((one) => !isBeside(one)) : matching;
		const [from, to] = paging === 'whole' ? [0, Infinity] : [(page - 1) * pageSize, page * pageSize];
		const full = this.inUnits(others, from, to);
		// What must not be seen takes no room.
		const seen = full.filter((group) => group.length > 0);
		if (room?.past === 'tooLarge' && seen.length > room.entries) throw new PageTooLarge();
		const listed = room?.past === 'cut' ? seen.slice(0, room.entries) : seen;
		const written = listed.map((group) =>
			spelling === 'varying'
				? group.map(({ change, entry }) => ({ change, entry: respelled(entry, this.random) }))
				: group,
		);
		const items = written.map((group) => (grouped ? groupEntry(group) : group[0]?.entry));
		const total = this.countUnits(paging === 'allTotals' ? stored : others);
		const body = this.bodyOf(items, { page, pageSize, stated: this.statedSize(size), total });
		const deletedIds = beside.map(({ change: { entity } }) => `e${entity}`);
		return this.parsed(
			beside.length === 0 ? body : { ...body, deletedIds },
			[...listed.flat(), ...beside],
			since,
		);
	}

	/**
	 * What takes the places on a page: a change each, those of a row, or nothing that may be seen.
	 * @param from place of the first, `to` the one after the last
	 */
	private inUnits(changes: readonly ShownChange[], from: number, to: number): ShownChange[][] {
		const { grouped, hidden } = this.kind;
		if (grouped) return groupsOf(changes).slice(from, to);
		if (hidden === undefined) return changes.slice(from, to).map((one) => [one]);
		const units: ShownChange[][] = [];
		let place = 0;
		for (const one of changes) {
			if (place >= to) break;
			const end = place + placesOf(one, hidden);
			for (let at = Math.max(place, from); at < Math.min(end, to); at++)
				units.push(at === place ? [one] : []);
			place = end;
		}
		return units;
	}

	private countUnits(changes: readonly ShownChange[]): number {
		const { grouped, hidden } = this.kind;
		if (grouped) return groupsOf(changes).length;
		if (hidden === undefined) return changes.length;
		return changes.reduce((places, one) => places + placesOf(one, hidden), 0);
	}

	/** @param requested page size of the request */
	private statedSize(requested: number): number {
		const { pageSize, stated } = this.kind;
		return stated === 'requested' ? requested : Math.min(requested, pageSize);
	}

	private bodyOf(
		items: unknown[],
		paging: { page: number; pageSize: number; stated: number; total: number },
	): object {
		const { page, pageSize, stated, total } = paging;
		const isLast = page * pageSize >= total;
		switch (this.kind.paging) {
			case 'totals':
			case 'allTotals':
				return {
					items,
					page,
					pageSize: stated,
					size: items.length,
					numberOfItems: total,
					numberOfPages: Math.ceil(total / pageSize),
				};
			case 'entryTotal':
				return { items, page, pageSize: stated, numberOfItems: total };
			case 'next':
				return { items, page, pageSize: stated, numberOfPages: isLast ? page : page + 1 };
			case 'arrays':
			case 'whole':
				return items;
		}
	}

	/** As the client reads it. */
	private parsed(
		body: unknown,
		changes: readonly ShownChange[],
		since: number,
	): Omit<FeedPage<SimulatedEvent>, 'took'> {
		const { updates, ...rest } = parseUpdates(body, undefined, since);
		const keys = keysOf(updates);
		const events = updates.map((update, index) => {
			const change = changes[index]?.change;
			if (!change) throw new Error(`Not recognized: ${JSON.stringify(update.raw)}`);
			return { key: keys[index] ?? '', time: update.time, row: update.entityId, kind: update.kind, change };
		});
		if (events.length !== changes.length) throw new Error('Entries were lost or doubled as they were read');
		return { ...rest, events };
	}

	/**
	 * What the copy of the data that answers has: it may lag
	 * behind, and may have thrown away what is old.
	 */
	private stored(): ShownChange[] {
		const { stale } = this.weather;
		const { retention } = this.kind;
		const until = this.clock.now - (stale && this.random.chance(stale.chance) ? stale.lag : 0);
		const from = retention === undefined ? -Infinity : this.clock.now - retention;
		if (stale === undefined && retention === undefined) return this.shown;
		return this.shown.filter(({ change: { visibleAt } }) => visibleAt >= from && visibleAt <= until);
	}

	private isAfter(since: number): (shown: ShownChange) => boolean {
		const { since: how, filteredBy, resent } = this.kind;
		if (resent === 'all') return () => true;
		const grain = how === 'hour' ? HOUR : how.endsWith('econd') ? SECOND : 1;
		const first = Math.floor(since / grain) * grain + (how.startsWith('exclusive') ? 1 : 0);
		return ({ change: { time, visibleAt, sequence } }) =>
			(filteredBy === 'time' ? time : visibleAt) >= first || (resent === 'some' && sequence % 4 === 0);
	}

	private advance(): void {
		const { laterOrder } = this.kind;
		if (laterOrder !== undefined && this.order !== laterOrder && this.clock.now >= this.middle) {
			this.order = laterOrder;
			this.shown.sort((a, b) => this.compare(a.change, b.change));
		}
		for (; this.next < this.changes.length; this.next++) {
			const change = this.changes[this.next];
			if (!change || change.visibleAt > this.clock.now) return;
			this.show(change);
		}
	}

	private show(change: TrueChange): void {
		const shown = { change, entry: this.writer.write(change) };
		if (this.kind.content === 'entities') {
			const before = this.latest.get(change.entity);
			// A late change may be older than what is shown of its entity already.
			if (before && compareTimes(before.change, change) > 0) return;
			if (before) this.shown.splice(this.shown.indexOf(before), 1);
			this.latest.set(change.entity, shown);
			if (change.kind === 'deleted') return;
		}
		this.shown.splice(this.placeOf(change), 0, shown);
	}

	/** Where a change belongs among those shown: a binary search, as bursts are large. */
	private placeOf(change: TrueChange): number {
		let [from, to] = [0, this.shown.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if (this.compare(change, this.shown[middle]?.change ?? change) < 0) to = middle;
			else from = middle + 1;
		}
		return from;
	}

	private compare(a: TrueChange, b: TrueChange): number {
		if (this.order === 'shuffled') return scattered(a) - scattered(b) || compareTimes(a, b);
		if (this.order === 'byEntity') return a.entity - b.entity || compareTimes(a, b);
		// Rows of one moment stand in an order of their own, unlike that of ids or of keys.
		const byRow = scattered({ ...a, value: 0 }) - scattered({ ...b, value: 0 }) || a.entity - b.entity;
		const tie = this.kind.ties === 'asWritten' ? 0 : byRow;
		const ascending = a.time - b.time || tie || a.sequence - b.sequence;
		return this.order === 'ascending' ? ascending : -ascending;
	}
}

/** How many places a change takes: some stand before others that must not be seen. */
const placesOf = ({ change: { sequence } }: ShownChange, hidden: number) =>
	sequence % 4 === 0 ? 1 + hidden : 1;

const compareTimes = (a: TrueChange, b: TrueChange) => a.time - b.time || a.sequence - b.sequence;

const scattered = ({ entity, value }: Pick<TrueChange, 'entity' | 'value'>) =>
	(Math.imul(entity * 31 + value, 2654435761) >>> 0) % 1009;
