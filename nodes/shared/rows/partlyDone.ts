import { DataGridError, OutcomeUnknown, StatusError } from '../../../client';

/** An operation was only partly carried out. */
export class PartlyDone extends DataGridError {
	/**
	 * @param done what was done
	 * @param failed what failed, and what was to be done with it as a participle
	 * @param reason why
	 * @param hint how to continue
	 */
	constructor(
		done: string,
		[failed, participle]: readonly [string, string],
		reason: unknown,
		readonly hint: string,
	) {
		const verb = reason instanceof OutcomeUnknown ? 'may not have been' : 'could not be';
		const undone = `${failed} ${verb} ${participle}`;
		const facts = reason instanceof DataGridError ? reason.facts : {};
		super(`${done}, but ${undone}: ${wordsOf(reason)}`, facts);
	}
}

function wordsOf(reason: unknown): string {
	if (reason instanceof StatusError)
		return reason.facts.serviceMessage ?? `${reason.title} (status ${reason.facts.status})`;
	return reason instanceof Error ? reason.message : String(reason);
}
