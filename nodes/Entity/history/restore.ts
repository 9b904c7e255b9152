import { z } from 'zod/v4';
import { isWritable } from '../../../client/resources/fields';
import { toTimestamp } from '../../../client/formats/moment';
import { chosenGrid, writableGridFields } from '../../shared/inputs/chosenGrid';
import { pickedBy } from '../../shared/inputs/locators';
import { columnNaming } from '../../shared/inputs/outputOptions';
import { namesOf, rowWriter } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { updatableEntityPicker } from '../../shared/inputs/pickers/entity';
import { changesOf, differing } from '../outcome';
import { pastValues } from './pastValues';
import { dryRun } from '../../shared/inputs/dryRun';

const moment = input(
	{
		displayName: 'Moment',
		name: 'moment',
		type: 'dateTime',
		required: true,
		default: '',
		placeholder: 'e.g. 2026-03-01T09:30:00Z',
		description:
			'The values that the row had at this moment are written back. Without an offset it is in the time zone of the workflow.',
	},
	z.unknown().refine((value) => toTimestamp(value, 'UTC') !== undefined, 'it is not a date and time'),
);

export const restore: Operation = {
	value: 'restore',
	name: 'Restore',
	action: 'Restore an entity to a moment',
	description: 'Write back the values that a row had at a moment, as its history tells',
	fields: [...writableGridFields, updatableEntityPicker, moment, dryRun, columnNaming],
	async run({ client, parameter, hint, node }) {
		const { grid, fields } = await chosenGrid(client, parameter);
		const by = parameter(columnNaming);
		const isDry = parameter(dryRun);
		const names = namesOf(fields, by);
		const time = toTimestamp(parameter(moment), node.getTimezone()) ?? Number.NaN;
		const entity = await pickedBy(
			updatableEntityPicker,
			client.entities.get(grid, parameter(updatableEntityPicker)),
		);
		await client.entities.writeLink(grid, entity, 'update');
		const { items: events } = await client.history.of(grid, entity);
		const { values, gone } = pastValues(events, fields, time);
		if (gone.length > 0)
			hint(`Not restored, because "${grid.name}" no longer has these columns: ${gone.join(', ')}`);
		const writable = fields.filter(isWritable).filter(({ id }) => Object.hasOwn(values, id));
		const past = Object.fromEntries(writable.map(({ id }) => [id, values[id]]));
		const changed = differing(fields, entity, past);
		const _changes = changesOf(names, entity, changed);
		const row = rowWriter(fields, { by, hint });
		if (_changes.length === 0) return { ...row(entity), _outcome: 'unchanged', _changes };
		if (isDry) return { ...row({ ...entity, ...changed }), _outcome: 'update', _changes };
		const state = await client.entities.update(grid, entity, changed);
		return { ...row(state), _outcome: 'updated', _changes };
	},
};
