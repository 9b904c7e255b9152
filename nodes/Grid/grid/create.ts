import { CreatedUnlocated } from '../../../client/errors';
import { iconOf } from '../../shared/inputs/symbolObject';
import { spaceForGrid } from '../../shared/inputs/pickers/chosenSpace';
import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { columnDefinitions, columnFields } from '../field/columnDefinitions';
import { addColumns } from '../field/addColumns';
import { given, newGridOptions, newName } from './gridProperties';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create grid',
	description: 'Create a grid (table) in a space, with its columns',
	whenRejected:
		'If the name or key is in use, choose another one, or change the existing grid with "Update".',
	on: spaceForGrid,
	fields: [newName, ...columnFields, newGridOptions],
	async run({ client, space, parameter }) {
		const columns = columnDefinitions(parameter);
		const { key, createView, ...icon } = parameter(newGridOptions);
		const name = parameter(newName);
		const grid = { ...given({ key, icon: iconOf(icon) }), name };
		const created = await client.grids.create(space, { ...grid, createView: createView ?? false });
		if (columns.length === 0) return { ...idOrAddress(created), spaceId: space.id, ...grid, fields: [] };
		const { id, href } = created;
		if (id === null)
			throw new CreatedUnlocated(
				`The address ${href} does not contain the grid's ID, so no columns were added`,
				{},
			);
		const opened = await client.grids.open({ spaceId: space.id, gridId: id });
		const fields = await addColumns(client, opened, columns, `The grid "${name}" was created (ID ${id})`);
		return { id, spaceId: space.id, ...grid, fields };
	},
});
