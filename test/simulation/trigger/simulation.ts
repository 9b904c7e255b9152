import type { Clock } from '../../../nodes/GridTrigger/polling/feed';
import { poll, type PollRequest, type PollResult } from '../../../nodes/GridTrigger/polling/poll';
import { readState, type TriggerState } from '../../../nodes/GridTrigger/polling/state';
import { Random } from '../random';
import { changesOf } from './changes';
import { SimulatedClock, SimulatedFailure, type SimulatedEvent, type TrueChange } from './feedKind';
import { middleOf, MINUTE, START, type Scenario } from './scenario';
import { SimulatedFeed } from './simulatedFeed';

export interface Outcome {
	/** Changes that had to be emitted. */
	events: number;
	lost: number;
	duplicated: number;
	/** Events marked as repeats that are none, and repeats of a killed poll without the mark. */
	mismarked: number;
	/** Of changes that were there before the trigger began. */
	unwanted: number;
	/** Pairs of changes of one row that came the wrong way round although the feed showed both. */
	disordered: number;
	polls: number;
	requests: number;
	/** Executions, each as the times of its events. */
	batches: number[][];
	/** The largest static data, in characters. */
	largestState: number;
	/** Whether the feed was read to its end once all was quiet. */
	settled: boolean;
	state: TriggerState | undefined;
	/** Polls whose error n8n showed. */
	failures: number;
}

type Polled = (request: PollRequest<SimulatedEvent>) => Promise<PollResult<SimulatedEvent>>;

/** A poll with a flaw, to show that the simulation notices one. */
export interface Variant {
	poll?: Polled;
	/** What is kept of the state although the poll has failed. */
	onFailure?(state: TriggerState): TriggerState;
}

/**
 * Runs a trigger in virtual time, as n8n would, and compares what it emitted with what happened.
 */
export async function simulate(scenario: Scenario, variant: Variant = {}): Promise<Outcome> {
	return await new Simulation(scenario, variant).run();
}

class Simulation {
	private readonly random: Random;
	private readonly clock = new SimulatedClock(START);
	private readonly feed: SimulatedFeed;
	/** How often each change was executed, by its sequence number, in the order of emission. */
	private readonly executed = new Map<number, number>();
	/** When the poll began that emitted it. */
	private readonly emittedAt = new Map<number, number>();
	private pollBegun = 0;
	/** What n8n has in memory, and what it has saved: the same text as in its database. */
	private memory: string | undefined;
	private left: PollResult<SimulatedEvent>['left'];
	private saved: string | undefined;
	private before: Set<number> | undefined;
	private begun: { before: Set<number>; at: number } | undefined;
	/** Sequence numbers of the batch of the last poll that no other process has executed. */
	private lastBatch: number[] = [];
	/** The batch whose keys n8n has saved, and what was in such batches when n8n was killed. */
	private savedBatch: number[] = [];
	private readonly mayRepeat = new Set<number>();
	private process = 1;
	/** Whether each poll could read all that the feed showed. */
	private hasReadAll = true;
	private readonly outcome: Outcome = {
		events: 0,
		lost: 0,
		duplicated: 0,
		mismarked: 0,
		unwanted: 0,
		disordered: 0,
		polls: 0,
		requests: 0,
		batches: [],
		largestState: 0,
		settled: false,
		state: undefined,
		failures: 0,
	};

	constructor(
		private readonly scenario: Scenario,
		private readonly variant: Variant,
	) {
		this.random = new Random(scenario.seed);
		const { kind, weather } = scenario;
		const changes = changesOf(scenario, this.random);
		this.feed = new SimulatedFeed(kind, changes, this.clock, weather, this.random, middleOf(scenario));
	}

