/** `Date` has a resolution of one second, so it may be almost a second old. */
export const DATE_GRAIN_MS = 1000;
/** Clocks that differ by more than this are reported: one of them is wrong. */
const MAX_DIFFERENCE_MS = 5 * 60_000;

/** What a response tells about the time at which its request was sent. */
export interface ResponseTime {
	/** The `Date` header in milliseconds since 1970. */
	date?: number | undefined;
	/** How long the request took, in milliseconds. */
	took: number;
}

/** The time of a request by both clocks. */
export interface ServiceTime {
	/** The earlier clock: no change is dated later by the service's own clock, if one is right. */
	earlier: number;
	later: number;
}

/**
 * The time of the service when a request was sent. A clock that is ahead would pass over changes,
 * so the earlier of both counts.
 * @param wall n8n's clock before the request
 * @returns undefined without a `Date` header
 */
export function serviceTime({ date, took }: ResponseTime, wall: number): ServiceTime | undefined {
	if (date === undefined) return undefined;
	const sent = Math.floor(date - took);
	return { earlier: Math.min(sent, Math.floor(wall)), later: Math.max(date, Math.floor(wall)) };
}

/** A hint if one of the clocks must be wrong. */
export function clockHint({ earlier, later }: ServiceTime): string | undefined {
	const minutes = Math.round((later - earlier) / 60_000);
	return later - earlier > MAX_DIFFERENCE_MS
		? `The clocks of n8n and of the service differ by ${minutes} minutes. The trigger uses the earlier one, so polls read more than necessary.`
		: undefined;
}
