import { DataGridError, type Facts } from '../errors';

/**
 * Maximum size of a decompressed response, which is held in memory; above it, a transport throws
 * `ResponseTooLarge`. It allows 130 kB for each of 1000 entities; only files may be larger.
 */
export const MAX_RESPONSE_BYTES = { text: 128 * 1024 * 1024, binary: 1024 * 1024 * 1024 } as const;

/**
 * Maximum number of values in a response for a list in the editor: n8n serves all its users in one
 * thread. Executions have the limit of `parseJson`.
 */
export const MAX_INTERACTIVE_VALUES = 200_000;

/** A response above the limit of its size, whose rest was not read, or of its number of values. */
export class ResponseTooLarge extends DataGridError {
	readonly hint =
		'Use Limit or a filter to read less at a time. If you requested little, contact the operator of the service.';

	constructor(limit: number, facts: Facts = {}, unit: 'bytes' | 'values' = 'bytes') {
		const size = unit === 'bytes' ? `${limit / 1024 / 1024} MB` : `${limit.toLocaleString('en-US')} values`;
		super(`The response of the service is larger than ${size} and was not read`, facts);
	}
}
