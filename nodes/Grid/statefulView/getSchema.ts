import type { Operation } from '../../shared/runner/operation';
import { chosenStatefulView, statefulViewFields } from './chosenStatefulView';
import { schemaRow } from '../../shared/rows/output';

export const getSchema: Operation = {
	value: 'getSchema',
	name: 'Get Schema',
	action: 'Get the schema of a stateful view',
	description: 'Read the JSON schema of the rows that a stateful view shows',
	fields: statefulViewFields,
	async run({ client, parameter }) {
		const { grid, statefulView } = await chosenStatefulView(client, parameter);
		return schemaRow(await client.statefulViews.schema(grid, statefulView));
	},
};
