import { DataGridError, type Facts } from './dataGridError';

/**
 * The response does not match the specification: HTML, truncated JSON, a missing member. `excerpt`
 * shows its beginning.
 */
export class UnreadableResponse extends DataGridError {
	readonly hint =
		'Check the base URL of the credential: a proxy, a login page or another service may have responded.';

	constructor(
		what: string,
		facts: Facts & { status: number },
		readonly excerpt: string,
	) {
		super(`${what}. It began with: ${excerpt || '(an empty body)'}`, facts);
	}
}

/** The pages of a list do not end, or their counts contradict each other. */
export class EndlessPages extends DataGridError {
	readonly hint =
		'Use Limit or a filter to read less. If the list is short, report its page counts to the operator of the service.';
}
