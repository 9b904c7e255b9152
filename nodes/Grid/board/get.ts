import { simplify } from '../../shared/inputs/output/outputOptions';
import { schemaRow } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { includeSchema } from '../grid/includeSchema';
import { chosenBoard } from './chosenBoard';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get board or calendar',
	description:
		'Get the type and properties of a board or calendar, and if wanted the JSON schema of its rows',
	on: chosenBoard,
	fields: [includeSchema, simplify],
	async run({ client, grid, board, parameter, represent }) {
		const row = { ...represent(board), gridId: grid.id };
		if (!parameter(includeSchema)) return row;
		return { ...row, schema: schemaRow(await client.statefulViews.schema(grid, board)) };
	},
});
