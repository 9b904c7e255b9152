import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { gridRow } from './gridRow';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a grid',
	description: 'Read the name, key, properties and columns of a grid',
	fields: [...gridFields, simplify],
	async run({ client, parameter }) {
		const { grid, fields } = await chosenGrid(client, parameter);
		return gridRow({ ...grid, fields }, parameter(simplify));
	},
};
