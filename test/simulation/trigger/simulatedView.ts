import { createClient } from '../../../client';
import { gridSchema } from '../../../client/resources/grids';
import {
	isSampleDue,
	membersOf,
	sampleView,
	withMoves,
	type Move,
	type ViewOfGrid,
} from '../../../nodes/EntityTrigger/viewMembers';
import type { TriggerState } from '../../../nodes/shared/feed/state';
import { Random } from '../random';
import type { TrueChange } from './changes';
import type { Scenario } from './scenario';
import type { SimulatedClock } from './simulatedFeed';

const address = { userId: 'u', spaceId: 's', gridId: 'g' };
const links = { entities: { href: '/api/rows', method: 'get' } };
const grid = { ...gridSchema.parse({ id: 'g', name: 'Grid', _links: links }), address };
const SETTINGS = { kinds: new Set(['entered', 'left']), checkViewEvery: 0 };

/** What went wrong with the moves of rows into a view and out of it. */
export interface MoveCounts {
	moves: number;
	/** Rows of which the workflow believes something else in the end. */
	lostMoves: number;
	/** Moves that the workflow was told before, without a mark. */
	doubledMoves: number;
	/** Moves that did not happen since the sample before. */
	falseMoves: number;
}

/** A view of the simulated grid, and what the workflow knows of it. */
export class SimulatedView {
	private readonly random: Random;
	private readonly changes: readonly TrueChange[];
	/** The rows that the view shows, up to the next change. */
	private readonly inside = new Set<number>();
	private next = 0;
	/** Times from which rows were inside (true) or outside. */
	private readonly history = new Map<number, Array<{ from: number; isInside: boolean }>>();
	private sampledAt = 0;
	private known = new Set<string>();
	/** What the workflow knew before the last batch, and the batch. */
	private knownBefore = new Set<string>();
	private savedMoves: readonly Move[] = [];
	private readonly mayRepeat = new Set<string>();
	private readonly counts = { moves: 0, doubledMoves: 0, falseMoves: 0 };

	constructor(
		private readonly scenario: Scenario,
		changes: readonly TrueChange[],
		private readonly clock: SimulatedClock,
	) {
		this.random = new Random(scenario.seed + 17);
		this.changes = [...changes].sort((a, b) => a.time - b.time || a.sequence - b.sequence);
	}

	/** What a poll does after it has read the feed. @returns the state to store, and the moves */
	async sample(
		before: TriggerState | undefined,
		{ state, hasNews }: { state: TriggerState; hasNews: boolean },
		{ process, limit }: { process: string; limit: number },
	): Promise<{ state: TriggerState; moves: readonly Move[] }> {
		const members = membersOf(before, process);
		const { now } = this.clock;
		if (!isSampleDue(SETTINGS, members, { hasNews, now }))
			return { state: members ? { ...state, members } : state, moves: [] };
		const { kinds } = SETTINGS;
		const sample = await sampleView(this.view(), members, { limit, now, kinds });
		if (!members) {
			this.known = new Set(sample.members.ids);
			this.begin();
		}
		this.tell(sample.moves);
		this.sampledAt = now;
		const next = { ...state, members: sample.members };
		const { kills } = this.scenario;
		return {
			state: kills === undefined ? next : withMoves(next, process, sample.moves),
			moves: sample.moves,
		};
	}

	/** n8n has stored the state of the last poll. */
	saved(moves: readonly Move[]): void {
		this.savedMoves = moves;
	}

	/** The last poll is over, and none of its moves is lost any more. */
	begin(): void {
		this.knownBefore = new Set(this.known);
	}

	/** n8n is killed. @param isLost whether before the last batch was executed */
	kill(isLost: boolean): void {
		if (isLost) this.known = new Set(this.knownBefore);
		for (const { id } of this.savedMoves) this.mayRepeat.add(id);
	}

	count(): MoveCounts {
		this.advance();
		const rows = new Set([...this.known, ...[...this.inside].map((row) => `e${row}`)]);
		const isWrong = (id: string) => this.known.has(id) !== this.inside.has(Number(id.slice(1)));
		return { ...this.counts, lostMoves: [...rows].filter(isWrong).length };
	}

	private tell(moves: readonly Move[]): void {
		for (const { kind, id, redelivered } of moves) {
			const isEntering = kind === 'entered';
			const mayRepeat = this.mayRepeat.delete(id);
			this.counts.moves += 1;
			if (redelivered && !mayRepeat) this.counts.doubledMoves += 1;
			if (!mayRepeat && this.known.has(id) === isEntering) this.counts.doubledMoves += 1;
			if (!redelivered && !mayRepeat && !this.hasBeen(id, isEntering)) this.counts.falseMoves += 1;
			if (isEntering) this.known.add(id);
			else this.known.delete(id);
		}
	}

	/** Whether a row was inside or outside at any moment since the sample before. */
	private hasBeen(id: string, isInside: boolean): boolean {
		const times = this.history.get(Number(id.slice(1))) ?? [];
		return times.some((one, index) => {
			const until = times[index + 1]?.from ?? Infinity;
			return one.isInside === isInside && until >= this.sampledAt;
		});
	}

	private advance(): void {
		for (; this.next < this.changes.length; this.next++) {
			const change = this.changes[this.next];
			if (!change || change.time > this.clock.now) return;
			const isInside = change.kind !== 'deleted' && (change.sequence * 7 + change.row) % 3 !== 0;
			if (isInside) this.inside.add(change.row);
			else this.inside.delete(change.row);
			const times = this.history.get(change.row) ?? [{ from: -Infinity, isInside: false }];
			this.history.set(change.row, [...times, { from: change.time, isInside }]);
		}
	}

	private view(): ViewOfGrid {
		const client = createClient({
			baseUrl: 'http://127.0.0.1:1',
			retry: false,
			transport: {
				send: ({ url }) => Promise.resolve(this.respond(new URL(url))),
				now: () => this.clock.now,
				sleep: () => Promise.resolve(),
			},
		});
		return { client, grid, fields: [], viewId: 'v', isOver: () => false };
	}

	private respond({ pathname, searchParams }: URL) {
		this.clock.now += 1 + this.random.below(this.scenario.latency);
		this.advance();
		const row = /\/entities\/e(\d+)$/.exec(pathname)?.[1];
		const isMissing = row !== undefined && !this.inside.has(Number(row));
		const other = row === undefined ? { id: 'u', name: 'View' } : { _id: `e${row}` };
		const body = pathname === '/api/rows' ? this.page(Number(searchParams.get('pageIndex'))) : other;
		const headers = { 'content-type': 'application/json' };
		return { status: isMissing ? 404 : 200, headers, body: JSON.stringify(body) };
	}

	private page(page: number) {
		const pageSize = this.scenario.view?.maxPage ?? 1;
		const rows = [...this.inside].sort((a, b) => a - b);
		const items = rows.slice((page - 1) * pageSize, page * pageSize).map((row) => ({ _id: `e${row}` }));
		const numberOfPages = Math.ceil(rows.length / pageSize);
		return { page, pageSize, size: items.length, numberOfItems: rows.length, numberOfPages, items };
	}
}
