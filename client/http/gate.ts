/** The waits between probes of a service that is away, in milliseconds. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;
/** Upper bound of the first random wait after a pause that the service requested; it doubles. */
const FIRST_JITTER_MS = 100;
/** A refusal comes at once: a probe that is still running after this time has passed. */
const PROBE_MS = 2000;

/** Successive failures after which the service is away. */
const AWAY_FAILURES = 4;
/** A busy service answers other requests within this time, in milliseconds. */
const BUSY_MS = 250;

/** What the end of a request shows about the service. */
export interface GateEvidence {
	/**
	 * `busy`: it refused because of load, or it is away. `gone`: it is away. Undefined: nothing,
	 * since the request was not sent.
	 */
	service: 'answered' | 'busy' | 'gone' | undefined;
	/** Wait that the service requested, in milliseconds. */
	pause?: number;
}

type State<Request> =
	/** Requests are sent. */
	| { name: 'open' }
	/** None is sent until then. `requested`: the service named the time; no success ends it. */
	| { name: 'closed'; until: number; requested: boolean }
	/** One is sent, and its result opens the gate or closes it again. */
	| { name: 'probing'; probe: Request; from: number; requested: boolean };

/**
 * Holds back the requests to a service that is away or requested a pause. Afterwards, a single
 * request finds out whether the service is back, so that not all waiting ones arrive at once.
 */
export class Gate<Request> {
	private state: State<Request> = { name: 'open' };
	/** Number of successive closings. */
	private closings = 0;
	private failures = 0;
	private failingSince = 0;

	/** @param random from 0 to below 1 */
	constructor(private readonly random: () => number = Math.random) {}

	get isOpen(): boolean {
		return this.state.name === 'open';
	}

	/** Milliseconds until the next request may be sent; 0: now. */
	waitLeft(now: number): number {
		if (this.state.name === 'closed') return Math.max(0, this.state.until - now);
		if (this.state.name === 'probing') return Math.max(0, this.state.from + PROBE_MS - now);
		return 0;
	}

	/** Records a request that is sent because no wait is left. */
	sent(request: Request, now: number): void {
		if (this.state.name === 'probing') this.open();
		if (this.state.name === 'closed') {
			const { requested } = this.state;
			this.state = { name: 'probing', probe: request, from: now, requested };
		}
	}

	/** Records the end of a request. @returns whether it ended an absence of the service */
	ended(request: Request, { service, pause }: GateEvidence, now: number): boolean {
		if (pause !== undefined) this.pause(pause, now);
		else if (service === 'answered') return this.answered(request);
		else if (service !== undefined) this.failed(request, service, now);
		else if (this.isProbe(request)) this.state = { name: 'closed', until: now, requested: false };
		return false;
	}

	/** Whether this request is the first one to a service that was away. */
	isFirstAfterAbsence(request: Request): boolean {
		return this.isProbe(request) && this.state.name === 'probing' && !this.state.requested;
	}

	/** Whether the result of this request decides. */
	private isProbe(request: Request): boolean {
		return this.state.name === 'probing' && this.state.probe === request;
	}

	private pause(wait: number, now: number): void {
		const until =
			now + wait + this.random() * Math.min(LONGEST_WAIT_MS, FIRST_JITTER_MS * 2 ** this.closings);
		if (this.state.name !== 'closed' || this.state.until < until) this.close(until, true);
	}

	private failed(request: Request, service: 'busy' | 'gone', now: number): void {
		if (this.failures++ === 0) this.failingSince = now;
		const isAway =
			this.failures >= AWAY_FAILURES && (service === 'gone' || now - this.failingSince >= BUSY_MS);
		if (this.state.name === 'closed' || !(isAway || this.isProbe(request))) return;
		const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.closings);
		this.close(now + (wait * (1 + this.random())) / 2, false);
	}

	private answered(request: Request): boolean {
		this.failures = 0;
		const isAway = this.state.name === 'closed' && !this.state.requested;
		if (!isAway && !this.isProbe(request)) return false;
		this.open();
		return true;
	}

	private close(until: number, requested: boolean): void {
		// Requests that were on their way when the gate closed close it no second time.
		if (this.state.name !== 'closed') this.closings++;
		this.state = { name: 'closed', until, requested };
	}

	private open(): void {
		this.state = { name: 'open' };
		this.closings = 0;
	}
}
