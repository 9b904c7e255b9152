import type { Update } from '../../../client';

/**
 * An event as a row of output: what happened to which row, when, by whom, and which values changed.
 * @param names output names by field ID; a field without one keeps its ID
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
