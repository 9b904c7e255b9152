import { DataGridError, type Facts } from '../errors';

/**
 * Maximum size of a decompressed response, which is held in memory; above it, a transport throws
 * `ResponseTooLarge`. It allows 130 kB for each of 1000 entities; only files may be larger.
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
