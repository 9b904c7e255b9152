import type { Update } from '../../../client/resources/updates/updates';

/**
 * An event as a row of output: what happened to which row, when, by whom, and which values changed.
 * @param names output names by field ID; a field without one keeps its ID
 * @param version of the node: the first one calls the row's id `entityId`
 */
export function eventRow(
	{ kind, entityId, timestamp, changedBy, changes }: Update,
	names: ReadonlyMap<string, string>,
	version: number,
) {
	return {
		event: kind,
		[version === 1 ? 'entityId' : '_id']: entityId || null,
		changedAt: timestamp ?? null,
		changedBy: changedBy ?? null,
		changes: changes.map(({ field, old, new: value }) => ({
			field: names.get(field) ?? field,
			old: old ?? null,
			new: value ?? null,
		})),
	};
}
