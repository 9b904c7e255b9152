import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { chosenView, viewFields } from './chosenView';
import { gridRow } from '../grid/gridRow';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a view',
	description: 'Read the name, columns, filter and sorting of a view (virtual grid)',
	fields: [...viewFields, simplify],
	async run({ client, parameter }) {
		const { grid, view } = await chosenView(client, parameter);
		const fields = await client.fields.of(view);
		return { ...gridRow({ ...view, fields }, parameter(simplify)), gridId: grid.id };
	},
};
