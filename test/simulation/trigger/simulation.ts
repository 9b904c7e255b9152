import { poll, type PollRequest, type PollResult } from '../../../nodes/shared/feed/poll';
import { mergedKind } from '../../../nodes/shared/feed/feed';
import { readState } from '../../../nodes/shared/feed/state';
import { Random } from '../random';
import type { Move } from '../../../nodes/EntityTrigger/viewMembers';
import { changesOf, type TrueChange } from './changes';
import { MINUTE, SECOND, START, type Scenario } from './scenario';
import { SimulatedView, type MoveCounts } from './simulatedView';
import { SimulatedClock, SimulatedFailure, SimulatedFeed, type SimulatedEntry } from './simulatedFeed';

export interface Outcome extends MoveCounts {
	/** Changes that had to be emitted. */
	events: number;
	lost: number;
	/** Lost or unwanted in the known gap of changed rows. */
	inGap: number;
	doubled: number;
	/** Of changes that were there before the trigger began. */
	unwanted: number;
	/** Events marked as repeats that are none, and repeats of a killed poll without the mark. */
	mismarked: number;
	/** Pairs that came the wrong way round. */
	disordered: number;
	/** Events of rows that were not quiet, and several events of one burst. */
	unquiet: number;
	/** Whether the feed was read to its end once all was quiet. */
	settled: boolean;
	polls: number;
	requests: number;
	/** The largest static data, in characters. */
	largestState: number;
}

/**
 * Requests that a poll may need beyond its budget: a page that is asked for again in smaller sizes,
 * and the first page of an array to see whether it is repeated.
 */
const UNCOUNTED = 12;

type Polled = (request: PollRequest<SimulatedEntry>) => Promise<PollResult<SimulatedEntry>>;

interface Emission {
	change: TrueChange;
	/** The first change that was merged. */
	first: TrueChange;
	poll: number;
	readingBegun: number;
}

/** Runs a trigger in virtual time, as n8n would, and compares the events with what happened. */
export async function simulate(scenario: Scenario, polled: Polled = poll): Promise<Outcome> {
	return await new Simulation(scenario, polled).run();
}

class Simulation {
	private readonly random: Random;
	private readonly clock = new SimulatedClock(START);
	private readonly feed: SimulatedFeed;
	private readonly view: SimulatedView | undefined;
	/** How often each change was executed, by its sequence number. */
	private readonly executed = new Map<number, number>();
	private readonly emissions: Emission[] = [];
	private memory: PollResult<SimulatedEntry>['memory'] | undefined;
	/** What n8n has in memory and what it has saved: the same text as in its database. */
	private state: string | undefined;
	private saved: string | undefined;
	/** What was there before the first poll. */
	private before: ReadonlySet<number> | undefined;
	private activatedAt = Infinity;
	private process = 1;
	private polls = 0;
	/** Changes of rows that were created and deleted in one burst. */
	private readonly cancelled: TrueChange[] = [];
	private lastBatch: number[] = [];
	private savedBatch: number[] = [];
	private readonly mayRepeat = new Set<number>();
	private mismarked = 0;
	private unquiet = 0;
	private disordered = 0;
	private largestState = 0;

	constructor(
		private readonly scenario: Scenario,
		private readonly polled: Polled,
	) {
		this.random = new Random(scenario.seed);
		const changes = changesOf(scenario, this.random);
		this.feed = new SimulatedFeed(scenario, changes, this.clock, this.random);
		if (scenario.view) this.view = new SimulatedView(scenario, changes, this.clock);
	}

	async run(): Promise<Outcome> {
		const { polls, budget, downtime, restarts, kills = 0 } = this.scenario;
		for (let number = 0; number < polls; number++) {
			await this.pollOnce(budget);
			this.clock.now += this.random.below(2 * MINUTE);
			if (number === Math.floor(polls / 2)) this.clock.now += downtime;
			if (this.random.chance(restarts)) this.restart();
			if (kills > 0 && this.random.chance(kills)) this.kill();
		}
		return this.count(await this.settle());
	}

	/** Polls without failures until nothing is left to read and everything late has come. */
	private async settle(): Promise<boolean> {
		const { polls, downtime, lateness } = this.scenario;
		this.feed.failure = 0;
		this.clock.now = Math.max(this.clock.now, START + polls * MINUTE + downtime) + lateness + MINUTE;
		for (let quiet = 0, number = 0; number < 3000; number++) {
			const result = await this.pollOnce(1000);
			const { reading, held } = result?.memory ?? {};
			const isSampled = result?.state.members?.isDue !== true;
			const isRead = result?.events.length === 0 && !result.hasNews && !reading && (held?.size ?? 0) === 0;
			const isQuiet = isRead && isSampled;
			quiet = isQuiet ? quiet + 1 : 0;
			if (quiet === 3) return true;
			this.clock.now += MINUTE;
		}
		return false;
	}

