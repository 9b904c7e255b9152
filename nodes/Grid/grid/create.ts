import {
	type Client,
	CreatedUnlocated,
	type Field,
	type Grid,
	InvalidInput,
	type NewField,
	type Space,
	outcomeOf,
	readList,
} from '../../../client';
import { createdOrExisting, nameOfKey } from '../../shared/inputs/ifKeyExists';
import { iconOf } from '../../shared/inputs/symbolObject';
import { idOrAddress, withoutUndefined } from '../../shared/rows/output';
import { typeLabel } from '../../shared/rows/columnTypes';
import { operation } from '../../shared/runner/operation';
import { columnDefinitions, columnFields, creatable } from '../field/columnDefinitions';
import { planColumns } from '../field/ensurePlan';
import { addColumns, type AddedColumn } from '../../shared/rows/addColumns';
import { createView, ifKeyExists, makeSpace, newGridOptions, newKey, newName } from './gridProperties';
import { spaceForGrid } from '../../shared/inputs/pickers/chosenSpace';
import { UnknownKey } from '../../shared/inputs/pickers/pickedKeys';
import type { Target } from '../../shared/inputs/target';

/** A space to add a grid to, which is made if it is chosen by a key that no space has. */
const spaceForNewGrid: Target<{ space: Space }> = {
	...spaceForGrid,
	async open(client, parameter) {
		const opening = await outcomeOf(spaceForGrid.open(client, parameter));
		if (opening.state === 'done') return opening.value;
		const { error } = opening;
		if (!(error instanceof UnknownKey && parameter(newGridOptions)(makeSpace))) throw error;
		return { space: await spaceWith(client, error.key) };
	},
};

/** The space with a key, which an item before or another run may have made meanwhile. */
async function spaceWith(client: Client, key: string): Promise<Space> {
	const { existing, created } = await createdOrExisting({
		key,
		returnsExisting: true,
		find: async () => (await readList(client.spaces.list())).items.find((space) => space.key === key),
		create: async () => await client.spaces.create({ name: nameOfKey(key), key }),
	});
	const id = existing ? existing.id : created.id;
	if (id === null) throw new CreatedUnlocated(`The space "${key}" was created, but its ID is unknown`, {});
	return await client.spaces.get(id);
}

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create grid',
	description: 'Create a grid (table) in a space, with its columns',
	whenRejected:
		'If the name or key is in use, choose another one, change the existing grid with "Update", or add "If the Key Exists" to go on with it.',
	on: spaceForNewGrid,
	fields: [newName, ...columnFields, newGridOptions],
	async run({ client, space, parameter, hint }) {
		const columns = await creatable(client, columnDefinitions(parameter), space.id);
		const added = parameter(newGridOptions);
		const key = added(newKey);
		const ifExists = added(ifKeyExists) ?? 'refuse';
		const name = parameter(newName);
		const grid = withoutUndefined({ key, icon: iconOf(added), name });
		const { existing, created } = await createdOrExisting({
			key,
			returnsExisting: ifExists !== 'refuse',
			find: async (sought) => await existingGrid(client, space, sought),
			create: async () =>
				await client.grids.create(space, { ...grid, createView: added(createView) ?? false }),
		});
		if (existing) return await returned(client, existing, ifExists === 'addMissing' ? columns : []);
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

async function existingGrid(client: Client, space: Space, key: string): Promise<Grid | undefined> {
	const { items } = await readList(client.grids.list(space, { type: 'persistent' }));
	const namesake = items.find((grid) => grid.key === key);
	return namesake && (await client.grids.open(namesake.address));
}

/**
 * The output for an existing grid, as for a new one, after adding the columns that it lacks.
 * @throws InvalidInput before any change if a column has another type
 */
async function returned(client: Client, grid: Grid, wanted: readonly NewField[]): Promise<object> {
	const fields = await client.fields.of(grid);
	const { missing, different } = planColumns(wanted, fields);
	if (different.length > 0)
		throw new InvalidInput(
			`The grid "${grid.name}" exists, but has columns of other types: ${different
				.map(({ name, type, wanted: other }) => `"${name}" is ${typeLabel(type)}, not ${typeLabel(other)}`)
				.join('; ')}; nothing was changed`,
			'Give the columns these types, or change them with the operation Update of the resource Column.',
		);
	const added = await addColumns(client, grid, missing, undefined);
	const all = [...fields.map(addedColumn), ...added];
	const { spaceId } = grid.address;
	return { id: grid.id, spaceId, key: grid.key, name: grid.name, fields: all, _outcome: 'existing' };
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
