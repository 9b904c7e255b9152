import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import { toTimestamp } from '../../../client/formats/moment';
import type { Update } from '../../../client/resources/updates/updates';
import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import { columnNaming, simplify } from '../../shared/inputs/outputOptions';
import { namesOf, unreadableRow } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';
import { eventRow } from '../../shared/rows/events';
import { parameter as input } from '../../shared/inputs/parameter';
import { valueText } from '../../shared/display/valueText';

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
		const updates = await client.updates.many(grid, from, resultLimit(parameter));
		const names = namesOf(fields, parameter(columnNaming));
		const isSimple = parameter(simplify);
		return updates.map((update) =>
			'error' in update
				? unreadableRow(node, update.position, update.error)
				: updateRow(update, fields, names, isSimple),
		);
	},
};

/** @throws InvalidInput if the value is no moment */
function sinceOf(raw: unknown, timezone: string): number {
	const moment = toTimestamp(raw, timezone);
	if (moment !== undefined) return moment;
	throw new InvalidInput(
		`"Since" holds ${valueText(raw)}, which is not a moment`,
		'Choose a date and a time, or write one such as 2026-03-01T09:30:00+01:00.',
	);
}

function updateRow(
	update: Update,
	fields: readonly Field[],
	names: ReadonlyMap<string, string>,
	simple: boolean,
): object {
	const { entity, raw } = update;
	const present = entity && fields.filter(({ id }) => Object.hasOwn(entity, id));
	return {
		...eventRow(update, names),
		...(present
			? { entity: Object.fromEntries(present.map(({ id }) => [names.get(id) ?? id, entity[id]])) }
			: {}),
		...(simple ? {} : { raw }),
	};
}