	private async pollOnce(budget: number): Promise<PollResult<SimulatedEntry> | undefined> {
		const { feed, clock, scenario } = this;
		this.polls += 1;
		this.lastBatch = [];
		this.view?.begin();
		this.before ??= new Set(feed.everShown().map(({ sequence }) => sequence));
		const requestsBefore = feed.requests;
		const { lookback, limit, kills, wallSkew, maxima, quiet } = scenario;
		const before = this.state === undefined ? undefined : readState(JSON.parse(this.state))?.state;
		const polled = await this.polled({
			state: before,
			memory: this.memory,
			of: 'grid',
			feed,
			clock: {
				wall: () => clock.now + wallSkew,
				isOver: () => feed.requests - requestsBefore >= budget,
			},
			lookback,
			limit,
			accepts: () => true,
			...(maxima === undefined ? {} : { maxima }),
			quiet: quiet && { ...quiet, holds: () => true, merge: (entries) => this.merged(entries) },
			...(kills === undefined ? {} : { atLeastOnce: { process: String(this.process) } }),
		});
		const { interruptedBy } = polled;
		const requests = feed.requests - requestsBefore;
		if (requests > budget + UNCOUNTED) throw new Error(`${requests} requests, of at most ${budget}`);
		if (interruptedBy instanceof Error && !(interruptedBy instanceof SimulatedFailure)) throw interruptedBy;
		this.memory = polled.memory;
		if (interruptedBy !== undefined && !polled.hasProgress) return undefined;
		const remaining = limit - polled.events.length;
		const sampled = await this.view?.sample(before, polled, {
			process: String(this.process),
			limit: remaining,
		});
		const result = { ...polled, ...(sampled && { state: sampled.state }) };
		this.keep(result, sampled?.moves ?? []);
		this.unquiet += this.countOverdue(result);
		// What changes during the first poll may be emitted or not.
		if (this.activatedAt === Infinity) this.activatedAt = clock.now;
		return result;
	}

	/** What cancels out is emitted by nobody. */
	private merged(entries: readonly SimulatedEntry[]): SimulatedEntry | undefined {
		const [last] = entries.slice(-1);
		const kind = mergedKind(entries.map((entry) => entry.kind));
		if (last && kind) return { ...last, kind, merged: entries.map(({ change }) => change) };
		this.cancelled.push(...entries.map(({ change }) => change));
		return undefined;
	}

	/** n8n saves the static data where a poll emits, and when the workflow is activated. */
	private keep({ events, state }: PollResult<SimulatedEntry>, moves: readonly Move[]): void {
		const text = JSON.stringify(state);
		this.largestState = Math.max(this.largestState, text.length);
		this.state = text;
		const emitted = events.length + moves.length;
		if (emitted > 0) this.view?.saved(moves);
		if (emitted > 0 || this.saved === undefined) this.saved = text;
		if (emitted > this.scenario.limit) throw new Error(`${emitted} events at once`);
		const changes = events.map(({ entry }) => entry.change);
		const parts = events.flatMap(({ entry }) => entry.merged ?? [entry.change]);
		if (emitted > 0) this.savedBatch = parts.map(({ sequence }) => sequence);
		if (this.scenario.kind.isTimed) this.disordered += countDisordered(changes);
		for (const { entry, redelivered } of events) {
			const merged = entry.merged ?? [entry.change];
			// Marked repeats are allowed for the batch that a kill may have lost, and for nothing else.
			const repeats = merged.filter(({ sequence }) => this.mayRepeat.delete(sequence));
			if (repeats.length > 0 !== redelivered) this.mismarked += 1;
			for (const change of merged) {
				const { sequence } = change;
				const before = this.executed.get(sequence) ?? 0;
				this.executed.set(sequence, repeats.includes(change) ? Math.max(1, before) : before + 1);
				if (before === 0) this.lastBatch.push(sequence);
			}
			if (redelivered) continue;
			const [first = entry.change] = merged;
			const emission = {
				change: entry.change,
				first,
				poll: this.polls,
				readingBegun: this.feed.readingBegun,
			};
			this.unquiet += this.countUnquiet(emission, merged);
			this.emissions.push(emission);
		}
	}

	/** Rows that were held for longer than At Most. */
	private countOverdue({ memory, interruptedBy }: PollResult<SimulatedEntry>): number {
		const { quiet } = this.scenario;
		if (!quiet || !this.isExact || memory.reading || interruptedBy !== undefined) return 0;
		const times = [...(memory.held ?? [])].flatMap((key) => this.feed.timeOf(key) ?? []);
		// The service's date, by which rows are held, is in whole seconds.
		const begun = this.feed.readingBegun - this.scenario.latency - SECOND;
		return times.filter((time) => time < begun - quiet.atMost).length;
	}

