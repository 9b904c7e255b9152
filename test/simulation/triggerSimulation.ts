import type { Clock } from '../../nodes/GridTrigger/polling/feed';
import { poll, type PollRequest, type PollResult } from '../../nodes/GridTrigger/polling/poll';
import { readState, type TriggerState } from '../../nodes/GridTrigger/polling/state';
import { Random } from './random';
import {
	SimulatedFailure,
	SimulatedFeed,
	VirtualTime,
	type FeedKind,
	type SimulatedEvent,
	type TrueChange,
	type Weather,
} from './simulatedFeed';

export const MINUTE = 60_000;
export const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 15, 12);

/** Everything that decides one run. */
export interface Scenario {
	seed: number;
	kind: FeedKind;
	weather: Weather;
	/** Lookback L (A1) in milliseconds. */
	lookback: number;
	/** The latest that a change becomes visible. */
	lateness: number;
	/** At most so many events per execution. */
	limit: number;
	/** Requests after which a poll has to stop. */
	budget: number;
	/** How far n8n's clock is wrong. */
	wallSkew: number;
	polls: number;
	/** Changes per poll interval, on average. */
	rate: number;
	/** Changes in one millisecond, at some moments. */
	burst: number;
	entities: number;
	/** How often n8n restarts and forgets what it has not saved. */
	restarts: number;
	/** Milliseconds without polls in the middle of the run. */
	downtime: number;
	/** How many of the changes are dated up to a year ahead. */
	future: number;
}

export const CALM: Weather = { failure: 0, latency: 200, dateSkew: 0, wildDate: 0 };

/** An ordinary service and an ordinary n8n: named tests change one thing of it. */
export const ORDINARY: Scenario = {
	seed: 1,
	kind: {
		order: 'ascending',
		content: 'log',
		since: 'inclusive',
		paging: 'totals',
		pageSize: 20,
		ids: 'own',
		times: 'change',
		resent: 'nothing',
		grouped: false,
		words: 'plain',
	},
	weather: CALM,
	lookback: 2 * MINUTE,
	lateness: 0,
	limit: 1000,
	budget: 1000,
	wallSkew: 0,
	polls: 30,
	rate: 5,
	burst: 0,
	entities: 15,
	restarts: 0,
	downtime: 0,
	future: 0,
};

