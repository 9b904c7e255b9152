import { DataGridError, StatusError } from '../../../client';

/** An operation was only partly carried out. */
export class PartlyDone extends DataGridError {
	/**
	 * @param done what was done
	 * @param failed what failed
	 * @param reason why
	 * @param hint how to continue
	 */
	constructor(
		done: string,
		failed: string,
		reason: unknown,
		readonly hint: string,
	) {
		super(`${done}, but ${failed}: ${wordsOf(reason)}`, reason instanceof DataGridError ? reason.facts : {});
	}
}

function wordsOf(reason: unknown): string {
	if (reason instanceof StatusError)
		return reason.facts.serviceMessage ?? `${reason.title} (status ${reason.facts.status ?? 'unknown'})`;
	return reason instanceof Error ? reason.message : String(reason);
}
