import { parseUpdates } from '../../client/resources/updates/feedPage';
import { PageTooLarge, type Feed, type FeedEvent, type FeedPage } from '../../nodes/GridTrigger/polling/feed';
import { keysOf } from '../../nodes/GridTrigger/polling/key';
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
	/**
	 * What `id` an entry carries: its own, none, its row's, its row's in every other entry, one that is unique only within the row, one
	 * that is used again, or one for all changes of a second.
	 */
	ids: 'own' | 'none' | 'row' | 'someRow' | 'perRow' | 'reused' | 'shared';
	/** Which time an entry carries: of the change, of the row's creation only (entities), or none. */
	times: 'change' | 'creation' | 'none';
	/** Hours that the service's local time is ahead of UTC, if it writes times without an offset. */
	zone?: number | undefined;
	/** What the feed sends although it is older than `since`: some entries, or all there ever were. */
	resent: 'nothing' | 'some' | 'all';
	/** How changes are listed: one by one, or by row. */
	grouped: boolean;
	/** The service's words for what happened. */
	words: 'plain' | 'own';
	/** How many entries an answer can hold, and whether a page with more is cut or too large to be read. */
	room?: { entries: number; past: 'cut' | 'tooLarge' } | undefined;
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
	/** When the row was created. */
	createdAt: number;
	/** Its place among all changes. */
	sequence: number;
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

/** A change with the entry that the service writes for it. */
interface Shown {
	change: TrueChange;
	raw: Record<string, unknown>;
}

const HOUR = 3_600_000;
/** How many ids there are before they are used again. */
const REUSED_IDS = 5;

/** A service in virtual time: changes become visible as the time goes on, also between two pages. */
export class SimulatedFeed implements Feed<SimulatedEvent> {
	reads = 0;
	/** What the feed shows now, in its order. */
	private shown: Shown[] = [];
	private readonly latest = new Map<number, Shown>();
	private next = 0;
	private readonly changes: TrueChange[];

	constructor(
		private readonly kind: FeedKind,
		changes: readonly TrueChange[],
		private readonly time: VirtualTime,
		public weather: Weather,
		private readonly random: Random,
	) {
		this.changes = [...changes].sort((a, b) => a.visibleAt - b.visibleAt || a.sequence - b.sequence);
	}

	async read(since: number, page: number, size: number): Promise<FeedPage<SimulatedEvent>> {
		this.reads += 1;
		const took = 1 + this.random.below(this.weather.latency);
		const failed = this.random.chance(this.weather.failure);
		this.time.now += took / 2;
		const answer = this.answer(since, page, size);
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
	showing(): TrueChange[] {
		this.advance();
		return this.shown.map(({ change }) => change);
	}

	private answer(since: number, page: number, size: number): Omit<FeedPage<SimulatedEvent>, 'took'> {
		this.advance();
		const from = this.kind.since.endsWith('econd') ? Math.floor(since / 1000) * 1000 : since;
		const strict = this.kind.since.startsWith('exclusive');
		const matching = this.shown.filter(
			({ change }) => (strict ? change.time > from : change.time >= from) || this.isResent(change),
		);
		const { paging } = this.kind;
		const pageSize = Math.min(size, this.kind.pageSize);
		const units = this.kind.grouped ? groupsOf(matching) : matching.map((one) => [one]);
		const full = paging === 'whole' ? units : units.slice((page - 1) * pageSize, page * pageSize);
		const { room } = this.kind;
		if (room?.past === 'tooLarge' && full.length > room.entries) throw new PageTooLarge();
		const listed = room?.past === 'cut' ? full.slice(0, room.entries) : full;
		const items = listed.map((group) => (this.kind.grouped ? groupEntry(group) : group[0]?.raw));
		if (items.length === 0) return { events: [], more: 'no' };
		const isLast = page * pageSize >= units.length;
		const bodies = {
			totals: {
				items,
				page,
				pageSize,
				size: items.length,
				numberOfItems: units.length,
				numberOfPages: Math.ceil(units.length / pageSize),
			},
			next: { items, page, pageSize, numberOfPages: isLast ? page : page + 1 },
			arrays: items,
			whole: items,
		};
		const { updates, ...rest } = parseUpdates(bodies[paging], undefined, since);
		const keys = keysOf(updates);
		const changes = listed.flat();
		const events = updates.map((update, index) => {
			const change = changes[index]?.change;
			if (!change) throw new Error(`Not recognised: ${JSON.stringify(update.raw)}`);
			return { key: keys[index] ?? '', time: update.time, row: update.entityId, kind: update.kind, change };
		});
		if (events.length !== changes.length) throw new Error('Entries were lost or doubled as they were read');
		return { ...rest, events };
	}

	private isResent({ sequence }: TrueChange): boolean {
		return this.kind.resent === 'all' || (this.kind.resent === 'some' && sequence % 4 === 0);
	}

	private advance(): void {
		for (; this.next < this.changes.length; this.next++) {
			const change = this.changes[this.next];
			if (!change || change.visibleAt > this.time.now) return;
			this.show(change);
		}
	}

	private show(change: TrueChange): void {
		const shown = { change, raw: this.entryOf(change) };
		if (this.kind.content === 'entities') {
			const before = this.latest.get(change.entity);
			// A late change may be older than what is shown of its entity already.
			if (before && this.compareTimes(before.change, change) > 0) return;
			if (before) this.shown.splice(this.shown.indexOf(before), 1);
			this.latest.set(change.entity, shown);
			if (change.kind === 'deleted') return;
		}
		this.shown.splice(this.placeOf(change), 0, shown);
	}

	private compareTimes(a: TrueChange, b: TrueChange): number {
		return a.time - b.time || a.sequence - b.sequence;
	}

	/** Where a change belongs among those shown: found by halves, as bursts are large. */
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
		if (this.kind.order === 'shuffled') return scattered(a) - scattered(b) || this.compareTimes(a, b);
		if (this.kind.order === 'byEntity') return a.entity - b.entity || this.compareTimes(a, b);
		// Rows of one moment stand in an order of their own, unlike that of ids or of keys.
		const tie = scattered({ ...a, value: 0 }) - scattered({ ...b, value: 0 }) || a.entity - b.entity;
		const ascending = a.time - b.time || tie || a.sequence - b.sequence;
		return this.kind.order === 'ascending' ? ascending : -ascending;
	}

