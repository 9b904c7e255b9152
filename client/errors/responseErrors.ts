import { DataGridError, type Facts } from './dataGridError';

/**
 * The response does not match the specification: HTML, truncated JSON, a missing member. `excerpt`
 * shows its beginning.
 */
export class UnreadableResponse extends DataGridError {
	readonly hint: string =
		'Check the base URL of the credential: a proxy, a login page or another service may have responded.';

	constructor(
		what: string,
		facts: Facts & { status: number },
		readonly excerpt: string,
	) {
		super(`${what}. It began with: ${excerpt || '(an empty body)'}`, facts);
	}
}

/** A member of a list is missing, or contradicts the request or another member (§2.2). */
export class InvalidList extends UnreadableResponse {
	override readonly hint =
		'Report it to the operator of the service: without true counts, entries could be missing unnoticed.';
}

/** A link without an address or a method (§2.1): what it does is unknown, so it is not followed. */
export class InvalidLink extends DataGridError {
	readonly hint = 'Report it to the operator of the service.';

	/** @param self address of the resource that has the link, if it is known */
	constructor(rel: string, missing: 'href' | 'method', self: string | undefined) {
		super(`The link "${rel}"${self === undefined ? '' : ` of ${self}`} lacks "${missing}" (§2.1)`);
	}
}

/** An entry of a list that is too large to read even alone. */
export class EntryTooLarge extends DataGridError {
	readonly hint =
		'Exclude the entry by a filter, or shorten its values in the service. The whole list cannot be read with it.';

	/** @param position its sequence number in the list */
	constructor(position: number, { message, facts }: DataGridError) {
		super(`Number ${position} of the list is too large to read: ${message}`, facts);
	}
}

/** A list has more pages than can be read. */
export class EndlessPages extends DataGridError {
	readonly hint =
		'Use Limit or a filter to read less. If the list is short, report its page counts to the operator of the service.';
}
