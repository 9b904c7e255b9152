import { NodeOperationError, type IPollFunctions } from 'n8n-workflow';
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
import { toNodeError } from '../shared/display/nodeError';
import { shownHint, shownMessage } from '../shared/display/shownText';
import { FeedUnusable } from '../shared/feed/reading';
import { StateUnusable } from '../shared/feed/state';

/**
 * Why a poll failed, as n8n 2.41 reads it from the `failure` of an error: it then waits as long as
 * the service asked for, and retries what a person has to repair only every half hour.
 */
type PollFailure =
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

/** A problem that passes: n8n must not wait for a repair. */
export class PassingProblem extends InvalidInput {}

/** The error for work that exceeds the budget of a poll. */
export const pollBudgetExceeded = (what: string, fix: string) =>
	new PassingProblem(
		`${what} within the time and the requests that a poll may take`,
		`${fix}. No event is lost.`,
	);

/** @returns undefined for any other error: n8n then backs off by its own rules */
function failureOf(error: unknown): PollFailure | undefined {
	if (error instanceof PassingProblem) return undefined;
	if (error instanceof Unauthorized) return { cause: 'credential-invalid' };
	if (CONFIGURATION_ERRORS.some((type) => error instanceof type)) return { cause: 'configuration-invalid' };
	if (!isTransient(error)) return undefined;
	const retryAfterMs = requestedWaitOf(error);
	return {
		cause: error instanceof TooManyRequests ? 'rate-limited' : 'temporarily-unavailable',
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
	};
}

/** Ends a poll with an error that n8n can show. */
export function fail(node: IPollFunctions, error: unknown): never {
	const shown =
		error instanceof StateUnusable || error instanceof FeedUnusable
			? new NodeOperationError(node.getNode(), shownMessage(node, error.message), {
					description: shownHint(node, error.hint),
				})
			: toNodeError(node, error);
	// n8n stops retrying at start-up if a message contains this word.
	const without = (text: string) => text.replace(/authorization/gi, 'sign-in');
	shown.message = without(shown.message);
	shown.messages = shown.messages.map(without);
	if (typeof shown.description === 'string') shown.description = without(shown.description);
	throw Object.assign(shown, { failure: failureOf(error) });
}
