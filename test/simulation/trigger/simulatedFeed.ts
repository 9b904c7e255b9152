import { EntryIdentities } from '../../../client/resources/updates/updateIdentity';
import { readUpdate } from '../../../client/resources/updates/updateRecord';
import { keyOf } from '../../../nodes/shared/feed/state';
import { BadRequest } from '../../../client/errors';
import { ResponseTooLarge } from '../../../client/http/responseLimit';
import { DEFAULT_PAGE_SIZE, type PageRequest } from '../../../client/lists/page';
import type { Feed, FeedEntry, FeedPage } from '../../../nodes/shared/feed/feed';
import type { Random } from '../random';
import type { TrueChange } from './changes';
import { SECOND, type Scenario } from './scenario';

export interface SimulatedEntry extends FeedEntry {
	change: TrueChange;
	/** What Wait Until Quiet has merged, oldest first. */
	merged?: readonly TrueChange[];
}

export class SimulatedFailure extends Error {}

/** Virtual time: nothing waits. */
export class SimulatedClock {
	constructor(public now: number) {}
}

/** A service in virtual time: changes become visible as time goes on, also between two pages. */
export class SimulatedFeed implements Feed<SimulatedEntry> {
	requests = 0;
	/** When the last reading asked for its first page. */
	readingBegun = 0;
	/** Whether a row was removed between two pages of one reading: the known gap. */
	hasRemovedBetweenPages = false;
	failure: number;
	private removals = 0;
	private removalsAtFirstPage = 0;
	/** What the feed shows now, in its order. */
	private readonly shown: TrueChange[] = [];
	/** The entries that were read, by the sequence number of their change. */
	private readonly entries = new Map<number, SimulatedEntry>();
	private next = 0;
	/** The last result of `matching`, until something else is shown. */
	private lastMatch: { since: number; changes: TrueChange[] } | undefined;
	private readonly changes: TrueChange[];

	constructor(
		private readonly scenario: Scenario,
		changes: readonly TrueChange[],
		private readonly clock: SimulatedClock,
		private readonly random: Random,
	) {
		this.changes = [...changes].sort((a, b) => a.visibleAt - b.visibleAt || a.sequence - b.sequence);
		this.failure = scenario.failure;
	}

	async read(
		since: number,
		{ pageIndex: page, pageSize: size }: PageRequest,
	): Promise<FeedPage<SimulatedEntry>> {
		this.requests += 1;
		const { latency, dateSkew, kind } = this.scenario;
		const took = 1 + this.random.below(latency);
		const hasFailed = this.random.chance(this.failure);
		this.clock.now += took / 2;
		this.advance();
		if (page === 1) {
			this.readingBegun = this.clock.now;
			this.removalsAtFirstPage = this.removals;
		}
		this.hasRemovedBetweenPages ||= this.removals > this.removalsAtFirstPage;
		this.clock.now += took / 2;
		if (hasFailed) throw new SimulatedFailure('503');
		if (kind.paging === 'arrays' && size > DEFAULT_PAGE_SIZE) throw new BadRequest({ status: 400 });
		const matching = this.matching(since);
		const served = kind.paging === 'pages' ? Math.min(size, kind.maxPage) : size;
		const changes = kind.paging === 'whole' ? matching : matching.slice((page - 1) * served, page * served);
		const items = changes.map((change) => this.entryOf(change));
		const room = kind.paging === 'arrays' ? kind.maxPage : Infinity;
		if (items.length > Math.min(kind.room ?? room, room) && kind.paging !== 'whole' && size > 1)
			throw new ResponseTooLarge(1);
		const date = Math.floor((this.clock.now + dateSkew) / SECOND) * SECOND;
		const response = { items, bytes: 500 * items.length, date, took };
		if (kind.paging !== 'pages') return await Promise.resolve(response);
		const numberOfItems = matching.length;
		const numberOfPages = Math.ceil(numberOfItems / served);
		const counts = { page, pageSize: served, size: items.length, numberOfItems, numberOfPages };
		return await Promise.resolve({ ...response, ...counts });
	}

