import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import { toTimestamp } from '../../../client/formats/moment';
import type { Update } from '../../../client/resources/updates/updates';
import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { columnNaming, simplify } from '../../shared/inputs/output/outputOptions';
import { unreadableRow } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { limit, returnAll, resultLimit } from '../../shared/inputs/selection/paging';
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
			'Lists changes from this date and time on. Without an offset, it is in the time zone of the workflow.',
	},
	z.unknown(),
);

export const getUpdates = operation({
	value: 'getUpdates',
	name: 'Get Updates',
	action: 'Get updates of grid',
	description:
		'List the rows created, updated and deleted since a date and time. To react to changes as they happen, use the DataGrid Trigger.',
	on: chosenGrid,
	fields: [since, returnAll, limit, columnNaming, simplify],
	async run({ client, grid, fields, parameter, columnNames, timezone, node, version, hint }) {
		const from = sinceOf(parameter(since), timezone);
		const updates = await client.updates.many(grid, from, resultLimit(parameter), () => {
			hint(MISSING, 'warning');
		});
		const names = columnNames(fields);
		const isSimple = parameter(simplify);
		return updates.map((update) =>
			'error' in update
				? unreadableRow(node, update.position, update.error)
				: updateRow(update, fields, { names, isSimple, version }),
		);
	},
});

const MISSING =
	'Changes may be missing: the service counts more of them, but responded with 404 to the next page. Run the node again.';

/** @throws InvalidInput if the value is not a date and time */
function sinceOf(raw: unknown, timezone: string): number {
	const moment = toTimestamp(raw, timezone);
	if (moment !== undefined) return moment;
	throw new InvalidInput(
		`"Since" is ${valueText(raw)}, which is not a date and time`,
		'Choose a date and time, or enter one such as 2026-03-01T09:30:00+01:00.',
	);
}

function updateRow(
	update: Update,
	fields: readonly Field[],
	{ names, isSimple, version }: { names: ReadonlyMap<string, string>; isSimple: boolean; version: number },
): object {
	const { entity, raw } = update;
	const present = entity && fields.filter(({ id }) => Object.hasOwn(entity, id));
	const row = present && Object.fromEntries(present.map(({ id }) => [names.get(id) ?? id, entity[id]]));
	const event = eventRow(update, names, version);
	const shown =
		version === 1 ? { ...event, ...(row ? { entity: row } : {}) } : { entity: row ?? null, ...event };
	return { ...shown, ...(isSimple ? {} : { raw }) };
}
