import type { Client } from '../../../client';
import type { Outcome } from '../../../client/http/limiter';
import type { Entity, Values } from '../../../client/resources/entities';
import type { Field } from '../../../client/resources/fields';
import type { Grid } from '../../../client/resources/grids';
import type { RowWriter } from '../../shared/rows/output';
import { KeyedQueue } from '../../shared/runner/keyedQueue';
import { changesOf, differing } from './differences';

/** A planned change to a row. `values` are the values to write, by field id. */
export type RowChange = { kind: 'create'; entity?: undefined; values: Values } | EntityChange;

/** A planned change to a row that exists. */
export interface EntityChange {
	kind: 'update' | 'delete' | 'unchanged';
	entity: Entity;
	values: Values;
}

/** Result of a change: the current row, or the id of a new one. */
export interface ChangedRow {
	state?: Entity | undefined;
	id?: string | undefined;
}

/** How changes are output. */
export interface ChangeShape {
	row: RowWriter;
	/** Output names by field id. */
	names: ReadonlyMap<string, string>;
}

const DONE = { create: 'created', update: 'updated', delete: 'deleted', unchanged: 'unchanged' } as const;

/** The outcome of a change as a word. @param isDry whether it is only planned */
export function outcomeWord({ kind }: RowChange, isDry: boolean): string {
	return isDry ? kind : DONE[kind];
}

/**
 * A change as a row of output, with all that is needed to undo it.
 * @param done undefined in a dry run
 */
export function changeRow(change: RowChange, { row, names }: ChangeShape, done?: ChangedRow): object {
	const { entity, values } = change;
	const isThere = entity && !isUnwritten(entity);
	const written = isThere
		? row(done?.state ?? { ...entity, ...values })
		: { ...row({ ...entity, ...values, _id: '' }), _id: done?.id ?? null };
	const _changes = entity ? changesOf(names, entity, values) : [];
	const reasons = done ? {} : { _reasons: [] };
	return { ...written, _outcome: outcomeWord(change, !done), _changes, ...reasons };
}

/** An update with only the values that differ. */
export function updateOf(fields: readonly Field[], entity: Entity, values: Values): EntityChange {
	const changed = differing(fields, entity, values);
	return { kind: Object.keys(changed).length > 0 ? 'update' : 'unchanged', entity, values: changed };
}

/** A row that a dry run would create. */
export const plannedRow = (values: Values): Entity => ({ ...values, _id: '', _links: new Map() });

const isUnwritten = ({ _id }: Entity) => _id === '';

interface Execution<Change> {
	/** Creates a row. @returns its id */
	create?: (change: Change) => Promise<string>;
	/** Whether rows are created one after another. */
	inOrder?: boolean;
}

/**
 * Carries out changes with adaptive concurrency; changes to the same row run in order.
 * @throws LinkMissing before the first change if this identity lacks a permission
 */
export async function carryOut<Change extends RowChange & { grid: Grid }>(
	client: Client,
	changes: readonly Change[],
	{ create, inOrder = false }: Execution<Change> = {},
): Promise<Array<Outcome<ChangedRow>>> {
	await checkPermissions(client, changes);
	const queue = new KeyedQueue();
	const { outcomes } = await client.session.limiter.run(changes, async (change): Promise<ChangedRow> => {
		const { kind, grid, entity, values } = change;
		if (kind === 'unchanged') return { state: entity };
		if (kind === 'create') {
			const work = async () => ({ id: await create?.(change) });
			return await (inOrder ? queue.run('create', work) : work());
		}
		return await queue.run(rowKey(grid, entity._id), async () => {
			if (kind === 'update') return { state: await client.entities.update(grid, entity, values) };
			await client.entities.remove(grid, entity);
			return { state: entity };
		});
	});
	return [...outcomes];
}

/** Identifies a row across grids. */
export const rowKey = (grid: Grid, entityId: string): string => JSON.stringify([grid.id, entityId]);

/** Checks the permission for each kind of change. @throws LinkMissing */
export async function checkPermissions(
	client: Client,
	changes: ReadonlyArray<RowChange & { grid: Grid }>,
): Promise<void> {
	const creation = changes.find(({ kind }) => kind === 'create');
	if (creation) client.entities.mayCreate(creation.grid);
	const update = changes.find(({ kind }) => kind === 'update');
	if (update?.entity) await client.entities.writeLink(update.grid, update.entity, 'update');
	const removal = changes.find(({ kind }) => kind === 'delete');
	if (removal?.entity) await client.entities.writeLink(removal.grid, removal.entity, 'remove');
}
