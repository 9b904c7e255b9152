import { z } from 'zod/v4';
import {
	type Entity,
	type Field,
	InvalidInput,
	isWritable,
	jsonOf,
	ownMember,
	toTimestamp,
	type Values,
} from '../../../client';
import { valueText } from '../../shared/display/shownText';
import { ColumnNames } from '../../shared/rows/columnNames';
import { sameValue } from '../../shared/rows/equality';
import { isEmptyCell } from '../../shared/rows/values';
import type { RowChange, Unwritten } from '../writing/steps';

const changes = z.preprocess(
	// A file of changes holds them as text.
	(raw) => (typeof raw === 'string' ? jsonOf(raw) : raw),
	z.array(z.looseObject({ fieldId: z.string().optional(), field: z.string() })),
);
const rowId = z.string().min(1);
/** A row that a write has output. */
const written = z.looseObject({ _id: rowId, _outcome: z.string(), _changes: changes });
/** A change that "Get Changes" has listed. */
const listed = z.looseObject({ _id: rowId, event: z.string(), changedAt: z.unknown(), changes });

/** What a write has done to its row, by the words for it; those of an undo as well. */
const EFFECTS = new Map(
	Object.entries({
		created: 'created',
		recreated: 'created',
		updated: 'updated',
		reverted: 'updated',
		// It may have been written: the values tell.
		unknown: 'updated',
		deleted: 'deleted',
		removed: 'deleted',
	} as const),
);
const NO_EFFECT = new Set(['unchanged', 'notFound', 'conflict', 'differing', 'existing', 'kept', 'failed']);
const PLANNED = new Set(['create', 'update', 'delete', 'revert', 'remove', 'recreate', 'invalid']);

const CURE =
	'Pass on the output of Sync or of Create or Update, that of another write with "Keep Old Values" on, or the changes that "Get Changes" lists.';

export interface RecordedChange {
	entityId: string;
	/** Undefined if nothing was written. */
	effect: 'created' | 'updated' | 'deleted' | undefined;
	changes: z.infer<typeof changes>;
	/** Milliseconds since 1970; undefined for the output of a write, which is in order. */
	time: number | undefined;
}

/** @throws InvalidInput if an item is neither a row that was written nor a change of a row */
export function recordedChange(json: unknown): RecordedChange {
	const row = written.safeParse(json).data;
	const event = row ? undefined : listed.safeParse(json).data;
	const word = row?._outcome ?? event?.event;
	const entityId = row?._id ?? event?._id;
	if (entityId === undefined || word === undefined)
		throw new InvalidInput('The item does not say which values of which row were changed', CURE);
	if (PLANNED.has(word))
		throw new InvalidInput(
			'The item is the plan of a dry run: nothing was written that could be undone',
			CURE,
		);
	const effect = EFFECTS.get(word);
	if (!effect && !NO_EFFECT.has(word))
		throw new InvalidInput(`The item is about "${word}", which is no change of a row`, CURE);
	const time = toTimestamp(event?.changedAt, 'UTC');
	return { entityId, effect, changes: row?._changes ?? event?.changes ?? [], time };
}

/** All changes of one row: the old values of the first, and the new ones of the last. */
export class PastChanges {
	private readonly records: RecordedChange[] = [];

	constructor(
		private readonly fields: readonly Field[],
		/** Output names of the columns, by id. */
		private readonly names: ReadonlyMap<string, string>,
	) {}

	/** @throws InvalidInput if the change lacks the values before it */
	add(record: RecordedChange): void {
		const { effect, changes } = record;
		if (!effect) return;
		if (effect !== 'created' && changes.length === 0)
			throw new InvalidInput('The item does not contain the values before the change', CURE);
		const lacking = effect === 'created' ? undefined : changes.find((one) => !Object.hasOwn(one, 'old'));
		if (lacking)
			throw new InvalidInput(`The item does not say what "${lacking.field}" was before the change`, CURE);
		this.records.push(record);
	}

	/** Whether the row was deleted by the last change, so that it may have to be recreated. */
	get hasDeleted(): boolean {
		return oldestFirst(this.records).at(-1)?.effect === 'deleted';
	}