export interface Outcome {
	/** Changes that had to be emitted. */
	events: number;
	lost: number;
	duplicated: number;
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

/** The work that people do on the grid, before and while the trigger runs. */
export function changesOf(scenario: Scenario, random: Random): TrueChange[] {
	const { rate, burst, entities, lateness, future } = scenario;
	const changes: TrueChange[] = [];
	const alive = new Set<number>();
	const births: number[] = [];
	let entitiesEver = 0;
	const note = (change: Omit<TrueChange, 'createdAt' | 'sequence'>) => {
		births[change.entity] ??= change.time;
		changes.push({ ...change, createdAt: births[change.entity] ?? change.time, sequence: changes.length });
	};
	const write = (time: number) => {
		const known = [...alive];
		const chosen = known[random.below(known.length)];
		const deleted = chosen !== undefined && random.chance(0.08);
		const created = chosen === undefined || (!deleted && known.length < entities && random.chance(0.4));
		const entity = created ? entitiesEver++ : chosen;
		if (deleted) alive.delete(entity);
		else alive.add(entity);
		const dated = random.chance(future) ? time + random.below(365 * DAY) : time;
		note({
			entity,
			kind: created ? 'created' : deleted ? 'deleted' : 'updated',
			time: dated,
			visibleAt: time + (random.chance(0.5) ? random.below(lateness + 1) : 0),
			value: random.below(3),
		});
	};
	for (const [minute, length] of slots(scenario)) {
		const busy = random.chance(0.5) ? random.below(2 * rate + 1) : 0;
		const moments = Array.from({ length: busy }, () => minute + random.below(length)).sort((a, b) => a - b);
		moments.forEach(write);
		const middle = START + Math.ceil(scenario.polls / 2) * MINUTE;
		if (minute >= START && (minute === middle || random.chance(0.1))) {
			const moment = minute + length - 1;
			for (let count = 0; count < burst; count++) {
				const at = { entity: entitiesEver++, time: moment, visibleAt: moment };
				alive.add(at.entity);
				note({ ...at, kind: 'created', value: random.below(3) });
				if (random.chance(0.2)) note({ ...at, kind: 'updated', value: 3 + random.below(3) });
			}
		}
	}
	return distinguishable(changes, scenario);
}

/** Spans of time with work in them: the minutes before and while the trigger runs, and twenty longer ones while it is down. */
function slots({ polls, downtime }: Scenario): Array<[start: number, length: number]> {
	const middle = START + Math.ceil(polls / 2) * MINUTE;
	const minutes = (from: number, count: number) =>
		Array.from({ length: count }, (_, index): [number, number] => [from + index * MINUTE, MINUTE]);
	const down = Array.from({ length: downtime > 0 ? 20 : 0 }, (_, index): [number, number] => [
		middle + (index * downtime) / 20,
		downtime / 20,
	]);
	return [
		...minutes(START - 15 * MINUTE, 15 + Math.ceil(polls / 2)),
		...down,
		...minutes(middle + downtime, Math.floor(polls / 2)),
	];
}

/** A2 asks that events can be told apart; what a feed without ids or times writes alike is one event. */
function distinguishable(changes: TrueChange[], { kind }: Scenario): TrueChange[] {
	const isLog = kind.content === 'log';
	if (isLog && kind.ids === 'own') return changes;
	const known = new Set<string>();
	return changes.map((change, index) => {
		if (kind.times !== 'change') return { ...change, value: index };
		let { time } = change;
		// A log tells two changes of one moment apart by what happened; of an entity only the time of the last one shows.
		const told = (at: number) =>
			isLog ? `${change.entity} ${at} ${change.kind} ${change.value}` : `${change.entity} ${at}`;
		while (known.has(told(time))) time += 1;
		known.add(told(time));
		return { ...change, time };
	});
}

/** Runs a trigger against a service in virtual time, as n8n would, and compares what it emitted with what truly happened. */
export async function simulate(scenario: Scenario, variant: Variant = {}): Promise<Outcome> {
	return await new Simulation(scenario, variant).run();
}

class Simulation {
	private readonly random: Random;
	private readonly time = new VirtualTime(START);
	private readonly feed: SimulatedFeed;
	/** How often each change was emitted, by its sequence number, in the order of emission. */
	private readonly emitted = new Map<number, number>();
	/** When the poll began that emitted it. */
	private readonly emittedAt = new Map<number, number>();
	private pollBegun = 0;
	/** What n8n has in memory, and what it has saved: the same text as in its database. */
	private memory: string | undefined;
	private saved: string | undefined;
	private before: Set<number> | undefined;
	private begun: { before: Set<number>; at: number } | undefined;
	private readonly outcome: Outcome = {
		events: 0,
		lost: 0,
		duplicated: 0,
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
		const changes = changesOf(scenario, this.random);
		this.feed = new SimulatedFeed(scenario.kind, changes, this.time, scenario.weather, this.random);
	}

	async run(): Promise<Outcome> {
		const { scenario } = this;
		const middle = Math.floor(scenario.polls / 2);
		for (let number = 0; number < scenario.polls; number++) {
			await this.pollOnce(scenario.budget);
			this.time.now += this.random.below(2 * MINUTE);
			if (number === middle) this.time.now += scenario.downtime;
			if (this.random.chance(scenario.restarts)) this.restart();
		}
		await this.settle();
		this.count();
		return this.outcome;
	}

	/** Polls in fair weather until nothing is left to read and everything late has come. */
	private async settle(): Promise<void> {
		this.feed.weather = { ...this.scenario.weather, failure: 0, wildDate: 0 };
		const quietFrom = START + this.scenario.polls * MINUTE + this.scenario.downtime + this.scenario.lateness;
		this.time.now = Math.max(this.time.now, quietFrom);
		let quiet = 0;
		for (let number = 0; number < 2000 && quiet < 3; number++) {
			const emitted = this.outcome.batches.length;
			const complete = await this.pollOnce(1000);
			quiet = complete && emitted === this.outcome.batches.length ? quiet + 1 : 0;
			this.time.now += MINUTE;
		}
		this.outcome.settled = quiet === 3;
	}

