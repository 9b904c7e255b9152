import type { Grid, Outcome } from '../../../client';
import { addToHint, toNodeError } from '../../shared/display/nodeError';
import { safeText } from '../../shared/display/shownText';
import { FailedRow } from '../../shared/rows/output';
import { NotTried } from '../../shared/runner/bulk';
import type { ItemsContext, Result } from '../../shared/runner/context';
import { copySharedObjects } from '../reading/sharedObjects';
import {
	changeRow,
	failedOutcome,
	outcomeWord,
	rowKey,
	type ChangeShape,
	type ChangedRow,
	type RowChange,
} from './steps';

/** A change to one row, with the item it comes from. */
export type RowStep = RowChange & ChangeShape & { itemIndex: number; grid: Grid };

/** Counts by outcome as a phrase, e.g. `2 updated, 1 failed`. */
export class Tally {
	private readonly counts = new Map<string, number>();

	add(word: string, count = 1): void {
		this.counts.set(word, (this.counts.get(word) ?? 0) + count);
	}

	get text(): string {
		return [...this.counts].map(([word, count]) => `${count} ${word}`).join(', ');
	}

	/** The counts of a dry run, e.g. `would create 2, leave 1 unchanged; 1 invalid`. */
	get planned(): string {
		const unchanged = this.counts.get('unchanged');
		const steps = (['create', 'update', 'delete'] as const).flatMap((kind) => {
			const count = this.counts.get(kind);
			return count === undefined ? [] : `${kind} ${count}`;
		});
		if (unchanged !== undefined) steps.push(`leave ${unchanged} unchanged`);
		const would = `would ${steps.length === 0 ? 'change nothing' : steps.join(', ')}`;
		const faults = (['differing', 'notFound', 'conflict', 'invalid', 'failed', 'not tried'] as const).flatMap(
			(word) => {
				const count = this.counts.get(word);
				return count === undefined ? [] : `${count} ${word === 'notFound' ? 'not found' : word}`;
			},
		);
		return [would, ...faults].join('; ');
	}
}

/**
 * One row of output per step, with the item it comes from.
 * @param outcomes outcomes of the steps; undefined for a dry run
 * @param results results of the items without steps: an error for an item that could not be planned
 */
export function stepResults(
	{ node, hint }: ItemsContext,
	steps: readonly RowStep[],
	outcomes: ReadonlyArray<Outcome<ChangedRow>> | undefined,
	results: ReadonlyArray<Result | Error>,
): Array<Result | Error> {
	const rows = results.map((result): object[] => (Array.isArray(result) ? [...result] : []));
	// Only a dry run has rows for items without steps: one for each that is invalid.
	const invalid = outcomes ? 0 : rows.filter(({ length }) => length > 0).length;
	const tally = new Tally();
	let failure: { error: unknown; itemIndex: number } | undefined;
	for (const [index, step] of steps.entries()) {
		const { itemIndex } = step;
		const outcome = outcomes?.[index];
		if (!outcome || outcome.state === 'done') {
			tally.add(outcomeWord(step, !outcome));
			rows[itemIndex]?.push(changeRow(step, step, outcome?.value));
			continue;
		}
		tally.add(outcome.state === 'failed' ? 'failed' : 'not tried');
		const error = outcome.state === 'failed' ? outcome.error : new NotTried('another row failed');
		failure ??= { error, itemIndex };
		const shown = toNodeError(node, error, itemIndex);
		const row = step.row(step.entity ?? { ...step.values, _id: '' });
		const _error = safeText(node, shown.message);
		const failed = { ...row, _outcome: failedOutcome(error), _error };
		rows[itemIndex]?.push(new FailedRow(failed, notChanged(node, step, error)));
	}
	if (invalid > 0) tally.add('invalid', invalid);
	const parts = [
		...(invalid > 0 && invalid === results.length ? [] : [rowsMet(steps)]),
		...(invalid === 0 && steps.length === 0 ? [] : [outcomes ? tally.text : tally.planned]),
	];
	const sentence = `${outcomes ? '' : 'Dry run: '}${parts.join(': ')}`;
	if (failure && !node.continueOnFail()) {
		const error = toNodeError(node, failure.error, failure.itemIndex);
		addToHint(node, error, `${sentence}.`);
		return [error];
	}
	hint(sentence, failure || invalid > 0 ? 'warning' : 'info');
	return copySharedObjects(
		results.map((result, itemIndex) => (result instanceof Error ? result : (rows[itemIndex] ?? []))),
	);
}

/** The error of a row that was not changed: an error output has its message only. */
export function notChanged(node: ItemsContext['node'], { kind, entity }: RowChange, error: unknown) {
	const failure = toNodeError(node, error);
	const row = safeText(node, entity?._id ?? '');
	const isUnknown = failedOutcome(error) === 'unknown';
	failure.message = isUnknown
		? `${failure.message} (to ${kind} row ${row})`
		: `Row ${row} was not ${kind === 'delete' ? 'deleted' : 'updated'}: ${failure.message}`;
	return failure;
}

/** How many rows met the conditions. A row that several items select counts once. */
function rowsMet(steps: readonly RowStep[]): string {
	const rows = new Set(steps.map(({ grid, entity }) => rowKey(grid, entity?._id ?? ''))).size;
	const met = `${rows} ${rows === 1 ? 'row' : 'rows'} met the conditions`;
	// The counts by outcome count each pair of row and item.
	return rows < steps.length ? `${met} of ${new Set(steps.map((step) => step.itemIndex)).size} items` : met;
}
