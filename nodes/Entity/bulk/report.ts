import type { Outcome } from '../../../client/http/limiter';
import { NotTried } from '../../shared/runner/bulk';
import { FailedRow } from '../../shared/rows/output';
import { addToHint, toNodeError } from '../../shared/display/nodeError';
import { safeText } from '../../shared/display/shownText';
import type { ItemsContext, Result } from '../../shared/runner/context';
import { changeRow, outcomeWord, type ChangeShape, type ChangedRow } from '../writing/rowChanges';
import { Tally } from '../writing/rowSteps';
import type { Plan } from './plan';

/** How a sync outputs its changes. */
export interface SyncShape extends ChangeShape {
	dryRun: boolean;
	output: 'changes' | 'report' | 'both' | 'inField';
}

const COUNTED = { create: 'created', update: 'updated', delete: 'deleted', unchanged: 'unchanged' } as const;

/**
 * One row per change, paired with its input item. Deletions have no input item and come first,
 * after the report if it is a separate row.
 * @param outcomes outcomes of the plan's steps; undefined for a dry run
 */
export function syncResults(
	context: ItemsContext,
	plan: Plan,
	outcomes: ReadonlyArray<Outcome<ChangedRow>> | undefined,
	shape: SyncShape,
): Array<Result | Error> {
	const { node, hint } = context;
	const output = new SyncOutput(context, shape, plan.unchanged);
	for (const [index, step] of plan.steps.entries()) output.add(step, outcomes?.[index]);
	const { tally, failure } = output;
	if (plan.unchanged > 0) tally.add('unchanged', plan.unchanged);
	const sentence = shape.dryRun ? `Dry run: ${tally.planned}` : `Sync: ${tally.text}`;
	if (failure && !node.continueOnFail()) {
		const error = toNodeError(node, failure.error, failure.itemIndex);
		addToHint(node, error, `${sentence}.`);
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

	constructor(
		private readonly context: ItemsContext,
		private readonly shape: SyncShape,
		unchanged: number,
	) {
		const { dryRun } = shape;
		this.report = { dryRun, created: 0, updated: 0, unchanged, deleted: 0, failed: 0, notTried: 0 };
		this.results = context.items.map(() => []);
	}

	/** @param outcome undefined in a dry run */
	add(step: Plan['steps'][number], outcome: Outcome<ChangedRow> | undefined): void {
		if (!outcome || outcome.state === 'done') {
			this.report[COUNTED[step.kind]]++;
			this.tally.add(outcomeWord(step, !outcome));
			const row = changeRow(step, this.shape, outcome?.value);
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

	private addError(step: Plan['steps'][number], error: unknown): void {
		const { node } = this.context;
		if (step.itemIndex !== undefined) this.results[step.itemIndex] = toNodeError(node, error, step.itemIndex);
		else if (step.entity) {
			const row = { ...changeRow(step, this.shape, {}), ...failed(node, error) };
			this.deletions.push(new FailedRow(row, notDeleted(node, step.entity._id, error)));
		}
	}

	/** The rows by input item, with deletions and the report where "Output" wants them. */
	rows(): Array<Result | Error> {
		const { report, results, deletions } = this;
		const { output } = this.shape;
		if (output === 'report') return [[report]];
		const head = output === 'both' ? [report, ...deletions] : deletions;
		const at = results.findIndex((result) => !(result instanceof Error));
		const rows = results[at];
		const first = results[0];
		if (Array.isArray(rows)) results[at] = [...head, ...rows];
		else if (first instanceof Error)
			results[0] = [...head, new FailedRow({}, toNodeError(this.context.node, first, 0))];
		return output === 'inField' ? withReport(results, report) : results;
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

function notDeleted(node: ItemsContext['node'], id: string, error: unknown) {
	const failure = toNodeError(node, error);
	failure.message = `Row ${safeText(node, id)} was not deleted: ${failure.message}`;
	return failure;
}

function failed(node: object, error: unknown): object {
	const message = error instanceof Error ? error.message : String(error);
	return { _outcome: 'failed', _error: safeText(node, message) };
}
