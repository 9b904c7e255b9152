import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import { toTimestamp } from '../../../client/formats/moment';
import type { Update } from '../../../client/resources/updates/updates';
import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import { columnNaming, namesOf, type ColumnNaming } from '../../shared/rows/naming';
import type { Operation } from '../../shared/runner/operation';
import { simplify, unreadableRow } from '../../shared/rows/output';
import { limit, returnAll } from '../../shared/inputs/paging';
import { parameter as input, shown } from '../../shared/inputs/parameter';
import { wanted } from '../../shared/rows/representation';

const since = input(
	{
		displayName: 'Since',
		name: 'since',
		type: 'dateTime',
		default: '',
		required: true,
		placeholder: 'e.g. 2026-03-01T09:30:00+01:00',
		description:
			'The moment from which on changes are listed. Without an offset it is meant in the time zone of the workflow.',
	},
	z.unknown(),
);

export const getUpdates: Operation = {
	value: 'getUpdates',
	name: 'Get Updates',
	action: 'Get the updates of a grid',
	description:
		'List what has been created, updated and deleted in a grid since a moment, once. Use the trigger to be told of changes as they come.',
	fields: [...gridFields, since, returnAll, limit, columnNaming, simplify],
	async run({ client, parameter, node }) {
		const from = sinceOf(parameter(since), node.getTimezone());
		const { grid, fields } = await chosenGrid(client, parameter);
		const updates = await client.updates.many(grid, from, wanted(parameter));
		const by = parameter(columnNaming);
		const isSimple = parameter(simplify);
		return updates.map((update) =>
			'error' in update
				? unreadableRow(node, update.position, update.error)
				: rowOf(update, fields, by, isSimple),
		);
	},
};

/** @throws InvalidInput if the value is no moment */
function sinceOf(raw: unknown, timezone: string): number {
	const moment = toTimestamp(raw, timezone);
	if (moment !== undefined) return moment;
	throw new InvalidInput(
		`"Since" holds ${shown(raw)}, which is not a moment`,
		'Choose a date and a time, or write one such as 2026-03-01T09:30:00+01:00.',
	);
}

function rowOf(update: Update, fields: readonly Field[], by: ColumnNaming, simple: boolean): object {
	const names = namesOf(fields, by);
	const nameOf = (field: string) => names.get(field) ?? field;
	const { entity } = update;
	const present = entity && fields.filter(({ id }) => Object.hasOwn(entity, id));
	return {
		event: update.kind,
		entityId: update.entityId || null,
		changedAt: update.timestamp ?? null,
		changedBy: update.changedBy ?? null,
		changes: update.changes.map((change) => ({
			field: nameOf(change.field),
			old: change.old ?? null,
			new: change.new ?? null,
		})),
		...(present ? { entity: Object.fromEntries(present.map(({ id }) => [nameOf(id), entity[id]])) } : {}),
		...(simple ? {} : { raw: update.raw }),
	};
}
