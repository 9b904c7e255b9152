import type { Field, Update } from '../../../client';

/**
 * Output names by what a feed may call a column: its ID, its name or its key.
 * @param names output names by field ID
 */
export function namesInFeed(
	fields: readonly Field[],
	names: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
	const by = (called: (field: Field) => string | null | undefined) =>
		fields.map((field) => [called(field) ?? '', names.get(field.id) ?? field.id] as const);
	return new Map([...by(({ key }) => key), ...by(({ name }) => name), ...by(({ id }) => id)]);
}

/**
 * An event as a row of output: what happened to which row, when, by whom, and which values changed.
 * @param names see `namesInFeed`; a field without one keeps what the feed calls it
 */
export function eventRow(
	{ kind, entityId, timestamp, changedBy, changes }: Update,
	names: ReadonlyMap<string, string>,
) {
	return {
		event: kind,
		_id: entityId || null,
		changedAt: timestamp ?? null,
		changedBy: changedBy ?? null,
		changes: changes.map(({ field, old, new: value }) => ({
			field: names.get(field) ?? field,
			old: old ?? null,
			new: value ?? null,
		})),
	};
}
