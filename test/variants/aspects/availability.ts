import { aspect, type Settings } from '../aspect';
import type { VariantRequest, VariantResponse } from '../exchange';

/** §7: 503 is declared for every endpoint; how long it lasts is not said. */
export const availability = aspect({
	/** Each request of this number; 0: none. */
	every: [0, 4, 9],
	retryAfter: ['none', '0', '2', 'date'],
	status: [503, 429],
	writes: ['at once', 'overtaking'],
});

/** What a request is refused with, if it is. @param number of the request, from 1 */
export function refusalOf(
	{ every, retryAfter, status }: Settings<typeof availability.dials>,
	_request: VariantRequest,
	number: number,
): VariantResponse | undefined {
	if (every === 0 || number % every !== 0) return undefined;
	const moment = retryAfter === 'date' ? new Date(Date.now() + 1000).toUTCString() : retryAfter;
	const headers = retryAfter === 'none' ? {} : { 'retry-after': moment };
	return { status, headers, body: { kind: 'json', value: { status, message: 'Busy' } } };
}

/** Milliseconds by which each write is faster than the one before it, and how many of them are. */
const STEP_MS = 5;
const FASTER = 5;

/** How long a write is on its way. @param number of the write, from 1 */
export function delayOf({ writes }: Settings<typeof availability.dials>, number: number): number {
	return writes === 'at once' ? 0 : STEP_MS * (FASTER - (number % (FASTER + 1)));
}
