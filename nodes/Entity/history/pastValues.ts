import { type Field, InvalidInput, type Update, type Values } from '../../../client';
import { ColumnNames } from '../../shared/rows/columnNames';

/**
 * Values of an entity at a moment, according to its history: the last value set by then, otherwise
 * the value that the first later event replaced. Columns without a later change are omitted.
 * @param events in any order
 * @param moment milliseconds since 1970
 * @returns values by field id, and names in the history that match no column
 * @throws InvalidInput if the entity did not exist yet, or the history lacks times or values
 */
export function pastValues(
	events: readonly Update[],
	fields: readonly Field[],
	moment: number,
): { values: Values; gone: string[] } {
	const inTime = timed(events);
	requireCreated(inTime, moment);
	const columns = ColumnNames.of(fields);
	const values = new Map<string, unknown>();
	const later = new Set<string>();
	const gone = new Set<string>();
	for (const { time, changes } of inTime)
		for (const change of changes) {
			const field = columns.find(change.field);
			if (!field) gone.add(change.field);
			else if (time <= moment) values.set(field.id, change.new);
			else if (!values.has(field.id) && !later.has(field.id)) values.set(field.id, change.old);
			if (field && time > moment) later.add(field.id);
		}
	for (const [id, value] of values)
		if (value === undefined && later.has(id))
			throw new InvalidInput(
				`The history does not contain the value of "${columns.labels.get(id) ?? id}" at that time`,
				'Choose another date and time, or set the value with "Update".',
			);
	// Values that have not changed since need not be written.
	const changed = [...values].filter(([id]) => later.has(id));
	return { values: Object.fromEntries(changed), gone: [...gone] };
}

/** Oldest first; events with equal times keep the service's order. */
function timed(events: readonly Update[]): Array<Update & { time: number }> {
	const dated = events.flatMap((event) => (event.time === undefined ? [] : [{ ...event, time: event.time }]));
	if (dated.length < events.length)
		throw new InvalidInput(
			'The history of the row does not contain the times of its changes',
			'Read the history with "Get Many" of the resource History, and set the values with "Update".',
		);
	const isNewestFirst = (dated[0]?.time ?? 0) > (dated.at(-1)?.time ?? 0);
	const inOrder = isNewestFirst || startsWithEnd(dated) ? dated.reverse() : dated;
	return inOrder.sort((one, other) => one.time - other.time);
}

/** Equal times do not reveal the order, but a creation is always first. */
function startsWithEnd(events: readonly Update[]): boolean {
	return events.at(-1)?.kind === 'created' || events[0]?.kind === 'deleted';
}

/** @throws InvalidInput if the row was created after the moment */
function requireCreated(inTime: ReadonlyArray<Update & { time: number }>, moment: number): void {
	const created = inTime.find(({ kind }) => kind === 'created');
	if (created && created.time > moment)
		throw new InvalidInput(
			`The row was created after that time, at ${created.timestamp ?? new Date(created.time).toISOString()}`,
			'Choose a later date and time.',
		);
}
