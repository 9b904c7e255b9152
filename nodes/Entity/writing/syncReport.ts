import type { Outcome } from '../../../client';
import { NotTried } from '../../shared/runner/bulk';
import { FailedRow } from '../../shared/rows/output';
import { addToHint, toNodeError } from '../../shared/display/nodeError';
import { safeText } from '../../shared/display/shownText';
import type { ItemsContext, Result } from '../../shared/runner/context';
import { changeRow, failedOutcome, outcomeWord, type ChangeShape, type ChangedRow } from './steps';
import type { InvalidRows } from './invalidRows';
import { changesOf } from './differences';
import { notChanged, Tally } from './rowSteps';
import type { Plan } from './syncPlan';

/** Maximum number of changes in the data of an error. */
const MAX_CHANGES_IN_ERROR = 1000;

/** How a sync outputs its changes. */
export interface SyncShape extends ChangeShape {
	dryRun: boolean;
	output: 'changes' | 'differences' | 'changesWithReport' | 'report';
	/** Items that were left out, for the report. */
	invalid: InvalidRows;
	/** The same as rows, by item. */
	invalidItems: ReadonlyMap<number, object>;
}

const COUNTED = { create: 'created', update: 'updated', delete: 'deleted', unchanged: 'unchanged' } as const;

/**
 * One row per change, paired with its input item. Changes to rows that are not in the input come
 * first.
 * @param outcomes outcomes of the plan's steps; undefined for a dry run
 */
export function syncResults(
	context: ItemsContext,
	plan: Plan,
	outcomes: ReadonlyArray<Outcome<ChangedRow>> | undefined,
	shape: SyncShape,
): Array<Result | Error> {
	const { node, hint } = context;
	const output = new SyncOutput(context, shape, plan);
	for (const [index, step] of plan.steps.entries()) output.add(step, outcomes?.[index]);
	const { tally, failure } = output;
	if (plan.unchanged > 0) tally.add('unchanged', plan.unchanged);
	for (const difference of plan.differing ?? []) output.addDifference(difference);
	const sentence = shape.dryRun ? `Dry run: ${tally.planned}` : `Sync: ${tally.text}`;
	if (failure && !node.continueOnFail()) {
		const error = toNodeError(node, failure.error, failure.itemIndex);
		addToHint(node, error, `${sentence}.`);
		// The engine outputs nothing for a node that fails, but shows the data of its error.
		error.context['data'] = { changes: output.changes.slice(0, MAX_CHANGES_IN_ERROR) };
		return [error];
	}
	hint(sentence, failure ? 'warning' : 'info');
	return output.rows();
}

/** Collects the rows and counts of a sync. */
class SyncOutput {
	/** Counts by outcome, for the hint. */
	readonly tally = new Tally();
	/** The first failed change. */
	failure: { error: unknown; itemIndex: number | undefined } | undefined;
	private readonly report;
	/** Rows by input item. */
	private readonly results: Array<object[] | Error>;
	private readonly deletions: object[] = [];
	/** The rows of the changes that were carried out. */
	readonly changes: object[] = [];
	/** What every row has beside its change, so that n8n's table has no gaps. */
	private readonly beside: { _differences?: [] };

	constructor(
		private readonly context: ItemsContext,
		private readonly shape: SyncShape,
		{ unchanged, differing }: Plan,
	) {
		const { dryRun, invalid, invalidItems } = shape;
		const counts = { created: 0, updated: 0, unchanged, deleted: 0, failed: 0, notTried: 0 };
		const differences = differing && { differing: differing.length };
		this.report = { dryRun, ...counts, ...differences, ...invalid.report };
		this.beside = shape.output === 'differences' ? { _differences: [] } : {};
		this.results = context.items.map((_item, itemIndex) => {
			const row = invalidItems.get(itemIndex);
			return row ? [{ ...row, ...this.beside }] : [];
		});
	}

