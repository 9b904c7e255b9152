import type { Grid } from '../../../client';
import { addToHint, toNodeError } from '../../shared/display/nodeError';
import type { ItemsContext } from '../../shared/runner/context';
import { DONE } from './steps';
import { StoredValues } from './storedValues';

const COUNTED = { ...DONE, invalid: 'invalid', differing: 'differing' } as const;

/** Maximum number of failed rows that are kept. */
const MAX_FAILURES = 100;

/** Counts what became of the changes of a run, or would in a dry run. */
export class RunCounts {
	readonly counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, notTried: 0 };
	/** What is neither written nor failed. */
	private readonly others = { differing: 0, notFound: 0, conflict: 0, invalid: 0 };
	readonly stored = new StoredValues();
	/** The counts of each grid, if a run writes to several. */
	readonly grids = new Map<Grid, RunCounts>();
	/** The first failed change. */
	private failure: { error: unknown; itemIndex: number | undefined } | undefined;
	/** The first rows that were not written, by the names of the rows. */
	readonly failures: Array<{ error: unknown; row: string }> = [];

	constructor(private readonly isDry: boolean) {}

	/** The counts of one grid. */
	of(grid: Grid): RunCounts {
		const before = this.grids.get(grid);
		const counts = before ?? new RunCounts(this.isDry);
		if (!before) this.grids.set(grid, counts);
		return counts;
	}

	/** @param grid if the run may write to several */
	add({ kind }: { kind: keyof typeof COUNTED }, grid?: Grid, count = 1): void {
		if (grid) this.of(grid).add({ kind }, undefined, count);
		const name = COUNTED[kind];
		const counts: Record<string, number> = name in this.others ? this.others : this.counts;
		counts[name] = (counts[name] ?? 0) + count;
	}

	/** @param row names the row, by its key if it has one */
	fail(error: unknown, itemIndex: number | undefined, row: string, grid?: Grid): void {
		if (grid) this.of(grid).fail(error, itemIndex, row);
		this.counts.failed++;
		this.failure ??= { error, itemIndex };
		if (this.failures.length < MAX_FAILURES) this.failures.push({ error, row });
	}

	/** Counts changes that were not tried. */
	pass(grid?: Grid, count = 1): void {
		if (grid) this.of(grid).pass(undefined, count);
		this.counts.notTried += count;
	}

	/** Number of rows that are written. */
	get changes(): number {
		const { created, updated, deleted } = this.counts;
		return created + updated + deleted;
	}

	/** As a phrase, e.g. `2 updated, 1 failed` or `would create 2, leave 1 unchanged; 1 invalid`. */
	get text(): string {
		const { created, updated, deleted, failed, notTried, unchanged } = this.counts;
		const { differing, notFound, conflict, invalid } = this.others;
		const listed = (
			counts: Record<string, number>,
			textOf = (word: string, count: number) => `${count} ${word}`,
		) => Object.entries(counts).flatMap(([word, count]) => (count > 0 ? [textOf(word, count)] : []));
		const failures = listed({ failed, 'not tried': notTried });
		const faults = listed({ differing, 'not found': notFound, conflict, invalid });
		if (!this.isDry)
			return [
				...listed({ updated, created, deleted }),
				...failures,
				...listed({ unchanged }),
				...faults,
			].join(', ');
		const planned = { create: created, update: updated, delete: deleted };
		const steps = [
			...listed(planned, (verb, count) => `${verb} ${count}`),
			...listed({ unchanged }, (word, count) => `leave ${count} ${word}`),
		];
		const would = `would ${steps.length > 0 ? steps.join(', ') : 'change nothing'}`;
		return steps.length + faults.length > 0 ? [would, ...faults, ...failures].join('; ') : '';
	}

	/**
	 * Shows the counts.
	 * @param title of the sentence, such as `Sync`; a dry run has its own
	 * @param about what was counted
	 * @returns the error of a run that may not continue after its first failure
	 */
	conclude({ node, hint }: Pick<ItemsContext, 'node' | 'hint'>, title: string, about = '') {
		const { failure, isDry, text } = this;
		const nothing = about === '' ? (isDry ? 'would change nothing' : 'nothing to do') : '';
		const parts = [isDry ? 'Dry run' : title, about, text || nothing];
		const sentence = parts.filter((part) => part !== '').join(': ');
		if (!failure || node.continueOnFail()) {
			hint(sentence, failure || this.others.invalid > 0 ? 'warning' : 'info');
			return undefined;
		}
		const error = toNodeError(node, failure.error, failure.itemIndex);
		addToHint(node, error, `${sentence}.`);
		return error;
	}
}
