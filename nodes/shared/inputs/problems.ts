import { DataGridError, InvalidInput } from '../../../client';

/** An item with several problems. */
export class InvalidItem extends InvalidInput {
	constructor(readonly problems: readonly InvalidInput[]) {
		const hints = new Set(problems.map(({ hint }) => hint));
		super(problems.map(({ message }) => message).join('; '), [...hints].join(' '));
	}
}

/** Throws all problems of an item together. @throws InvalidInput if there are any */
export function refuseProblems(problems: readonly InvalidInput[]): void {
	const [first] = problems;
	if (first) throw problems.length === 1 ? first : new InvalidItem(problems);
}

/** Runs a check and collects its problem to report it with the item's others. */
export function collectProblem<Value>(problems: InvalidInput[], check: () => Value): Value | undefined {
	try {
		return check();
	} catch (error) {
		problems.push(asInvalid(error));
		return undefined;
	}
}

function asInvalid(error: unknown): InvalidInput {
	if (error instanceof InvalidInput) return error;
	const hint = error instanceof DataGridError ? error.hint : '';
	return new InvalidInput(error instanceof Error ? error.message : String(error), hint);
}
