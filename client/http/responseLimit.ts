import { DataGridError, type Facts } from '../errors';

/**
 * Bytes that a transport takes of one answer, decompressed, before it gives it up with
 * `ResponseTooLarge`: what a service sends has to be held in memory. A page of 1000 entities has
 * 130 kB for each; only files may be larger.
 */
export const MAX_RESPONSE_BYTES = { text: 128 * 1024 * 1024, binary: 1024 * 1024 * 1024 } as const;

/** A response above the size limit; the rest of it was not read. */
export class ResponseTooLarge extends DataGridError {
	readonly hint =
		'Use Limit or a filter to read less at a time. If you requested little, contact the operator of the service.';

	constructor(bytes: number, facts: Facts = {}) {
		super(`The response of the service is larger than ${bytes / 1024 / 1024} MB and was not read`, facts);
	}
}
