import { ConnectionFailed, NotFound, OutcomeUnknown, StatusError, type Facts } from '../errors';
import { isPassing, mayBeDone, waitAskedBy } from '../errors/failures';
import { outcomeOf, type Limiter } from './limiter';
import type { Transport } from './transport';

/** How often and how patiently a request is sent again. */
export interface RetryPolicy {
	/** How often it is sent again at most; 0: it is sent once. */
	retries: number;
	/**
	 * Milliseconds from its first attempt within which a
	 * repetition may begin. An attempt that runs is not cut.
	 */
	totalTime: number;
	/**
	 * Milliseconds: the first wait is a random part of this
	 * ("full jitter"), and each further one of twice the last.
	 */
	firstWait: number;
	/** Milliseconds that the doubling ends at. */
	longestWait: number;
	/** From 0 to below 1. */
	random: () => number;
}

/** What is to differ from the default; false: each request is sent once. */
export type RetryOptions = false | Partial<RetryPolicy>;

export const DEFAULT_RETRY: RetryPolicy = {
	retries: 10,
	totalTime: 60_000,
	firstWait: 100,
	longestWait: 10_000,
	random: Math.random,
};

/** The policy that results from options, the later ones before the earlier ones. */
export function retryPolicy(...layers: Array<RetryOptions | undefined>): RetryPolicy {
	let policy = DEFAULT_RETRY;
	for (const layer of layers) policy = { ...policy, ...(layer === false ? { retries: 0 } : layer) };
	return policy;
}

export interface Repetition<Result> {
	policy: RetryPolicy;
	clock: Pick<Transport, 'now'>;
	/** What each attempt goes through. */
	limiter: Limiter;
	/** Whether carrying it out twice leaves the same as once (GET, PUT, DELETE). */
	idempotent: boolean;
	/**
	 * For a DELETE: what it answers when a repetition finds nothing (404) after an attempt that may
	 * have been carried out. That attempt, or somebody else's, has deleted it, which is what was
	 * asked for, so it is a success.
	 */
	whenGone?: (facts: Facts) => Result;
}

/**
 * Sends a request, and again where that can help and cannot harm.
 *
 * An idempotent request is repeated on 429, 500, 502, 503, 504, time limits and cut connections;
 * any other only where it was surely not carried out: 429, 503, or a connection that never came
 * about. The waits are random parts of a doubling time, on top of what `Retry-After` asks for.
 * @throws OutcomeUnknown where a request that is not idempotent
 *   may have been carried out: it is never repeated then
 * @throws what the last attempt threw, where the policy
 *   allows no further one or repeating cannot help
 */
export async function repeat<Result>(
	attempt: () => Promise<Result>,
	{ policy, clock, limiter, idempotent, whenGone }: Repetition<Result>,
): Promise<Result> {
	let began: number | undefined;
	let uncertain = false;
	const timed = () => {
		began ??= clock.now();
		return attempt();
	};
	for (let repetitions = 0; ; repetitions++) {
		const outcome = await outcomeOf(limiter.attempt(timed, repetitions > 0));
		if (outcome.state === 'done') return outcome.value;
		const { error } = outcome;
		if (whenGone && uncertain && error instanceof NotFound) return whenGone(error.facts);
		if (mayBeDone(error)) {
			if (!idempotent) throw unknownAfter(error);
			uncertain = true;
		}
		const wait = Math.max(waitBefore(repetitions, policy, error), limiter.pauseLeft);
		const elapsed = clock.now() - (began ?? clock.now());
		const allowed = repetitions < policy.retries && elapsed + wait <= policy.totalTime;
		if (!isPassing(error) || !allowed) throw error;
		await limiter.rest(wait);
	}
}

function unknownAfter(error: unknown): unknown {
	return error instanceof ConnectionFailed || error instanceof StatusError
		? new OutcomeUnknown(error)
		: error;
}

/** A random part is added to what the service asks for, too: it tells many clients the same. */
function waitBefore(repetitions: number, policy: RetryPolicy, error: unknown): number {
	const doubled = Math.min(policy.longestWait, policy.firstWait * 2 ** repetitions);
	return policy.random() * doubled + (waitAskedBy(error) ?? 0);
}
