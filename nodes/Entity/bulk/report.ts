import type { Outcome } from '../../../client/http/limiter';
import { NotTried } from '../../shared/runner/bulk';
import { FailedRow } from '../../shared/rows/output';
import { addToHint, toNodeError } from '../../shared/display/nodeError';
import { shownBy } from '../../shared/display/shownText';
import type { ItemsContext, Result } from '../../shared/runner/context';
import { changeRow, outcomeWord, type ChangeShape, type Done } from '../writing/rowChanges';
import { Tally } from '../writing/rowSteps';
import type { Plan } from './plan';

/** What the output of a sync contains. */
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
	{ items, node, hint }: ItemsContext,
	plan: Plan,
	outcomes: ReadonlyArray<Outcome<Done>> | undefined,
	shape: SyncShape,
): Array<Result | Error> {
	const results: Array<object[] | Error> = items.map(() => []);
	const deletions: object[] = [];
	const report = {
		dryRun: shape.dryRun,
		created: 0,
		updated: 0,
		unchanged: plan.unchanged,
		deleted: 0,
		failed: 0,
		notTried: 0,
	};
	const tally = new Tally();
	let failure: { error: unknown; itemIndex: number | undefined } | undefined;
	for (const [index, step] of plan.steps.entries()) {
		const outcome = outcomes?.[index];
		const { itemIndex } = step;
		if (!outcome || outcome.state === 'done') {
			report[COUNTED[step.kind]]++;
			tally.add(outcomeWord(step, !outcome));
			const row = changeRow(step, shape, outcome?.value);
			if (itemIndex === undefined) deletions.push(row);
			else results[itemIndex] = [row];
			continue;
		}
		report[outcome.state === 'failed' ? 'failed' : 'notTried']++;
		tally.add(outcome.state === 'failed' ? 'failed' : 'not tried');
		const error =
			outcome.state === 'failed' ? outcome.error : new NotTried('another change failed permanently');
		if (outcome.state === 'failed') failure ??= { error, itemIndex };
		if (itemIndex !== undefined) results[itemIndex] = toNodeError(node, error, itemIndex);
		else if (step.entity) {
			const row = { ...changeRow(step, shape, {}), ...failed(node, error) };
			deletions.push(new FailedRow(row, notDeleted(node, step.entity._id, error)));
		}
	}
	if (plan.unchanged > 0) tally.add('unchanged', plan.unchanged);
	const sentence = shape.dryRun ? `Dry run: ${tally.planned}` : `Sync: ${tally.text}`;
	if (failure && !node.continueOnFail()) {
		const error = toNodeError(node, failure.error, failure.itemIndex);
		addToHint(node, error, `${sentence}.`);
		return [error];
	}
	hint(sentence, failure ? 'warning' : 'info');
	if (shape.output === 'report') return [[report]];
	const head = shape.output === 'both' ? [report, ...deletions] : deletions;
	const carrier = results.findIndex((result) => !(result instanceof Error));
	const carried = results[carrier];
	const first = results[0];
	if (Array.isArray(carried)) results[carrier] = [...head, ...carried];
	else if (first instanceof Error) results[0] = [...head, new FailedRow({}, toNodeError(node, first, 0))];
	return shape.output === 'inField' ? withReport(results, report) : results;
}

/** Puts the report into every row; alone into one where nothing changed. */
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
	failure.message = `Row ${shownBy(node, id)} was not deleted: ${failure.message}`;
	return failure;
}

function failed(node: object, error: unknown): object {
	const message = error instanceof Error ? error.message : String(error);
	return { _outcome: 'failed', _error: shownBy(node, message) };
}
