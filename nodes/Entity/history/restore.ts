import { z } from 'zod/v4';
import { isWritable, toTimestamp } from '../../../client';
import { changeableGrid } from '../../shared/inputs/pickers/chosenGrid';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { columnNaming } from '../../shared/inputs/output/outputOptions';
import { unstableListError } from '../../shared/rows/unstableListError';
import { operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { updatableEntityPicker } from '../../shared/inputs/pickers/entity';
import { changesOf, differing } from '../writing/differences';
import { countRowsOfTool, rowsPerRun } from '../writing/rowsPerRun';
import { pastValues } from './pastValues';
import { dryRun } from '../../shared/inputs/options';

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

export const restore = operation({
	value: 'restore',
	name: 'Restore',
	action: 'Restore row',
	description: 'Write back the values that a row had at an earlier time, according to its history',
	on: changeableGrid,
	fields: [updatableEntityPicker, moment, dryRun, rowsPerRun],
	options: [columnNaming],
	async run({ client, grid, fields, parameter, columnNames, rowWriter, timezone, hint, node }) {
		const isDryRun = parameter(dryRun);
		const time = toTimestamp(parameter(moment), timezone) ?? Number.NaN;
		const entity = await pickedBy(
			updatableEntityPicker,
			client.entities.get(grid, parameter(updatableEntityPicker)),
		);
		await client.entities.writeLink(grid, entity, 'update');
		const { items: events, unstable } = await client.history.of(grid, entity);
		if (unstable) throw unstableListError({ name: `History of ${entity._id}` });
		const { values, gone } = pastValues(events, fields, time);
		if (gone.length > 0)
			hint(`Not restored, because "${grid.name}" no longer has these columns: ${gone.join(', ')}`, 'warning');
		const writable = fields.filter(isWritable).filter(({ id }) => Object.hasOwn(values, id));
		const past = Object.fromEntries(writable.map(({ id }) => [id, values[id]]));
		const changed = differing(fields, entity, past);
		const _changes = changesOf(columnNames(fields), entity, changed);
		const row = rowWriter(fields);
		if (_changes.length === 0) return { ...row(entity), _outcome: 'unchanged', _changes };
		if (isDryRun) return { ...row({ ...entity, ...changed }), _outcome: 'update', _changes };
		countRowsOfTool({ node, parameter }, 1);
		const state = await client.entities.update(grid, entity, changed);
		return { ...row(state), _outcome: 'updated', _changes };
	},
});
