import { z } from 'zod/v4';
import { type Entity, isWritable, toTimestamp } from '../../../client';
import { openGridWithFields } from '../../shared/inputs/pickers/chosenGrid';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { columnNaming } from '../../shared/inputs/output/outputOptions';
import { unstableListError } from '../../shared/rows/unstableListError';
import type { ItemContext } from '../../shared/runner/context';
import { parameter as input } from '../../shared/inputs/parameter';
import { updatableEntityPicker } from '../../shared/inputs/pickers/entity';
import { differing } from '../writing/differences';
import { writeItems, type ItemWrite } from '../writing/items';
import { updateOf } from '../writing/plan';
import { writeOperation } from '../writing/runLog';
import { writing } from '../writing/settings';
import { rowKey } from '../writing/steps';
import { selectedRow } from '../writing/targets';
import { valuesThatFit, ifUnfit } from './fitting';
import { pastValues } from './pastValues';

const moment = input(
	{
		displayName: 'Restore Values From',
		name: 'moment',
		type: 'dateTime',
		required: true,
		default: '',
		placeholder: 'e.g. 2026-03-01T09:30:00Z',
		description:
			'Restores the values that the row had at this date and time. Without an offset, it is in the time zone of the workflow.',
	},
	z.unknown().refine((value) => toTimestamp(value, 'UTC') !== undefined, 'it is not a date and time'),
);

export const restore = writeOperation({
	value: 'restore',
	name: 'Restore',
	action: 'Restore row',
	description: 'Write back the values that a row had at an earlier time, according to its history',
	fields: [updatableEntityPicker, moment],
	options: [columnNaming, ifUnfit, writing()],
	async runAll(context) {
		const states = new Map<string, Entity>();
		return await writeItems(context, {
			prepare: async (item) => [await restoreOf(item, states)],
			...{ link: 'update', isCounted: true },
		});
	},
});

/** @throws InvalidInput if a value no longer fits and is not to be left out */
async function restoreOf(item: ItemContext, states: Map<string, Entity>): Promise<ItemWrite> {
	const { client, parameter, timezone, hint } = item;
	const { grid, fields } = await openGridWithFields(client, parameter);
	const time = toTimestamp(parameter(moment), timezone) ?? Number.NaN;
	if (time > Date.now())
		hint(
			`"Restore Values From" is in the future, ${new Date(time).toISOString()}. Without an offset, it is in the time zone of the workflow, ${timezone}.`,
			'warning',
		);
	const entity = await pickedBy(
		updatableEntityPicker,
		client.entities.get(grid, parameter(updatableEntityPicker)),
	);
	await client.entities.writeLink(grid, entity, 'update');
	const { items: events, unstable } = await client.history.of(grid, entity);
	if (unstable) throw unstableListError({ name: `History of ${entity._id}` });
	const past = pastValues(events, fields, time);
	if (past.gone.length > 0)
		hint(
			`Not restored, because "${grid.name}" no longer has these columns: ${past.gone.join(', ')}`,
			'warning',
		);
	const writable = fields.filter(isWritable).filter(({ id }) => Object.hasOwn(past.values, id));
	const earlier = Object.fromEntries(writable.map(({ id }) => [id, past.values[id]]));
	const { values, reasons } = valuesThatFit(item, fields, differing(fields, entity, earlier));
	const names = item.columnNames(fields);
	return {
		...{ grid, fields, values, names, addsOptions: false, row: item.rowWriter(fields) },
		rules: { fields, names, matched: 'update' },
		plan: (rows) => rows.map((row) => ({ ...updateOf(fields, row, values), reasons })),
		target: selectedRow(rowKey(grid, entity._id), entity, states),
	};
}