	private timestamp(time: number): string {
		const { zone } = this.kind;
		const text = new Date(time + (zone ?? 0) * HOUR).toISOString();
		return zone === undefined ? text.replace('Z', '+00:00') : text.replace('Z', '');
	}

	private idOf({ entity, sequence, time }: TrueChange): Record<string, unknown> {
		const row = `e${entity}`;
		switch (this.kind.ids) {
			case 'none':
				return {};
			case 'own':
				return { id: `u${sequence}` };
			case 'row':
				return { _id: row };
			case 'someRow':
				return { id: sequence % 2 === 0 ? row : `u${sequence}` };
			case 'perRow':
				return {
					id: this.changes.filter((other) => other.entity === entity && other.sequence < sequence).length,
				};
			case 'reused':
				return { id: sequence % REUSED_IDS };
			case 'shared':
				return { id: `t${Math.floor(time / 1000)}` };
		}
	}

	/** As the service would write it. */
	private entryOf(change: TrueChange): Record<string, unknown> {
		const { content, times, words } = this.kind;
		const { entity, kind, value } = change;
		if (content === 'entities') {
			const time = times === 'change' ? { updatedAt: this.timestamp(change.time) } : {};
			const created = times === 'creation' ? { createdAt: this.timestamp(change.createdAt) } : {};
			return { _id: `e${entity}`, f1: value, ...time, ...created };
		}
		return {
			...this.idOf(change),
			type: words === 'own' && kind === 'updated' ? OWN_WORDS[value % OWN_WORDS.length] : kind,
			...(words === 'own' ? { entity: { _links: { self: { href: `/grids/g/entities/e${entity}` } } } } : {}),
			...(words === 'own' ? {} : { entityId: `e${entity}` }),
			changes: [{ fieldId: 'f1', newValue: value }],
			...(times === 'none' ? {} : { timestamp: this.timestamp(change.time) }),
		};
	}
}

const OWN_WORDS = ['archived', 'ENTITY_UPDATED', 'locked'];

const scattered = ({ entity, value }: Pick<TrueChange, 'entity' | 'value'>) =>
	(Math.imul(entity * 31 + value, 2654435761) >>> 0) % 1009;

/** Entries of one row that stand side by side. */
function groupsOf(shown: readonly Shown[]): Shown[][] {
	const groups: Shown[][] = [];
	for (const one of shown) {
		const last = groups.at(-1);
		if (last?.[0]?.change.entity === one.change.entity) last.push(one);
		else groups.push([one]);
	}
	return groups;
}

function groupEntry(group: readonly Shown[]): Record<string, unknown> {
	const inGroup = new Set(['entityId', 'entity']);
	const events = group.map(({ raw }) =>
		Object.fromEntries(Object.entries(raw).filter(([name]) => !inGroup.has(name))),
	);
	return { entityId: `e${group[0]?.change.entity ?? ''}`, events };
}
