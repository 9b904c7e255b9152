import { DataGridError, type Facts } from '../errors';

/**
 * Bytes that a transport takes of one answer, decompressed, before it gives it up with
 * `ResponseTooLarge`: what a service sends has to be held in memory. A page of 1000 entities has
 * 130 kB for each; only files may be larger.
 */
export const MAX_RESPONSE_BYTES = { text: 128 * 1024 * 1024, binary: 1024 * 1024 * 1024 } as const;

/** An answer that is larger than memory should hold; the rest of it was not read. */
export class ResponseTooLarge extends DataGridError {
	readonly hint =
		'Use Limit or a filter to read less at a time. If little was asked for, tell the operator of the service.';

	constructor(bytes: number, facts: Facts = {}) {
		super(`The service's answer is larger than ${bytes / 1024 / 1024} MB, which is not read`, facts);
	}
}
