import { type Entity, type Field, oncePer, ownMember, type Values } from '../../../client';
import { sameValue } from '../../shared/rows/equality';
import { isBlank } from '../../shared/rows/values';

/** A changed value, with the id and the output name of its column. */
export interface Change {
	fieldId: string;
	field: string;
	old: unknown;
	new: unknown;
}

/**
 * The values that differ from the entity's. Spelling variants of a value count as equal.
 * @param emptyIsNone whether `""` equals no value, as some services store it
 */
export function differing(
	fields: readonly Field[],
	entity: Values,
	values: Values,
	emptyIsNone = false,
): Values {
	const columns = byId(fields);
	const changed = Object.entries(values).filter(([id, value]) => {
		const field = columns.get(id);
		const held = ownMember(entity, id) ?? null;
		if (emptyIsNone && isBlank(value) && isBlank(held)) return false;
		return field === undefined || !sameValue(field, held, value);
	});
	return Object.fromEntries(changed);
}

/** A value that the service stored otherwise than it was sent. */
export interface StoredValue {
	field: Field;
	sent: unknown;
	stored: unknown;
}

/** @param state the row as it was read after the values were written, or as they were sent */
export function storedOtherwise(fields: readonly Field[], values: Values, state: Values): StoredValue[] {
	if (state === values) return [];
	const sent = Object.fromEntries(Object.entries(values).filter(([id]) => Object.hasOwn(state, id)));
	return Object.keys(differing(fields, state, sent, true)).flatMap((id) => {
		const field = byId(fields).get(id);
		return field ? [{ field, sent: sent[id], stored: state[id] }] : [];
	});
}

/** Columns by id, listed once for all rows. */
const byId = oncePer((fields: readonly Field[]) => new Map(fields.map((field) => [field.id, field])));

/**
 * Changed values for the output.
 * @param names output names by field id
 * @param entity the row before; undefined for a row that is made
 */
export function changesOf(
	names: ReadonlyMap<string, string>,
	entity: Entity | undefined,
	values: Values,
): Change[] {
	return Object.entries(values).flatMap(([id, value]) => {
		const old = (entity && ownMember(entity, id)) ?? null;
		return entity || value !== null ? { fieldId: id, field: names.get(id) ?? id, old, new: value } : [];
	});
}
