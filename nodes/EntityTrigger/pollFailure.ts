import {
	EgressForbidden,
	Forbidden,
	ForeignOrigin,
	InvalidInput,
	isTransient,
	LinkMissing,
	NotFound,
	requestedWaitOf,
	ServiceNotFound,
	TooManyRequests,
	Unauthorized,
} from '../../client';

/**
 * Why a poll failed, as n8n 2.41 reads it from the `failure` of an error: it then waits as long as
 * the service asked for, and retries what a person has to repair only every half hour.
 */
export type PollFailure =
	| { cause: 'rate-limited' | 'temporarily-unavailable'; retryAfterMs?: number }
	| { cause: 'credential-invalid' | 'configuration-invalid' };

const CONFIGURATION_ERRORS = [
	EgressForbidden,
	Forbidden,
	ForeignOrigin,
	InvalidInput,
	LinkMissing,
	NotFound,
	ServiceNotFound,
];

/** Errors of settings that need no repair before the next poll. */
const passing = new WeakSet<InvalidInput>();

/** Marks an error after which n8n must not wait for a repair. */
export function withoutRepair(error: InvalidInput): InvalidInput {
	passing.add(error);
	return error;
}

/** @returns undefined for any other error: n8n then backs off by its own rules */
export function failureOf(error: unknown): PollFailure | undefined {
	if (error instanceof InvalidInput && passing.has(error)) return undefined;
	if (error instanceof Unauthorized) return { cause: 'credential-invalid' };
	if (CONFIGURATION_ERRORS.some((type) => error instanceof type)) return { cause: 'configuration-invalid' };
	if (!isTransient(error)) return undefined;
	const retryAfterMs = requestedWaitOf(error);
	return {
		cause: error instanceof TooManyRequests ? 'rate-limited' : 'temporarily-unavailable',
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
	};
}
