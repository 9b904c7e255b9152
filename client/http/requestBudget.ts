import { AdaptiveLimit, type RequestLoad } from './adaptiveLimit';
import { Gate, type GateEvidence } from './gate';

/** After this time without requests, the capacity of the service may have changed. */
const MAX_IDLE_MS = 30_000;

/** A request that takes longer no longer keeps other executions waiting. */
const MAX_HELD_MS = 30_000;

export interface SentRequest extends RequestLoad {
	/** When it was sent, by the clock of its execution. */
	readonly at: number;
}

export interface RequestEnd extends GateEvidence {
	/** `refused` because of load; `failed` otherwise */
	load: 'succeeded' | 'refused' | 'failed';
}

/** One execution that sends requests. */
export interface BudgetUser {
	/** Maximum number of its concurrent requests. */
	readonly ceiling: number;
	/** Its requests without a response, the oldest first. */
	readonly sending: Set<SentRequest>;
	/** RFC 6585: a 429 is about the requests of one user. */
	readonly gate: Gate<SentRequest>;
	/** Whether it has a request to send. */
	readonly isWaiting: boolean;
	/** Whether its requests fail without being sent. */
	readonly isStopped: boolean;
	sendNext(sent: SentRequest): void;
}

/**
 * The concurrent requests of one service, shared by the executions of a process. The limit adapts
 * to all responses, and the next request is sent for the execution with the fewest pending ones.
 * The limit is at most the highest ceiling among the executions that share it.
 */
export class RequestBudget {
	private static readonly known = new Map<string, RequestBudget>();
	private readonly adaptive = new AdaptiveLimit(Number.POSITIVE_INFINITY);
	/** Executions with requests or runs; the one served last is at the end. */
	private readonly users = new Set<BudgetUser>();
	private inFlight = 0;
	private usedAt = 0;
	/** Of all users: closed while the service is away, or has requested a pause of all. */
	private readonly gate = new Gate<SentRequest>();

	/**
	 * The budget of a service in this process. Budgets that are no longer used are dropped.
	 * @param now milliseconds of the clock that all executions share
	 */
	static of(origin: string, now: number): RequestBudget {
		for (const [key, { users, usedAt }] of RequestBudget.known)
			if (users.size === 0 && now - usedAt > MAX_IDLE_MS) RequestBudget.known.delete(key);
		const budget = RequestBudget.known.get(origin) ?? new RequestBudget();
		RequestBudget.known.set(origin, budget);
		return budget;
	}

	/** Maximum number of concurrent requests. */
	get limit(): number {
		return this.adaptive.value;
	}

	/** Whether a waiting execution must check that requests of others do not take too long. */
	get isShared(): boolean {
		return this.users.size > 1;
	}

	join(user: BudgetUser): void {
		if (this.users.has(user)) return;
		this.users.add(user);
		this.setCeiling();
	}

	leave(user: BudgetUser, now: number): void {
		this.users.delete(user);
		this.usedAt = now;
		this.setCeiling();
	}

	/** Forgets measured times, because the next requests may be of another kind. */
	forgetTimes(): void {
		if (!this.isShared) this.adaptive.forgetTimes();
	}

	/** Whether requests are held back, because the service is away or requested a pause. */
	holdsBack({ gate }: BudgetUser): boolean {
		return !gate.isOpen || !this.gate.isOpen;
	}

	/** Milliseconds until the next request of a user may be sent. */
	waitLeft({ gate }: BudgetUser, now: number): number {
		return Math.max(gate.waitLeft(now), this.gate.waitLeft(now));
	}

	/** Sends as many waiting requests as the limit allows. */
	admit(now: number): void {
		for (let next = this.next(now); next; next = this.next(now)) {
			this.users.delete(next);
			this.users.add(next);
			this.inFlight++;
			const sent = { ...this.adaptive.send(this.inFlight), at: now };
			if (!next.isStopped) for (const gate of [next.gate, this.gate]) gate.sent(sent, now);
			next.sending.add(sent);
			next.sendNext(sent);
		}
	}

	/** Whether this request must find out first whether the service is back. */
	mustProbe(sent: SentRequest): boolean {
		return this.gate.isFirstAfterAbsence(sent);
	}

	/** Records that the service is back. */
	foundBack(sent: SentRequest, now: number): void {
		if (this.gate.ended(sent, { service: 'answered' }, now)) this.adaptive.restart();
		this.admit(now);
	}

	/**
	 * Records the end of a request.
	 * @param end.own what it shows about the requests of its user, as opposed to all
	 */
	ended(user: BudgetUser, sent: SentRequest, end: RequestEnd & { own: GateEvidence }, now: number): void {
		this.inFlight--;
		user.sending.delete(sent);
		user.gate.ended(sent, end.own, now);
		if (end.load === 'succeeded') this.adaptive.succeeded(sent, now - sent.at);
		if (end.load === 'refused') this.adaptive.refused(sent);
		if (this.gate.ended(sent, end, now)) this.adaptive.restart();
	}

	private next(now: number): BudgetUser | undefined {
		let next: BudgetUser | undefined;
		for (const user of this.users) {
			if (!user.isWaiting || !this.hasRoomFor(user, now)) continue;
			if (!next || user.sending.size < next.sending.size) next = user;
		}
		return next;
	}

	private hasRoomFor(user: BudgetUser, now: number): boolean {
		if (user.isStopped) return true;
		if (user.sending.size >= user.ceiling || this.waitLeft(user, now) > 0) return false;
		if (this.inFlight < this.limit) return true;
		return this.isShared && this.inFlight - this.heldByOthers(user, now) < this.limit;
	}

	/** Number of requests of other executions that have taken too long to count. */
	private heldByOthers(user: BudgetUser, now: number): number {
		let held = 0;
		for (const other of this.users) {
			if (other === user) continue;
			for (const { at } of other.sending) {
				if (now - at < MAX_HELD_MS) break;
				held++;
			}
		}
		return held;
	}

	private setCeiling(): void {
		let ceiling = 0;
		for (const user of this.users) ceiling = Math.max(ceiling, user.ceiling);
		if (ceiling > 0) this.adaptive.ceiling = ceiling;
	}
}