	/** Whether bursts are exact: a clock that is ahead, or too small a memory, ends one early. */
	private get isExact(): boolean {
		const { kind, dateSkew, wallSkew, maxima } = this.scenario;
		return kind.isTimed && kind.shape === 'change' && dateSkew + wallSkew <= 0 && !maxima;
	}

	/** Whether an event came too early, or another one of its burst did. */
	private countUnquiet({ change, first }: Emission, merged: readonly TrueChange[]): number {
		const { quiet } = this.scenario;
		if (!quiet || !this.isExact) return 0;
		const { wait, atMost } = quiet;
		const isOver = this.clock.now - change.time >= wait || this.clock.now - first.time > atMost;
		const isOneBurst = merged.every(
			({ row, time }, index) => row === change.row && time - (merged[index - 1]?.time ?? time) < wait,
		);
		const isSplit = this.emissions.some(
			(other) =>
				other.change.row === change.row &&
				first.visibleAt <= other.readingBegun &&
				first.time >= other.change.time &&
				first.time - other.change.time < wait &&
				change.time - other.first.time <= atMost,
		);
		return isOver && isOneBurst && change.time - first.time <= atMost && !isSplit ? 0 : 1;
	}

	/** What was not saved is gone; so is a beginning that was not saved. */
	private restart(): void {
		this.state = this.saved;
		this.memory = undefined;
		this.process += 1;
	}

	/** After n8n has saved the state; before or after it has executed the batch. */
	private kill(): void {
		const isLost = this.random.chance(0.5);
		this.view?.kill(isLost);
		if (isLost)
			for (const sequence of this.lastBatch)
				this.executed.set(sequence, (this.executed.get(sequence) ?? 0) - 1);
		for (const sequence of this.savedBatch) this.mayRepeat.add(sequence);
		this.restart();
	}

	private count(settled: boolean): Outcome {
		const { feed, executed, activatedAt, before = new Set(), mismarked, polls, largestState } = this;
		const isLog = this.scenario.kind.shape === 'change';
		const expected = (isLog ? feed.everShown() : feed.showing()).filter(
			({ visibleAt, time }) => visibleAt > activatedAt && time > activatedAt,
		);
		const cancelled = new Set(this.cancelled.map(({ sequence }) => sequence));
		const missing = expected.filter(({ sequence }) => (executed.get(sequence) ?? 0) === 0);
		const lost = missing.filter(({ sequence }) => !cancelled.has(sequence)).length;
		const isInGap = !isLog && feed.hasRemovedBetweenPages;
		let doubled = 0;
		for (const times of executed.values()) doubled += Math.max(0, times - 1);
		// A row that the first reading passes over seems to be new.
		const unwanted = [...before].filter((sequence) => executed.has(sequence)).length;
		return {
			events: expected.length,
			lost: isInGap ? 0 : lost,
			inGap: isInGap ? lost + unwanted : 0,
			doubled,
			unwanted: isInGap ? 0 : unwanted,
			mismarked,
			unquiet: this.unquiet,
			...(this.view?.count() ?? { moves: 0, lostMoves: 0, doubledMoves: 0, falseMoves: 0 }),
			disordered: this.disordered + (isLog ? this.countOvertaken() : 0),
			settled,
			polls,
			requests: feed.requests,
			largestState,
		};
	}

	/** Changes that came in a later poll than a later change of their row, although it was there. */
	private countOvertaken(): number {
		const emitted = new Map<number, Emission[]>();
		let overtaken = 0;
		for (const emission of this.emissions) {
			const { change, poll: number } = emission;
			const others = emitted.get(change.row) ?? [];
			overtaken += others.filter(
				(other) =>
					other.change.sequence > change.sequence &&
					other.poll < number &&
					change.time < other.change.time &&
					change.visibleAt <= other.readingBegun,
			).length;
			emitted.set(change.row, [...others, emission]);
		}
		return overtaken;
	}
}

/** Pairs of one execution that are not in the order of time, or of their row. */
function countDisordered(changes: readonly TrueChange[]): number {
	let disordered = 0;
	const last = new Map<number, TrueChange>();
	let latest = -Infinity;
	for (const change of changes) {
		if (change.time < latest) disordered += 1;
		latest = Math.max(latest, change.time);
		const before = last.get(change.row);
		const isWrong = change.kind === 'created' || before?.kind === 'deleted';
		if (before?.time === change.time && isWrong) disordered += 1;
		last.set(change.row, change);
	}
	return disordered;
}
