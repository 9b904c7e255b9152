import { CreatedUnlocated } from '../../../client/errors';
import { iconOf } from '../../shared/inputs/symbolObject';
import { chosenSpace } from '../../shared/inputs/chosenSpace';
import { idOrAddress } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { spaceForGridPicker } from '../../shared/inputs/pickers/space';
import { columnDefinitions, columnFields } from '../field/columnDefinitions';
import { addColumns } from '../field/addColumns';
import { given, newGridOptions, newName } from './gridProperties';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a grid',
	description: 'Add a grid (table) to a space, with its columns in one go',
	fields: [spaceForGridPicker, newName, ...columnFields, newGridOptions],
	async run({ client, parameter }) {
		const columns = columnDefinitions(parameter);
		const { key, createView, ...icon } = parameter(newGridOptions);
		const name = parameter(newName);
		const space = await chosenSpace(client, parameter);
		const grid = { ...given({ key, icon: iconOf(icon) }), name };
		const made = await client.grids.create(space, { ...grid, createView: createView ?? false });
		if (columns.length === 0) return { ...idOrAddress(made), spaceId: space.id, ...grid, fields: [] };
		const { id, href } = made;
		if (id === null) throw new CreatedUnlocated(`${href} does not tell its id, so it has no columns yet`, {});
		const created = await client.grids.open({ spaceId: space.id, gridId: id });
		const fields = await addColumns(client, created, columns, `The grid "${name}" was created (ID ${id})`);
		return { id, spaceId: space.id, ...grid, fields };
	},
};
