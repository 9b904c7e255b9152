import {
	Cache,
	concernsAllItems,
	type Entity,
	type Grid,
	InvalidInput,
	type Outcome,
	outcomeOf,
} from '../../../client';
import { toNodeError } from '../../shared/display/nodeError';
import { safeText } from '../../shared/display/shownText';
import { dryRun } from '../../shared/inputs/options';
import { InvalidItem } from '../../shared/inputs/problems';
import {
	checkAll,
	runConcurrently,
	prepareAll,
	resultsOf,
	markNotTried,
	type BulkWork,
} from '../../shared/runner/bulk';
import type { ItemsContext, Result } from '../../shared/runner/context';
import { copySharedObjects } from '../reading/sharedObjects';
import { changeRow, rowKey, type ChangeShape, type RowChange, type Unwritten } from './steps';
import { Tally } from './rowSteps';
import { addMissingOptions, type Writing } from './unknownOptions';

/**
 * Carries out an operation on rows or, with Dry Run, reports what it would do.
 * @param plan computes the changes of one item; called in the order of the items
 */
export async function writeItems<Prepared extends ChangeShape & Writing>(
	context: ItemsContext,
	work: BulkWork<Prepared>,
	plan: (prepared: Prepared) => Promise<Array<RowChange | Unwritten>>,
): Promise<Array<Result | Error>> {
	if (context.at(0).parameter(dryRun)) return copySharedObjects(await inDryRun(context, work, plan));
	const beforeWrites = async (all: readonly Prepared[]) => await addMissingOptions(context, all);
	return copySharedObjects(await runConcurrently(context, { ...work, beforeWrites }));
}

/**
 * Reports what an operation would do for each item without writing. An item that could not be
 * written becomes a row with the reasons.
 */
async function inDryRun<Prepared extends ChangeShape & Writing>(
	context: ItemsContext,
	{ prepare, begin, check }: BulkWork<Prepared>,
	plan: (prepared: Prepared) => Promise<Array<RowChange | Unwritten>>,
): Promise<Array<Result | Error>> {
	const { node, hint } = context;
	const checked = await checkAll(context, await prepareAll(context, prepare), { begin, check });
	if (affectsAllItems(checked)) return resultsOf(node, markNotTried(checked));
	const ready = checked.flatMap((outcome) => (outcome.state === 'done' ? [outcome.value] : []));
	await addMissingOptions(context, ready, true);
	const tally = new Tally();
	let invalid = false;
	const results: object[][] = [];
	for (const outcome of checked) {
		const planned = await plannedRows(outcome, plan);
		if (planned.state === 'failed') {
			tally.add('invalid');
			invalid = true;
			results.push([invalidRow(node, planned.error)]);
			continue;
		}
		for (const { kind } of planned.value.changes) tally.add(kind);
		results.push(planned.value.rows);
	}
	hint(`Dry run: ${tally.planned}`, invalid ? 'warning' : 'info');
	return results;
}

async function plannedRows<Prepared extends ChangeShape>(
	outcome: Outcome<Prepared>,
	plan: (prepared: Prepared) => Promise<Array<RowChange | Unwritten>>,
) {
	if (outcome.state !== 'done')
		return { state: 'failed', error: 'error' in outcome && outcome.error } as const;
	const { value } = outcome;
	return await outcomeOf(
		plan(value).then((changes) => ({ changes, rows: changes.map((change) => changeRow(change, value)) })),
	);
}

/** Whether an error, such as a missing permission, affects every item. */
export function affectsAllItems(outcomes: ReadonlyArray<Outcome<unknown>>): boolean {
	return outcomes.some(
		(outcome) =>
			outcome.state === 'untried' || (outcome.state === 'failed' && concernsAllItems(outcome.error)),
	);
}

/** The row of a dry run for an item that could not be written. */
export function invalidRow(node: ItemsContext['node'], error: unknown): object {
	const problems = error instanceof InvalidItem ? error.problems : [error];
	const _reasons = problems.map((problem) => safeText(node, toNodeError(node, problem).message));
	return { _id: null, _outcome: 'invalid', _changes: [], _reasons };
}

/** Rows by id, in the state that the preceding items would leave. */
export class RowsInDryRun {
	private readonly held = new Cache<Entity | undefined>();

	/** @param read reads a single row */
	constructor(private readonly read: (grid: Grid, entityId: string) => Promise<Entity>) {}

	/**
	 * @param row its id, or the row itself if it was read
	 * @throws NotFound, InvalidInput if a preceding item deletes the row
	 */
	async get(grid: Grid, row: string | Entity): Promise<Entity> {
		const entityId = idOf(row);
		const entity = await this.held.get(rowKey(grid, entityId), async () =>
			typeof row === 'string' ? await this.read(grid, row) : row,
		);
		if (entity) return entity;
		throw new InvalidInput(
			`A preceding item deletes the row ${entityId}`,
			'Remove this item, or the one that deletes the row.',
		);
	}

	/** @param state undefined once the row is deleted */
	set(grid: Grid, row: string | Entity, state: Entity | undefined): void {
		this.held.set(rowKey(grid, idOf(row)), state);
	}
}

const idOf = (row: string | Entity) => (typeof row === 'string' ? row : row._id);
