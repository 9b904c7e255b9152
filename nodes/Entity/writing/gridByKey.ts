import { type Client, InvalidInput, type NewField, type Space, readList } from '../../../client';
import { createdOrExisting, nameOfKey } from '../../shared/inputs/ifKeyExists';
import type { ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { typeLabel } from '../../shared/rows/columnTypes';
import { KeyedQueue } from '../../shared/runner/keyedQueue';
import { withAll } from './missingColumns';

/** A grid in which nodes keep rows of their own. */
interface OwnGrid {
	key: string;
	columns: readonly NewField[];
	/** Label of the input with the key. */
	input: string;
}

/** Runs of this process make a grid in turn. */
const queue = new KeyedQueue();

/**
 * Opens the grid with a key, which is made with its columns if it is missing. What another run has
 * begun to make is completed; a grid with columns for anything else is left alone.
 * @throws InvalidInput if it is another grid, LinkMissing
 */
export async function gridByKey(client: Client, space: Space, own: OwnGrid): Promise<ChosenGrid> {
	const { key } = own;
	const place = JSON.stringify([client.session.resolve('/').href, space.id, key]);
	return await queue.run(place, async () => {
		const { existing, created } = await createdOrExisting({
			key,
			returnsExisting: true,
			find: async () =>
				(await readList(client.grids.list(space, { type: 'persistent' }))).items.find(
					(grid) => grid.key === key,
				),
			create: async () => await client.grids.create(space, { name: nameOfKey(key), key }),
		});
		const gridId = existing ? existing.id : created.id;
		if (gridId === null)
			throw new InvalidInput(
				`The grid "${key}" of "${own.input}" was made, but the service does not tell its ID`,
				'Run the node again.',
			);
		const grid = await client.grids.open({ spaceId: space.id, gridId });
		const chosen = { grid, fields: await client.fields.of(grid) };
		const lacking = lackingColumns(chosen, own);
		return lacking.length === 0 ? chosen : (await withAll(client, grid, lacking)).chosen;
	});
}

/** The columns to add. @throws InvalidInput if the grid is used for something else */
function lackingColumns({ grid, fields }: ChosenGrid, { columns, input }: OwnGrid): NewField[] {
	const lacking = columns.filter(({ name }) => !fields.some((field) => field.name === name));
	const others = fields.filter(({ name }) => !columns.some((column) => column.name === name));
	const unfit = columns.flatMap(({ name, type }) => {
		const field = fields.find((one) => one.name === name);
		if (!field || field.type.name === type.name) return [];
		return [`"${name}" is ${typeLabel(field.type.name)}, not ${typeLabel(type.name)}`];
	});
	if (lacking.length > 0 && others.length > 0)
		unfit.push(`it has no column ${lacking.map(({ name }) => `"${name}"`).join(', ')}`);
	if (unfit.length === 0) return lacking;
	throw new InvalidInput(
		`The grid "${grid.name}" does not fit "${input}": ${unfit.join('; ')}; nothing was written`,
		`Enter the key of another grid in "${input}"; one that does not exist is made with its columns.`,
	);
}