	async run(): Promise<Outcome> {
		const { polls, budget, downtime, restarts, kills = 0 } = this.scenario;
		const middle = Math.floor(polls / 2);
		for (let number = 0; number < polls; number++) {
			await this.pollOnce(budget);
			this.clock.now += this.random.below(2 * MINUTE);
			if (number === middle) this.clock.now += downtime;
			if (this.random.chance(restarts)) this.restart();
			if (kills > 0 && this.random.chance(kills)) this.kill();
		}
		await this.settle();
		this.count();
		return this.outcome;
	}

	/** Polls in fair weather until nothing is left to read and everything late has come. */
	private async settle(): Promise<void> {
		this.feed.weather = { ...this.scenario.weather, failure: 0, wildDate: 0, stale: undefined };
		const { polls, downtime, lateness } = this.scenario;
		this.clock.now = Math.max(this.clock.now, START + polls * MINUTE + downtime + lateness);
		let quiet = 0;
		for (let number = 0; number < 2000 && quiet < 3; number++) {
			const emitted = this.outcome.batches.length;
			const complete = await this.pollOnce(1000);
			// A reading may take several polls.
			if (emitted < this.outcome.batches.length) quiet = 0;
			else if (complete) quiet += 1;
			this.clock.now += MINUTE;
		}
		this.outcome.settled = quiet === 3;
	}

	private async pollOnce(budget: number): Promise<boolean> {
		const { feed, outcome } = this;
		outcome.polls += 1;
		this.lastBatch = [];
		const shown = this.shown();
		this.pollBegun = this.clock.now;
		const readsBefore = feed.reads;
		const state = this.memory === undefined ? undefined : readState(JSON.parse(this.memory))?.state;
		let result: PollResult<SimulatedEvent>;
		try {
			const request = this.requestOf(state, () => feed.reads - readsBefore >= budget);
			result = await (this.variant.poll ?? poll)(request);
		} catch (error) {
			if (!(error instanceof SimulatedFailure)) throw error;
			outcome.failures += 1;
			if (state && this.variant.onFailure) this.memory = JSON.stringify(this.variant.onFailure(state));
			return false;
		} finally {
			const requests = feed.reads - readsBefore;
			outcome.requests += requests;
			this.hasReadAll &&= requests < budget;
		}
		this.keep(result);
		// The trigger has begun once all that was there before
		// counts as seen; what changes meanwhile may be either.
		if (!this.begun && !result.state.scan?.baseline)
			this.begun = { before: this.before ?? shown, at: this.clock.now };
		if (!this.begun) this.before ??= shown;
		return result.complete;
	}

	/** Sequence numbers of what every answer shows by now. */
	private shown(): Set<number> {
		const { lag = 0 } = this.scenario.weather.stale ?? {};
		const certain = this.feed.showing().filter(({ visibleAt }) => visibleAt <= this.clock.now - lag);
		return new Set(certain.map(({ sequence }) => sequence));
	}

	private requestOf(state: TriggerState | undefined, isOver: () => boolean): PollRequest<SimulatedEvent> {
		const { lookback, limit, maxKeys, kills, wallSkew } = this.scenario;
		const clock: Clock = { wall: () => this.clock.now + wallSkew, isOver };
		return {
			state,
			left: this.left,
			of: 'grid',
			feed: this.feed,
			clock,
			lookback,
			limit,
			accepts: () => true,
			unreadable: () => {
				throw new Error('Nothing in the simulation is too large');
			},
			...(maxKeys === undefined ? {} : { maxKeys: maxKeys }),
			...(kills === undefined ? {} : { atLeastOnce: { process: String(this.process) } }),
		};
	}

	/** What was not saved is gone; a beginning that was not saved begins again. */
	private restart(): void {
		this.memory = this.saved;
		this.left = undefined;
		this.process += 1;
		const state = this.memory === undefined ? undefined : readState(JSON.parse(this.memory))?.state;
		if (!state || state.scan?.baseline) this.begun = undefined;
	}