	private async pollOnce(budget: number): Promise<boolean> {
		const { scenario, feed, outcome } = this;
		outcome.polls += 1;
		const shown = new Set(feed.showing().map(({ sequence }) => sequence));
		this.pollBegun = this.time.now;
		const readsBefore = feed.reads;
		const clock: Clock = {
			wall: () => this.time.now + scenario.wallSkew,
			isOver: () => feed.reads - readsBefore >= budget,
		};
		const before = this.memory === undefined ? undefined : readState(JSON.parse(this.memory));
		let result: PollResult<SimulatedEvent>;
		try {
			result = await (this.variant.poll ?? poll)({
				state: before?.state,
				of: 'grid',
				feed,
				clock,
				lookback: scenario.lookback,
				limit: scenario.limit,
				accepts: () => true,
				unreadable: () => {
					throw new Error('Nothing in the simulation is too large');
				},
			});
		} catch (error) {
			if (!(error instanceof SimulatedFailure)) throw error;
			outcome.failures += 1;
			if (before && this.variant.onFailure)
				this.memory = JSON.stringify(this.variant.onFailure(before.state));
			return false;
		} finally {
			outcome.requests += feed.reads - readsBefore;
		}
		this.keep(result);
		// The trigger has begun when all that was there before counts as seen; what changes while it reads that may be either.
		if (!this.begun && !result.state.scan?.baseline)
			this.begun = { before: this.before ?? shown, at: this.time.now };
		if (!this.begun) this.before ??= shown;
		return result.complete;
	}

	/** What was not saved is gone; a beginning that was not saved begins again. */
	private restart(): void {
		this.memory = this.saved;
		const state = this.memory === undefined ? undefined : readState(JSON.parse(this.memory))?.state;
		if (!state || state.scan?.baseline) this.begun = undefined;
	}

	/** n8n saves the static data where a poll emits, and when the workflow is activated. */
	private keep({ events, state }: PollResult<SimulatedEvent>): void {
		const { outcome } = this;
		const text = JSON.stringify(state);
		outcome.largestState = Math.max(outcome.largestState, text.length);
		outcome.state = state;
		this.memory = text;
		if (events.length > 0 || this.saved === undefined) this.saved = text;
		if (events.length > this.scenario.limit) throw new Error(`${events.length} events at once`);
		if (events.length > 0) outcome.batches.push(events.map(({ event }) => event.change.time));
		for (const { event } of events) {
			const { sequence } = event.change;
			this.emitted.set(sequence, (this.emitted.get(sequence) ?? 0) + 1);
			if (!this.emittedAt.has(sequence)) this.emittedAt.set(sequence, this.pollBegun);
		}
	}

	private count(): void {
		const { outcome, emitted, begun } = this;
		if (!begun) return;
		const expected = this.feed
			.showing()
			.filter(({ visibleAt }) => visibleAt > begun.at)
			.map(({ sequence }) => sequence);
		outcome.events = expected.length;
		outcome.lost = expected.filter((sequence) => !emitted.has(sequence)).length;
		outcome.unwanted = [...begun.before].filter((sequence) => emitted.has(sequence)).length;
		for (const times of emitted.values()) outcome.duplicated += times - 1;
		if (keepsOrder(this.scenario)) outcome.disordered = this.countDisordered();
	}

	private countDisordered(): number {
		const { kind } = this.scenario;
		const changes = new Map(this.feed.everShown().map((change) => [change.sequence, change]));
		const later = new Map<number, TrueChange[]>();
		let disordered = 0;
		for (const sequence of this.emitted.keys()) {
			const change = changes.get(sequence);
			if (!change) continue;
			const before = later.get(change.entity) ?? [];
			const overtaken = before.filter(
				(other) =>
					other.sequence > sequence &&
					// A change that became visible late may stand where was read already; a time dated ahead does not tell the order.
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

/** Whether changes of one row can be expected in their order: the feed tells it, and a poll can read all there is. */
function keepsOrder({ kind, budget, weather, restarts }: Scenario): boolean {
	if (kind.times !== 'change' || kind.content === 'entities') return false;
	if (kind.order === 'ascending' && kind.paging === 'totals') return true;
	return budget >= 1000 && weather.failure === 0 && weather.latency <= 1000 && restarts === 0;
}
