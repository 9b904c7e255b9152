import { DataGridError, InvalidInput, type Values } from '../../../client';

/** An item with one or more problems. */
export class InvalidItem extends InvalidInput {
	/** @param values those without problems, by field id */
	constructor(
		readonly problems: readonly InvalidInput[],
		readonly values: Values,
	) {
		const hints = new Set(problems.map(({ hint }) => hint));
		super(problems.map(({ message }) => message).join('; '), [...hints].join(' '));
	}
}

/** Throws all problems of an item together. @throws InvalidItem if there are any */
export function refuseProblems(problems: readonly InvalidInput[], values: Values = {}): void {
	if (problems.length > 0) throw new InvalidItem(problems, values);
}

/** Runs a check and collects its problem to report it with the item's others. */
export function collectProblem<Input extends unknown[], Value>(
	problems: InvalidInput[],
	check: (...input: Input) => Value,
	...input: Input
): Value | undefined {
	try {
		return check(...input);
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

/** Maximum number of items or lines that a problem names. */
const MAX_NAMED = 5;

/** Maximum number of problems that are told apart. */
const MAX_PROBLEMS = 1000;

/** A problem of one or more items or lines. */
export interface Problem {
	count: number;
	/** Numbers of the first of them. */
	numbers: number[];
	/** That of the first one. */
	message: string;
	/** Whether all of them have the same message. */
	isSame: boolean;
	column: string | undefined;
}

/** The message of a refused value without the value, which differs from item to item. */
export const reasonOf = (message: string) => message.replace(/, but got .*$/s, '');

/** The message, or what the messages have in common. */
export const textOf = ({ message, isSame }: Problem) => (isSame ? message : reasonOf(message));

/** Problems by reason, in the order of their first items. */
export class Problems {
	private readonly byReason = new Map<string, Problem>();

	get all(): Problem[] {
		return [...this.byReason.values()];
	}

	add(number: number, message: string, column?: string): void {
		const reason = reasonOf(message);
		const problem = this.byReason.get(reason) ?? { count: 0, numbers: [], message, isSame: true, column };
		problem.count++;
		if (problem.numbers.length < MAX_NAMED) problem.numbers.push(number);
		problem.isSame &&= problem.message === message;
		if (this.byReason.size < MAX_PROBLEMS) this.byReason.set(reason, problem);
	}
}

/** E.g. `7 items (2, 5, 6, 8, 11, and 2 more): Column "Amount" requires a value.` */
export function sentenceOf(problem: Problem, noun: string): string {
	const { count, numbers } = problem;
	const text = textOf(problem);
	if (count === 1) return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${numbers.join()}: ${text}.`;
	const more = count > numbers.length ? `, and ${count - numbers.length} more` : '';
	return `${count} ${noun}s (${numbers.join(', ')}${more}): ${text}.`;
}