	/** After n8n has saved the state; before or after it has executed the batch. */
	private kill(): void {
		if (this.random.chance(0.5))
			for (const sequence of this.lastBatch)
				this.executed.set(sequence, (this.executed.get(sequence) ?? 0) - 1);
		for (const sequence of this.savedBatch) this.mayRepeat.add(sequence);
		this.restart();
	}

	/** n8n saves the static data where a poll emits, and when the workflow is activated. */
	private keep({ events, state, left }: PollResult<SimulatedEvent>): void {
		const { outcome } = this;
		this.left = left;
		const text = JSON.stringify(state);
		outcome.largestState = Math.max(outcome.largestState, text.length);
		outcome.state = state;
		this.memory = text;
		if (events.length > 0 || this.saved === undefined) this.saved = text;
		if (events.length > this.scenario.limit) throw new Error(`${events.length} events at once`);
		if (events.length > 0) {
			outcome.batches.push(events.map(({ event }) => event.change.time));
			this.savedBatch = events.map(({ event }) => event.change.sequence);
		}
		for (const { event, redelivered } of events) {
			const { sequence } = event.change;
			const before = this.executed.get(sequence) ?? 0;
			// Marked repeats are allowed for the batch that a kill may have lost, and for nothing else.
			const mayRepeat = this.mayRepeat.delete(sequence);
			if (mayRepeat !== redelivered) outcome.mismarked += 1;
			this.executed.set(sequence, mayRepeat && redelivered ? Math.max(1, before) : before + 1);
			if (before === 0) this.lastBatch.push(sequence);
			if (!this.emittedAt.has(sequence)) this.emittedAt.set(sequence, this.pollBegun);
		}
	}

	private count(): void {
		const { outcome, executed, begun, scenario } = this;
		if (!begun) return;
		const isLog = scenario.kind.content === 'log';
		const expected = (isLog ? this.feed.everShown() : this.feed.showing())
			.filter(({ visibleAt }) => visibleAt > begun.at)
			.map(({ sequence }) => sequence);
		outcome.events = expected.length;
		outcome.lost = expected.filter((sequence) => (executed.get(sequence) ?? 0) === 0).length;
		outcome.unwanted = [...begun.before].filter((sequence) => executed.has(sequence)).length;
		for (const times of executed.values()) outcome.duplicated += Math.max(0, times - 1);
		if (keepsOrder(scenario, this.hasReadAll)) outcome.disordered = this.countDisordered();
	}

	private countDisordered(): number {
		const { kind } = this.scenario;
		const changes = new Map(this.feed.everShown().map((change) => [change.sequence, change]));
		const later = new Map<number, TrueChange[]>();
		let disordered = 0;
		for (const sequence of this.executed.keys()) {
			const change = changes.get(sequence);
			if (!change) continue;
			const before = later.get(change.entity) ?? [];
			const overtaken = before.filter(
				(other) =>
					other.sequence > sequence &&
					// A late change may stand where was read already;
					// a time dated ahead does not tell the order.
					change.visibleAt === change.time &&
					change.visibleAt <= (this.emittedAt.get(other.sequence) ?? 0) &&
					change.time <= other.time &&
					(kind.order !== 'shuffled' || change.time < other.time || change.kind === 'created'),
			);
			disordered += overtaken.length;
			later.set(change.entity, [...before, change]);
		}
		return disordered;
	}
}

/**
 * Whether changes of one row can be expected in order: the
 * feed tells it, and a poll can read all there is.
 */
function keepsOrder({ kind, weather, restarts, kills }: Scenario, hasReadAll: boolean): boolean {
	const { times, content, order, laterOrder, clockChange, paging, deletions } = kind;
	if (times !== 'change' || content === 'entities') return false;
	if (laterOrder !== undefined || clockChange !== undefined || deletions !== undefined) return false;
	if (weather.stale !== undefined || kills !== undefined) return false;
	if (order === 'ascending' && paging === 'totals') return true;
	return hasReadAll && weather.failure === 0 && weather.latency <= 1000 && restarts === 0;
}
