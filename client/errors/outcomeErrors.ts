import type { ConnectionFailed } from './connectionErrors';
import { DataGridError, type Facts } from './dataGridError';
import type { UnreadableResponse } from './responseErrors';
import type { StatusError } from './statusErrors';

/**
 * No response shows whether a write was carried out. It is not repeated.
 */
export class OutcomeUnknown extends DataGridError {
	readonly outcome = 'unknown';
	readonly hint: string =
		'Check whether it was carried out before you run this item again. With "Avoid Duplicates By", the node checks this itself.';

	constructor(
		/** Error of the last attempt. */
		readonly reason: ConnectionFailed | StatusError | UnreadableResponse,
	) {
		super(`It is unknown whether the service carried out the request: ${reason.message}`, reason.facts);
	}
}

/** The only response that contains the secret of a new access key (§5) did not come. */
export class SecretLost extends OutcomeUnknown {
	override readonly hint =
		'If the list of access keys has the new key, delete it: nobody knows its secret. Then create another one.';
}

/**
 * A creating POST succeeded (201), but its response lacks the address of the new resource. It must
 * not be repeated.
 */
export class CreatedUnlocated extends DataGridError {
	readonly outcome = 'created';
	readonly hint =
		'Do not run it again, or you create a duplicate. Look for the new resource in the service, and tell the operator of the service that its Location header is unusable.';

	/** @param reason, e.g. `there is no Location header` */
	constructor(why: string, facts: Facts) {
		super(`The service created it, but did not return its address: ${why}`, facts);
	}
}

/** Whether a write was or may have been carried out, so that it must not be sent again. */
export function mayBeThere(error: unknown): error is OutcomeUnknown | CreatedUnlocated {
	return error instanceof OutcomeUnknown || error instanceof CreatedUnlocated;
}
