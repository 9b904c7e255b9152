import { addToHint, toNodeError } from '../../shared/display/nodeError';
import type { ItemsContext } from '../../shared/runner/context';
import { Tally } from './tally';
import type { RowChange } from './steps';

const COUNTED = { create: 'created', update: 'updated', delete: 'deleted', unchanged: 'unchanged' } as const;

/** Counts what became of the changes of a run, or would in a dry run. */
export class RunCounts {
	readonly counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, notTried: 0 };
	/** The first failed change. */
	private failure: { error: unknown; itemIndex: number | undefined } | undefined;

	constructor(private readonly isDry: boolean) {}

	add({ kind }: Pick<RowChange, 'kind'>, count = 1): void {
		this.counts[COUNTED[kind]] += count;
	}

	fail(error: unknown, itemIndex: number | undefined): void {
		this.counts.failed++;
		this.failure ??= { error, itemIndex };
	}

	/**
	 * Shows the counts.
	 * @param run its name, such as `Sync`
	 * @param differing number of rows that differ where the grid owns the column
	 * @returns the error of a run that may not continue after its first failure
	 */
	conclude({ node, hint }: Pick<ItemsContext, 'node' | 'hint'>, run: string, differing = 0) {
		const { failure, isDry } = this;
		const { created, updated, unchanged, deleted, failed, notTried } = this.counts;
		const tally = new Tally();
		const words: Array<[string, number]> = [
			[isDry ? 'update' : 'updated', updated],
			[isDry ? 'create' : 'created', created],
			[isDry ? 'delete' : 'deleted', deleted],
			...([
				['failed', failed],
				['not tried', notTried],
			] satisfies Array<[string, number]>),
			...([
				['unchanged', unchanged],
				['differing', differing],
			] satisfies Array<[string, number]>),
		];
		for (const [word, count] of words) if (count > 0) tally.add(word, count);
		const sentence = isDry ? `Dry run: ${tally.planned}` : `${run}: ${tally.text || 'nothing to do'}`;
		if (!failure || node.continueOnFail()) {
			hint(sentence, failure ? 'warning' : 'info');
			return undefined;
		}
		const error = toNodeError(node, failure.error, failure.itemIndex);
		addToHint(node, error, `${sentence}.`);
		return error;
	}
}
