import { type Field, isWritable, type Outcome } from '../../../client';
import { NotTried } from '../../shared/runner/bulk';
import { FailedRow, type RowWriter } from '../../shared/rows/output';
import { toNodeError } from '../../shared/display/nodeError';
import type { ItemsContext, Result } from '../../shared/runner/context';
import type { KeyColumns } from '../keys/keyColumns';
import { changeRow, failedRow, type ChangeShape, type ChangedRow } from './steps';
import { changesOf } from './differences';
import { invalidRow } from './invalidRows';
import type { RunCounts } from './runCounts';
import type { SyncPlan, SyncPlanSource } from './syncPlan';

/** Maximum number of changes in the data of an error. */
const MAX_CHANGES_IN_ERROR = 1000;

/** How a sync outputs its changes. */
export interface SyncShape extends ChangeShape {
	output: 'changes' | 'differences' | 'changesWithReport' | 'report';
	/** The items that are left out. */
	invalid: SyncPlanSource['invalid'];
	/** Receives what became of the changes. */
	run: RunCounts;
	/** Names the row of a change in the log. */
	keys: KeyColumns;
}

/**
 * One row per change, paired with its input item. Changes to rows that are not in the input come
 * first.
 * @param outcomes outcomes of the plan's steps; undefined for a dry run
 */
export function syncResults(
	context: ItemsContext,
	{ steps, totals, differing }: SyncPlan,
	outcomes: ReadonlyArray<Outcome<ChangedRow>> | undefined,
	shape: SyncShape,
): Array<Result | Error> {
	const { node } = context;
	const { row: rowOf, names, output, invalid, run, keys } = shape;
	const dryRun = outcomes === undefined;
	run.add({ kind: 'unchanged' }, undefined, totals.counts.unchanged);
	// What every row has beside its change, so that n8n's table has no gaps.
	const beside = output === 'differences' ? { _differences: [] } : {};
	const changes: object[] = [];
	/** Rows by input item. */
	const results = context.items.map((): object[] | Error => []);
	for (const { itemIndex, error } of invalid)
		results[itemIndex] = [{ ...invalidRow(node, error), ...beside }];
	/** Rows that are not in the input. */
	const others: object[] = [];
	for (const [index, step] of steps.entries()) {
		const { itemIndex } = step;
		const outcome = outcomes?.[index];
		if (!outcome || outcome.state === 'done') {
			const change = outcome?.value.instead ?? step;
			run.add(change);
			run.stored.add(outcome?.value.stored);
			const row = { ...changeRow(shape, change, outcome?.value), ...beside };
			changes.push(row);
			if (itemIndex === undefined) others.push(row);
			else results[itemIndex] = [row];
			continue;
		}
		const isFailed = outcome.state === 'failed';
		const error = isFailed ? outcome.error : new NotTried('another change failed permanently');
		if (isFailed) run.fail(error, itemIndex, keys.describe(step.key.values));
		else run.pass();
		if (itemIndex !== undefined) results[itemIndex] = toNodeError(node, error, itemIndex);
		else if (step.entity) {
			const row = { ...changeRow(shape, step, {}), ...beside };
			others.push(failedRow(node, step, { row, error }));
		}
	}
	for (const { itemIndex, entity, values } of output === 'differences' ? (differing ?? []) : []) {
		const result = results[itemIndex];
		// What became of the row of a failed item is not known.
		if (!Array.isArray(result)) continue;
		const _differences = changesOf(names, entity, values).map((change) => ({
			...{ field: change.field, grid: change.old, input: change.new },
		}));
		const reasons = dryRun ? { _reasons: [] } : {};
		result.push({ ...rowOf(entity), _outcome: 'differs', _changes: [], ...reasons, _differences });
	}
	run.add({ kind: 'differing' }, undefined, differing?.length ?? 0);
	run.stored.showHints(context.hint);
	const error = run.conclude(context, 'Sync');
	if (error) {
		// The engine outputs nothing for a node that fails, but shows the data of its error.
		error.context['data'] = { changes: changes.slice(0, MAX_CHANGES_IN_ERROR) };
		return [error];
	}
	const report = {
		...{ dryRun, ...run.counts, ...(differing && { differing: differing.length }) },
		...totals.invalid.report,
	};
	const failedItem = (failure: Error) => new FailedRow({}, toNodeError(node, failure, 0));
	const [first] = results;
	if (output === 'report') {
		// Without its failures, nothing would say which changes were not made, and why.
		const [, ...further] = results.map((result) => (result instanceof Error ? result : []));
		const failures = others.filter((row) => row instanceof FailedRow);
		return [[report, ...failures, ...(first instanceof Error ? [failedItem(first)] : [])], ...further];
	}
	const at = results.findIndex((result) => !(result instanceof Error));
	const rows = results[at];
	if (Array.isArray(rows)) results[at] = [...others, ...rows];
	else if (first instanceof Error) results[0] = [...others, failedItem(first)];
	return output === 'changesWithReport' ? withReport(results, report) : results;
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

/** Outputs all writable columns in every row, so that n8n's table has no gaps. */
export function uniformRow(row: RowWriter, fields: readonly Field[]): RowWriter {
	const ids = fields.filter(isWritable).map(({ id }) => id);
	return (entity) =>
		row({ ...Object.fromEntries(ids.map((id) => [id, entity[id] ?? null])), _id: entity._id });
}
