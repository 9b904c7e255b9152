import type { Client } from '../../client';
import { OutcomeUnknown } from '../../client/errors';
import type { Outcome } from '../../client/http/limiter';
import type { Entity, Values } from '../../client/resources/entities';
import type { Grid } from '../../client/resources/grids';
import { addToHint, toNodeError } from '../shared/display/nodeError';
import { shownBy } from '../shared/display/shownText';
import { FailedRow, type RowWriter } from '../shared/rows/output';
import { NotTried } from '../shared/runner/bulk';
import type { ItemsContext, Result } from '../shared/runner/context';
import { Turns } from '../shared/runner/turns';
import { changesOf } from './outcome';

/** One row that an item selected, and what is written to it. */
export interface RowStep {
	kind: 'update' | 'delete' | 'unchanged';
	itemIndex: number;
	grid: Grid;
	entity: Entity;
	/** By field id; empty unless it is an update. */
	values: Values;
	row: RowWriter;
	/** Output names by field id. */
	names: ReadonlyMap<string, string>;
}

const DONE = { update: 'updated', delete: 'deleted', unchanged: 'unchanged' } as const;

/**
 * Carries out steps, with adaptive concurrency; steps of one row take turns in their order.
 * @throws LinkMissing before the first, where this identity may not do it
 */
export async function carryOutSteps(
	client: Client,
	steps: readonly RowStep[],
): Promise<Array<Outcome<Entity | undefined>>> {
	for (const rel of ['update', 'remove'] as const) {
		const first = steps.find(({ kind }) => kind === (rel === 'update' ? 'update' : 'delete'));
		if (first) await client.entities.writeLink(first.grid, first.entity, rel);
	}
	const turns = new Turns();
	const { outcomes } = await client.session.limiter.run(steps, async (step) => {
		const { kind, grid, entity, values } = step;
		if (kind === 'unchanged') return undefined;
		return await turns.take(`${grid.id} ${entity._id}`, async () => {
			if (kind === 'update') return await client.entities.update(grid, entity, values);
			await client.entities.remove(grid, entity);
			return undefined;
		});
	});
	return [...outcomes];
}

/**
 * A row of output for each step, with the item that it comes from.
 * @param bad items that could not be planned, by index
 * @param outcomes of the steps; undefined for a dry run
 */
export function stepResults(
	{ items, node, hint }: ItemsContext,
	steps: readonly RowStep[],
	outcomes: ReadonlyArray<Outcome<Entity | undefined>> | undefined,
	bad: ReadonlyMap<number, Error> = new Map(),
): Array<Result | Error> {
	const rows: object[][] = items.map(() => []);
	const counts = new Map<string, number>();
	let failure: { error: unknown; itemIndex: number } | undefined;
	for (const [index, step] of steps.entries()) {
		const outcome = outcomes?.[index];
		const isDone = !outcomes || outcome?.state === 'done';
		const _outcome = outcomes ? DONE[step.kind] : step.kind;
		const word = isDone ? _outcome : outcome?.state === 'failed' ? 'failed' : 'not tried';
		counts.set(word, (counts.get(word) ?? 0) + 1);
		const state = outcome?.state === 'done' ? outcome.value : undefined;
		const _changes = changesOf(step.names, step.entity, step.values);
		const planned = { ...step.row(state ?? { ...step.entity, ...step.values }), _outcome, _changes };
		if (isDone) {
			rows[step.itemIndex]?.push(planned);
			continue;
		}
		const error = outcome?.state === 'failed' ? outcome.error : new NotTried('another row failed');
		const failed = error instanceof OutcomeUnknown ? 'unknown' : 'failed';
		failure ??= { error, itemIndex: step.itemIndex };
		const shown = toNodeError(node, error, step.itemIndex);
		const message = shownBy(node, shown.message);
		rows[step.itemIndex]?.push(
			new FailedRow({ ...step.row(step.entity), _outcome: failed, _error: message }, shown),
		);
	}
	const told = [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
	const sentence = `${outcomes ? '' : 'Dry run: '}${steps.length} rows met the conditions${told === '' ? '' : `: ${told}`}`;
	if (failure && !node.continueOnFail()) {
		const error = toNodeError(node, failure.error, failure.itemIndex);
		addToHint(node, error, `${sentence}.`);
		return [error];
	}
	hint(sentence);
	return rows.map((of, itemIndex) => bad.get(itemIndex) ?? of);
}
