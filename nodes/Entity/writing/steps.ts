import { type Entity, type Grid, OutcomeUnknown, ownMember, type Values } from '../../../client';
import { toNodeError } from '../../shared/display/nodeError';
import { safeText } from '../../shared/display/shownText';
import { FailedRow, type RowWriter } from '../../shared/rows/output';
import { isBlank } from '../../shared/rows/values';
import type { ItemsContext } from '../../shared/runner/context';
import { changesOf, type StoredValue } from './differences';

interface Planned {
	/** Values to write, by field id. */
	values: Values;
	/** Why other values stay as they are. */
	reasons?: string[];
}

export type RowChange = (Planned & { kind: 'create'; entity?: undefined }) | EntityChange;

/** A planned change to a row that exists. */
export interface EntityChange extends Planned {
	kind: 'update' | 'delete' | 'unchanged';
	entity: Entity;
}

/** A planned change that is not carried out, with the reasons. */
export interface Unwritten {
	kind: 'notFound' | 'conflict';
	/** The present row; undefined if there is none. */
	entity: Entity | undefined;
	values: Values;
	reasons: string[];
}

/** Result of a change: the current row, or the id of a new one. */
export interface ChangedRow {
	state?: Entity | undefined;
	id?: string | undefined;
	/** What was done instead, because another run had created the row. */
	instead?: EntityChange;
	/** A created row as it is output: read back, or as sent. */
	row?: Parameters<RowWriter>[0];
	/** The address of a created row whose id it does not contain. */
	href?: string;
	/** What the service stored otherwise than it was sent. */
	stored?: readonly StoredValue[];
	/** Whether another writer had already deleted the row. */
	isGone?: boolean;
}

/** How changes are output. */
export interface ChangeShape {
	row: RowWriter;
	/** Output names by field id. */
	names: ReadonlyMap<string, string>;
}

/** What became of a change, by its kind. */
export const DONE = {
	create: 'created',
	update: 'updated',
	delete: 'deleted',
	unchanged: 'unchanged',
	notFound: 'notFound',
	conflict: 'conflict',
} as const;

/** Whether a change is not carried out. */
export const isUnwritten = (change: RowChange | Unwritten): change is Unwritten =>
	change.kind === 'notFound' || change.kind === 'conflict';

/** The outcome of a change as a word. @param isDry whether it is only planned */
export function outcomeWord({ kind }: RowChange | Unwritten, isDry: boolean): string {
	return isDry ? kind : DONE[kind];
}

export const failedOutcome = (error: unknown) => (error instanceof OutcomeUnknown ? 'unknown' : 'failed');

/** A row that was not changed. An error output has the message of its error only. */
export function failedRow(
	node: ItemsContext['node'],
	{ kind, entity }: EntityChange,
	{ row, error }: { row: object; error: unknown },
): FailedRow {
	const _outcome = failedOutcome(error);
	const failure = toNodeError(node, error);
	const _error = safeText(node, failure.message);
	const id = safeText(node, entity._id);
	failure.message =
		_outcome === 'unknown'
			? `${failure.message} (to ${kind} row ${id})`
			: `Row ${id} was not ${kind === 'delete' ? 'deleted' : 'updated'}: ${failure.message}`;
	return new FailedRow({ ...row, _outcome, _error }, failure);
}

/** A change as output, with all that undoes it. @param done undefined in a dry run */
export function changeRow(
	{ row, names }: ChangeShape,
	change: RowChange | Unwritten,
	done?: ChangedRow,
): object {
	const { entity, values } = change;
	const isThere = entity && entity._id !== '';
	const written = isThere
		? row(done?.state ?? { ...entity, ...values })
		: { ...row({ ...entity, ...values, _id: '' }), _id: done?.id ?? null };
	const changed = entity && change.kind === 'delete' ? clearedBy(names, entity) : values;
	const _changes = change.kind === 'notFound' ? [] : changesOf(names, entity, changed);
	const { reasons: _reasons = [] } = change;
	const reasons = done && _reasons.length === 0 ? {} : { _reasons };
	return {
		...{ ...written, _outcome: outcomeWord(change, !done), _changes, ...reasons },
		...storedMember(names, done?.stored),
	};
}

/** What the service stored otherwise than it was sent, as a member of a row of output. */
export function storedMember(
	names: ReadonlyMap<string, string>,
	values: readonly StoredValue[] = [],
): { _stored?: object[] } {
	if (values.length === 0) return {};
	return { _stored: values.map(({ field: { id }, ...value }) => ({ field: names.get(id) ?? id, ...value })) };
}

/** A deletion clears every column that has a value. */
function clearedBy(names: ReadonlyMap<string, string>, entity: Entity): Values {
	const filled = [...names.keys()].filter((id) => !isBlank(ownMember(entity, id)));
	return Object.fromEntries(filled.map((id) => [id, null]));
}

/** A row that a dry run would create. */
export const plannedRow = (values: Values): Entity => ({ ...values, _id: '', _links: new Map() });

/** Identifies a row across grids. */
export const rowKey = (grid: Grid, entityId: string): string => JSON.stringify([grid.id, entityId]);