	/** @param outcome undefined in a dry run */
	add(step: Plan['steps'][number], outcome: Outcome<ChangedRow> | undefined): void {
		if (!outcome || outcome.state === 'done') {
			const change = outcome?.value.instead ?? step;
			this.report[COUNTED[change.kind]]++;
			this.tally.add(outcomeWord(change, !outcome));
			const row = { ...changeRow(change, this.shape, outcome?.value), ...this.beside };
			this.changes.push(row);
			if (step.itemIndex === undefined) this.deletions.push(row);
			else this.results[step.itemIndex] = [row];
		} else if (outcome.state === 'failed') {
			this.report.failed++;
			this.tally.add('failed');
			this.failure ??= { error: outcome.error, itemIndex: step.itemIndex };
			this.addError(step, outcome.error);
		} else {
			this.report.notTried++;
			this.tally.add('not tried');
			this.addError(step, new NotTried('another change failed permanently'));
		}
	}

	/** Adds a row after the change of its item. */
	addDifference({ itemIndex, entity, values }: NonNullable<Plan['differing']>[number]): void {
		const { row, names, dryRun } = this.shape;
		this.tally.add('differing');
		if (this.shape.output !== 'differences') return;
		const result = this.results[itemIndex];
		// What became of the row of a failed item is not known.
		if (!Array.isArray(result)) return;
		const changes = changesOf(names, entity, values);
		const _differences = changes.map(({ field, old, new: input }) => ({ field, grid: old, input }));
		const reasons = dryRun ? { _reasons: [] } : {};
		result.push({ ...row(entity), _outcome: 'differs', _changes: [], ...reasons, _differences });
	}

	private addError(step: Plan['steps'][number], error: unknown): void {
		const { node } = this.context;
		if (step.itemIndex !== undefined) this.results[step.itemIndex] = toNodeError(node, error, step.itemIndex);
		else if (step.entity) {
			const row = { ...changeRow(step, this.shape, {}), ...this.beside, ...failed(node, error) };
			this.deletions.push(new FailedRow(row, notChanged(node, step, error)));
		}
	}

	/** The rows by input item, with deletions and the report where "Output" wants them. */
	rows(): Array<Result | Error> {
		const { report, results, deletions } = this;
		const { output } = this.shape;
		if (output === 'report') return this.failuresAfter(report);
		const at = results.findIndex((result) => !(result instanceof Error));
		const rows = results[at];
		const first = results[0];
		if (Array.isArray(rows)) results[at] = [...deletions, ...rows];
		else if (first instanceof Error) results[0] = [...deletions, this.failedRow(first)];
		return output === 'changesWithReport' ? withReport(results, report) : results;
	}

	/** Without its failures, nothing would say which changes were not made, and why. */
	private failuresAfter(report: object): Array<Result | Error> {
		const [first, ...others] = this.results.map((result) => (result instanceof Error ? result : []));
		const deletions = this.deletions.filter((row) => row instanceof FailedRow);
		return [[report, ...deletions, ...(first instanceof Error ? [this.failedRow(first)] : [])], ...others];
	}

	private failedRow(error: Error): FailedRow {
		return new FailedRow({}, toNodeError(this.context.node, error, 0));
	}
}

/** Adds the report to every row; without rows, returns one that consists of the report. */
function withReport(results: ReadonlyArray<object[] | Error>, _report: object): Array<Result | Error> {
	if (results.every((result) => Array.isArray(result) && result.length === 0)) return [[{ _report }]];
	return results.map((result) => {
		if (result instanceof Error) return result;
		return result.map((row) =>
			row instanceof FailedRow ? new FailedRow({ ...row.row, _report }, row.error) : { ...row, _report },
		);
	});
}

function failed(node: object, error: unknown): object {
	const message = error instanceof Error ? error.message : String(error);
	return { _outcome: failedOutcome(error), _error: safeText(node, message) };
}
