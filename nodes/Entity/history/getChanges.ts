import { z } from 'zod/v4';
import { type Field, InvalidInput, toTimestamp, type Update } from '../../../client';
import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { columnNaming, simplify } from '../../shared/inputs/output/outputOptions';
import { operation } from '../../shared/runner/operation';
import { limit, returnAll, resultLimit } from '../../shared/inputs/selection/paging';
import { eventRow, namesInFeed } from '../../shared/rows/events';
import { parameter as input } from '../../shared/inputs/parameter';
import { valueText } from '../../shared/display/shownText';

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

export const getChanges = operation({
	value: 'getChanges',
	name: 'Get Changes',
	action: 'Get changes of grid',
	description:
		'List the rows created, updated and deleted since a date and time. To react to changes as they happen, use the DataGrid Trigger.',
	on: chosenGrid,
	fields: [since, returnAll, limit],
	options: [columnNaming, simplify],
	async run({ client, grid, fields, parameter, columnNames, timezone, hint }) {
		const from = sinceOf(parameter(since), timezone);
		const { items, unstable } = await client.updates.many(grid, from, resultLimit(parameter));
		if (unstable) hint(MISSING, 'warning');
		const names = namesInFeed(fields, columnNames(fields));
		const isSimple = parameter(simplify);
		return items.map((update) => updateRow(update, fields, { names, isSimple }));
	},
});

const MISSING = 'Changes may be missing: the feed kept changing while it was read. Run the node again.';

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
	{ names, isSimple }: { names: ReadonlyMap<string, string>; isSimple: boolean },
): object {
	const { entity, raw } = update;
	const present = entity && fields.filter(({ id }) => Object.hasOwn(entity, id));
	const row = present && Object.fromEntries(present.map(({ id }) => [names.get(id) ?? id, entity[id]]));
	return { entity: row ?? null, ...eventRow(update, names), ...(isSimple ? {} : { raw }) };
}
