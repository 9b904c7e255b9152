import type { Values } from '../../../client/resources/entities';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import type { Update } from '../../../client/resources/updates/updates';
import { ColumnNames } from '../../shared/rows/columnNames';

/**
 * What changed values of an entity were at a moment, as its history tells: what an event up to then set last, else what the first event
 * after it replaced. Columns that never changed are not in it.
 * @param events in any order
 * @param moment milliseconds since 1970
 * @returns values by field id, and the names in the history that are no column (any more)
 * @throws InvalidInput where the entity did not exist then, or the history does not say when or what
 */
export function pastValues(
	events: readonly Update[],
	fields: readonly Field[],
	moment: number,
): { values: Values; gone: string[] } {
	const inTime = timed(events);
	refuseWhereAbsent(inTime, moment);
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
				`The history does not say what "${columns.labels.get(id) ?? id}" was at that moment`,
				'Choose another moment, or set the value with "Update".',
			);
	// What did not change since then need not be written.
	const changed = [...values].filter(([id]) => later.has(id));
	return { values: Object.fromEntries(changed), gone: [...gone] };
}

/** Oldest first; of two at the same moment the one that the service gives later in its own order is the later one. */
function timed(events: readonly Update[]): Array<Update & { time: number }> {
	const known = events.flatMap((event) => (event.time === undefined ? [] : [{ ...event, time: event.time }]));
	if (known.length < events.length)
		throw new InvalidInput(
			'The history of the entity does not say when its changes were made',
			'Look at it with "Get Many" of the history, and set the values with "Update".',
		);
	const isNewestFirst = (known[0]?.time ?? 0) > (known.at(-1)?.time ?? 0);
	const inOrder = isNewestFirst || startsWithEnd(known) ? known.reverse() : known;
	return inOrder.sort((one, other) => one.time - other.time);
}

/** Where all happened at one moment, times do not tell the order; a creation can only be the first. */
function startsWithEnd(events: readonly Update[]): boolean {
	return events.at(-1)?.kind === 'created' || events[0]?.kind === 'deleted';
}

function refuseWhereAbsent(inTime: ReadonlyArray<Update & { time: number }>, moment: number): void {
	const created = inTime.find(({ kind }) => kind === 'created');
	if (created && created.time > moment)
		throw new InvalidInput(
			`The entity was created after that moment, at ${created.timestamp ?? new Date(created.time).toISOString()}`,
			'Choose a later moment.',
		);
}
