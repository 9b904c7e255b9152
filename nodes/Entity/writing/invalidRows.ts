import { type Field, InvalidInput } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { InvalidItem, Problems, sentenceOf, textOf } from '../../shared/inputs/problems';
import { InvalidCell } from '../../shared/rows/conversion';
import type { ShowHint } from '../../shared/display/hints';
import { toNodeError } from '../../shared/display/nodeError';
import { safeText } from '../../shared/display/shownText';
import type { ItemContext } from '../../shared/runner/context';
import { stopAt } from './changeLimits';

/** What to do with rows of the input that cannot be written. */
export const invalidRows = choice(
	'invalidRows',
	'Invalid Rows',
	{
		refuse: { name: 'Refuse', description: 'Nothing is written, and the error lists them' },
		skip: {
			name: 'Skip and List',
			description: 'They are left out, and the output lists them by column and reason',
		},
	},
	{
		default: 'refuse',
		description:
			'What to do with rows whose values do not fit their columns. A row of the grid whose new version is invalid stays as it is. If all rows are invalid, nothing is written.',
	},
);

/** The row of a dry run, or of a sync, for an item that cannot be written. */
export function invalidRow(node: ItemContext['node'], error: unknown): object {
	const problems = error instanceof InvalidItem ? error.problems : [error];
	const _reasons = problems.map((problem) => safeText(node, toNodeError(node, problem).message));
	return { _id: null, _outcome: 'invalid', _changes: [], _reasons };
}

/** Maximum number of problems in the output. */
const MAX_LISTED = 50;
/** Maximum number of problems in a hint. */
const MAX_TOLD = 5;

/** The rows of an input that are left out. */
export class InvalidRows {
	private readonly problems = new Problems();
	private count = 0;
	/** Number of the first row whose key is invalid. */
	private withoutKey: number | undefined;

	/** @param noun what the input consists of */
	constructor(private readonly noun: 'item' | 'line') {}

	/** @returns whether its key can be read */
	add(number: number, error: InvalidInput, keys: readonly Field[]): error is InvalidItem {
		this.count++;
		const problems = error instanceof InvalidItem ? error.problems : [error];
		for (const problem of problems)
			this.problems.add(
				number,
				problem.message,
				problem instanceof InvalidCell ? problem.field.name : undefined,
			);
		const hasKey =
			error instanceof InvalidItem &&
			problems.every(
				(problem) => problem instanceof InvalidCell && !keys.some(({ id }) => id === problem.field.id),
			);
		if (!hasKey) this.withoutKey ??= number;
		return hasKey;
	}

	/** The rows by column and reason, for the output. */
	get report(): { invalid: number; invalidRows: object[] } {
		const invalidRows = this.problems.all.slice(0, MAX_LISTED).map((problem) => ({
			column: problem.column ?? null,
			reason: textOf(problem),
			count: problem.count,
			[`${this.noun}s`]: problem.numbers,
		}));
		return { invalid: this.count, invalidRows };
	}

	/** Shows how many of all rows were left out, and why. */
	showHint(hint: ShowHint, all: number): void {
		const { count, noun, problems } = this;
		if (count === 0) return;
		const sentences = problems.all.slice(0, MAX_TOLD).map((problem) => sentenceOf(problem, noun));
		const more = problems.all.length > MAX_TOLD ? ' And more.' : '';
		const verbs = count === 1 ? 'is invalid and was' : 'are invalid and were';
		hint(`${count} of ${all} ${noun}s ${verbs} left out: ${sentences.join(' ')}${more}`, 'warning');
	}

	/**
	 * A row with an invalid key may be any row of the grid.
	 * @param verb what happens to other rows, such as `delete`
	 * @throws InvalidInput unless it is a dry run
	 */
	refuseWithoutKey(verb: string, item: ItemContext): void {
		if (this.withoutKey === undefined) return;
		const excess = new InvalidInput(
			`The key of ${this.noun} ${this.withoutKey} is invalid, so the rows to ${verb} are unknown`,
			`Correct the ${this.noun}, or keep the rows that are not in the input.`,
		);
		stopAt(excess, item);
	}
}
