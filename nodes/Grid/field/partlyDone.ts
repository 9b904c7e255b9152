import { DataGridError, StatusError } from '../../../client/errors';

/** Some of what an operation was to do is done, the rest is not. */
export class PartlyDone extends DataGridError {
	/**
	 * @param done what is there now
	 * @param failed what could not be done
	 * @param reason why
	 * @param hint how to go on
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