	/**
	 * How to take the changes back.
	 * @param present the row as it is; undefined if it is gone
	 * @param overwrites whether values that were changed since are overwritten
	 */
	undo(present: Entity | undefined, overwrites: boolean): RowChange | Unwritten {
		const records = oldestFirst(this.records);
		const [first, last] = [records.at(0), records.at(-1)];
		if (!first || !last) return kept(present);
		const [existed, exists] = [first.effect !== 'created', last.effect !== 'deleted'];
		const { values, gone } = this.merged(records);
		const reasons = [...gone].map((name) => `The grid no longer has the column "${name}"`);
		if (existed && exists) {
			if (!present) return kept(present, ['The row has been deleted since']);
			return reverted(present, values, { overwrites, reasons });
		}
		if (existed) return present ? kept(present, ['The row exists again']) : recreated(values, reasons);
		// A row that was created is gone, as wanted.
		if (!present) return kept(present);
		const made = this.fields.filter(isWritable).map((field) => {
			const { new: last = null } = values.find((one) => one.field === field) ?? {};
			return { field, last };
		});
		return removed(present, made, overwrites);
	}

	private merged(records: readonly RecordedChange[]) {
		const values = new Map<string, PastValue>();
		const gone = new Set<string>();
		for (const change of records.flatMap(({ changes }) => changes)) {
			const field = this.columnOf(change);
			if (!field) gone.add(change.field);
			else if (isWritable(field)) {
				const { old = change['old'] ?? null } = values.get(field.id) ?? {};
				values.set(field.id, { field, old, new: change['new'] ?? null });
			}
		}
		return { values: [...values.values()], gone };
	}

	private columnOf({ fieldId, field: name }: RecordedChange['changes'][number]): Field | undefined {
		if (fieldId !== undefined) return this.fields.find(({ id }) => id === fieldId);
		const named = this.fields.find(({ id }) => this.names.get(id) === name);
		return named ?? ColumnNames.of(this.fields).find(name);
	}
}

/** A value before the first and after the last change. */
interface PastValue {
	field: Field;
	old: unknown;
	new: unknown;
}

/** Oldest first; a feed may list the newest first. Equal times keep their order. */
function oldestFirst(records: readonly RecordedChange[]): RecordedChange[] {
	const isNewestFirst = (records.at(0)?.time ?? 0) > (records.at(-1)?.time ?? 0);
	return (isNewestFirst ? records.toReversed() : [...records]).sort(
		(one, other) => (one.time ?? 0) - (other.time ?? 0),
	);
}

function reverted(
	present: Entity,
	past: readonly PastValue[],
	{ overwrites, reasons }: { overwrites: boolean; reasons: string[] },
): RowChange | Unwritten {
	const values: Values = {};
	for (const { field, old, new: last } of past) {
		const value = ownMember(present, field.id) ?? null;
		if (sameValue(field, value, old)) continue;
		if (overwrites || sameValue(field, value, last)) values[field.id] = old;
		else reasons.push(changedSince(field, value, last));
	}
	if (Object.keys(values).length > 0) return { kind: 'update', entity: present, values, reasons };
	return kept(present, reasons);
}

function removed(
	present: Entity,
	made: ReadonlyArray<{ field: Field; last: unknown }>,
	overwrites: boolean,
): RowChange | Unwritten {
	const reasons = made.flatMap(({ field, last }) => {
		const value = ownMember(present, field.id) ?? null;
		return overwrites || sameValue(field, value, last) ? [] : [changedSince(field, value, last)];
	});
	return reasons.length > 0 ? kept(present, reasons) : { kind: 'delete', entity: present, values: {} };
}

function recreated(past: readonly PastValue[], reasons: string[]): RowChange {
	const filled = past.filter(({ old }) => !isEmptyCell(old));
	const values = Object.fromEntries(filled.map(({ field, old }) => [field.id, old]));
	return { kind: 'create', values, reasons };
}

const changedSince = ({ name }: Field, value: unknown, last: unknown) =>
	`"${name}" is ${valueText(value)}, and was ${valueText(last)} after the change`;

const kept = (entity: Entity | undefined, reasons: string[] = []): RowChange | Unwritten =>
	entity && reasons.length === 0
		? { kind: 'unchanged', entity, values: {} }
		: { kind: 'conflict', entity, values: {}, reasons };
