import { ConnectionFailed, NotFound, OutcomeUnknown, StatusError } from '../errors';
import { isTransient, mayHaveBeenCarriedOut, requestedWaitOf } from '../errors/failures';
import { NotSent, outcomeOf, type Limiter } from './limiter';
import type { Transport } from './transport';

/** When and how often a request is repeated. */
export interface RetryPolicy {
	/** Maximum number of retries, not counting those while all requests are held back. */
	retries: number;
	/** Milliseconds from the first attempt after which no retry begins. */
	totalTime: number;
	/** The same for a service that cannot be reached; shorter if a user is waiting. */
	unreachedTime: number;
	/** Milliseconds: the first wait is random up to this; the maximum doubles with each retry. */
	firstWait: number;
	/** Upper bound of a wait, in milliseconds. */
	longestWait: number;
	/** From 0 to below 1. */
	random: () => number;
}

/** Overrides of the default; false: each request is sent once. */
export type RetryOptions = false | Partial<RetryPolicy>;

export const DEFAULT_RETRY: RetryPolicy = {
	retries: 10,
	totalTime: 60_000,
	unreachedTime: 60_000,
	firstWait: 100,
	longestWait: 10_000,
	random: Math.random,
};

/** The policy that results from options; later ones take precedence. */
export function retryPolicy(...layers: Array<RetryOptions | undefined>): RetryPolicy {
	let policy = DEFAULT_RETRY;
	for (const layer of layers) policy = { ...policy, ...(layer === false ? { retries: 0 } : layer) };
	return policy;
}

export interface Repetition<Result> {
	policy: RetryPolicy;
	clock: Pick<Transport, 'now'>;
	/** Sends each attempt. */
	limiter: Limiter;
	/** Whether a repetition has no further effect (GET, PUT, DELETE). */
	idempotent: boolean;
	/**
	 * For a DELETE: the result if a retry finds nothing (404) after an attempt that may have been
	 * carried out. The resource is deleted, so this is a success.
	 */
	whenGone?: () => Result;
}

/**
 * Sends a request, and repeats it if that can help and is safe.
 *
 * An idempotent request is repeated after 429, 500, 502, 503, 504, timeouts and broken connections;
 * any other only if it was certainly not carried out: 429, 503, no connection. The waits are
 * exponential with full jitter, in addition to `Retry-After`.
 * @throws OutcomeUnknown if a request that is not idempotent may have been carried out: it is not
 * repeated
 * @throws the error of the last attempt, if the policy allows no further one or repeating cannot
 * help
 */
export async function repeat<Result>(
	attempt: () => Promise<Result>,
	{ policy, clock, limiter, idempotent, whenGone }: Repetition<Result>,
): Promise<Result> {
	let began: number | undefined;
	let uncertain = false;
	let lastError: unknown;
	const timed = () => {
		began ??= clock.now();
		return attempt();
	};
	for (let repetitions = 0, counted = 0; ; repetitions++) {
		const outcome = await outcomeOf(limiter.attempt(timed, repetitions > 0));
		if (outcome.state === 'done') return outcome.value;
		const { error } = outcome;
		began ??= clock.now();
		const isSent = !(error instanceof NotSent);
		const reason = isSent ? error : error.reason;
		// The error of an attempt that was sent says more.
		if (isSent) lastError = error;
		if (whenGone && uncertain && error instanceof NotFound) return whenGone();
		const { isHeldBack } = limiter;
		const time = timeFor(reason, policy);
		if (isSent && mayHaveBeenCarriedOut(error)) {
			if (!idempotent) {
				if (isHeldBack && limiter.failingFor > time) limiter.giveUp(error);
				throw unknownAfter(error);
			}
			uncertain = true;
		}
		if (!isTransient(reason)) throw reason;
		// This execution no longer waits, so a repetition would fail at once, again and again.
		if (limiter.isStopped) throw lastError ?? neverSent(reason);
		// While the service is away, the requests of all take turns to find out whether it is back.
		if (!isHeldBack) counted++;
		const wait = isHeldBack ? limiter.pauseLeft : waitBefore(repetitions, policy, error);
		const hasTime = clock.now() - began + wait <= time;
		if (policy.retries === 0 || counted > policy.retries || !hasTime) {
			if (isHeldBack) limiter.giveUp(reason);
			throw lastError ?? neverSent(reason);
		}
		await limiter.waitWithoutSlot(wait);
	}
}

function timeFor(error: unknown, { totalTime, unreachedTime }: RetryPolicy): number {
	const unreached = error instanceof ConnectionFailed && !error.reached;
	return unreached ? Math.min(totalTime, unreachedTime) : totalTime;
}

/** The error of a request that was not sent, because others found out that the service is away. */
function neverSent(reason: unknown): unknown {
	return reason instanceof ConnectionFailed ? new ConnectionFailed(reason.code, false, reason.facts) : reason;
}

function unknownAfter(error: unknown): unknown {
	return error instanceof ConnectionFailed || error instanceof StatusError
		? new OutcomeUnknown(error)
		: error;
}

/** Jitter is added to `Retry-After`, too, because many clients may get the same value. */
function waitBefore(repetitions: number, policy: RetryPolicy, error: unknown): number {
	const doubled = Math.min(policy.longestWait, policy.firstWait * 2 ** repetitions);
	return policy.random() * doubled + (requestedWaitOf(error) ?? 0);
}