	/** Changes that the feed has shown by now. */
	everShown(): TrueChange[] {
		this.advance();
		return this.changes.slice(0, this.next);
	}

	/** Changes that the feed shows now. */
	showing(): TrueChange[] {
		this.advance();
		return [...this.shown];
	}

	/** When the change with a key was made. */
	timeOf(key: string): number | undefined {
		return [...this.entries.values()].find((entry) => entry.key === key)?.time;
	}

	private matching(since: number): TrueChange[] {
		if (this.lastMatch?.since === since) return this.lastMatch.changes;
		const how = this.scenario.kind.since;
		const first =
			how === 'second' ? Math.floor(since / SECOND) * SECOND : since + (how === 'exclusive' ? 1 : 0);
		const changes = this.shown.filter(({ time }) => time >= first);
		this.lastMatch = { since, changes };
		return changes;
	}

	private advance(): void {
		for (; this.next < this.changes.length; this.next++) {
			const change = this.changes[this.next];
			if (!change || change.visibleAt > this.clock.now) return;
			this.show(change);
		}
	}

	private show(change: TrueChange): void {
		this.lastMatch = undefined;
		const { kind } = this.scenario;
		if (kind.shape === 'row') {
			const before = this.shown.findIndex(({ row }) => row === change.row);
			// A late change may be older than what is shown of its row.
			if ((this.shown[before]?.sequence ?? -1) > change.sequence) return;
			if (before >= 0) this.shown.splice(before, 1);
			if (change.kind === 'deleted' && !kind.hasTombstones) {
				this.removals += 1;
				return;
			}
		}
		let [from, to] = [0, this.shown.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if (this.compare(change, this.shown[middle] ?? change) < 0) to = middle;
			else from = middle + 1;
		}
		this.shown.splice(from, 0, change);
	}

	/** As the client reads it. */
	private entryOf(change: TrueChange): SimulatedEntry {
		const { kind } = this.scenario;
		const known = this.entries.get(change.sequence);
		if (known) return known;
		const update = readUpdate(kind.shape === 'row' ? rowOf(change, kind.isTimed) : eventOf(change, kind.ids));
		if (!update) throw new Error('Not recognized');
		const [identity = ''] = new EntryIdentities().of({ items: [update] }, 1);
		const { isRow = false, time, entityId, kind: read } = update;
		const entry = { key: keyOf(identity), isRow, time, row: entityId, kind: read, change };
		this.entries.set(change.sequence, entry);
		return entry;
	}

	private compare(a: TrueChange, b: TrueChange): number {
		const ascending = a.time - b.time || a.sequence - b.sequence;
		const log = a.visibleAt - b.visibleAt || a.sequence - b.sequence;
		switch (this.scenario.kind.order) {
			case 'ascending':
				return ascending;
			case 'descending':
				return -ascending;
			case 'log':
				return log;
			case 'logDescending':
				return -log;
			case 'shuffled':
				return scattered(a) - scattered(b) || ascending;
			case 'byRow':
				return a.row - b.row || ascending;
		}
	}
}

const iso = (time: number) => new Date(time).toISOString();

const eventOf = ({ row, kind, time, sequence }: TrueChange, ids: Scenario['kind']['ids']) => ({
	...(ids === 'own' ? { id: `u${sequence}` } : {}),
	type: kind,
	timestamp: iso(time),
	entityId: `e${row}`,
	changes: [{ fieldId: 'f1', oldValue: sequence - 1, newValue: sequence }],
});

const rowOf = ({ row, kind, time, createdAt, sequence }: TrueChange, isTimed: boolean) => ({
	_id: `e${row}`,
	f1: sequence,
	createdAt: iso(createdAt),
	...(isTimed ? { updatedAt: iso(time) } : {}),
	...(kind === 'deleted' ? { deleted: true } : {}),
});

const scattered = ({ row, sequence }: TrueChange) =>
	(Math.imul(row * 31 + sequence, 2654435761) >>> 0) % 1009;
