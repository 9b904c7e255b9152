import { type Client, CreatedUnlocated, type Field, type Space } from '../../../client';
import { createdOrExisting } from '../../shared/inputs/ifKeyExists';
import { iconOf } from '../../shared/inputs/symbolObject';
import { spaceForGrid } from '../../shared/inputs/pickers/chosenSpace';
import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { columnDefinitions, columnFields } from '../field/columnDefinitions';
import { addColumns, type AddedColumn } from '../../shared/rows/addColumns';
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
	async run({ client, space, parameter, hint }) {
		const columns = columnDefinitions(parameter);
		const { key, createView, ifKeyExists, ...icon } = parameter(newGridOptions);
		const name = parameter(newName);
		const grid = { ...given({ key, icon: iconOf(icon) }), name };
		const { existing, created } = await createdOrExisting({
			key,
			ifKeyExists,
			find: async (sought) => await existingGrid(client, space, sought),
			create: async () => await client.grids.create(space, { ...grid, createView: createView ?? false }),
		});
		if (existing) return existing;
		const outcome = { _outcome: 'created' };
		if (columns.length === 0) hint(WITHOUT_COLUMNS);
		if (columns.length === 0)
			return { ...idOrAddress(created), spaceId: space.id, ...grid, fields: [], ...outcome };
		const { id, href } = created;
		if (id === null)
			throw new CreatedUnlocated(
				`The address ${href} does not contain the grid's ID, so no columns were added`,
				{},
			);
		const opened = await client.grids.open({ spaceId: space.id, gridId: id });
		const fields = await addColumns(client, opened, columns, `The grid "${name}" was created (ID ${id})`);
		return { id, spaceId: space.id, ...grid, fields, ...outcome };
	},
});

/** The output for the grid with a key, as for a new one. */
async function existingGrid(client: Client, space: Space, key: string): Promise<object | undefined> {
	const { items } = await client.grids.many(space, { type: 'persistent' });
	const found = items.find((grid) => grid.key === key);
	if (!found) return undefined;
	const grid = await client.grids.open(found.address);
	const fields = (await client.fields.of(grid)).map(addedColumn);
	return { id: grid.id, spaceId: space.id, key, name: grid.name, fields, _outcome: 'existing' };
}

/** An existing column in the form of an added one. */
const addedColumn = ({ id, name, key, type }: Field): AddedColumn => ({
	id,
	name,
	key: key ?? undefined,
	type: type.name,
});

const WITHOUT_COLUMNS =
	'The grid has no columns yet. Enter them under "Columns", or add them with Column > Add Missing, which can take them from the input items.';
