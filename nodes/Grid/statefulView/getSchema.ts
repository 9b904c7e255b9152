import { schemaRow } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { chosenStatefulView } from './chosenStatefulView';

export const getSchema = operation({
	value: 'getSchema',
	name: 'Get Schema',
	action: 'Get schema of stateful view',
	description: 'Get the JSON schema of the rows that a stateful view shows',
	on: chosenStatefulView,
	fields: [],
	run: async ({ client, grid, statefulView }) =>
		schemaRow(await client.statefulViews.schema(grid, statefulView)),
});
