import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { representationRow } from '../../shared/rows/output';
import { chosenStatefulView, statefulViewFields } from './chosenStatefulView';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a stateful view',
	description: 'Read the type and properties of a stateful view',
	fields: [...statefulViewFields, simplify],
	async run({ client, parameter }) {
		const { grid, statefulView } = await chosenStatefulView(client, parameter);
		return { ...representationRow(statefulView, parameter(simplify)), gridId: grid.id };
	},
};
