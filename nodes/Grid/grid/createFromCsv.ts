import { z } from 'zod/v4';
import type { Client } from '../../../client';
import { InvalidInput } from '../../../client/errors';
import { outcomeOf } from '../../../client/http/limiter';
import type { Space } from '../../../client/resources/spaces';
import type { Created } from '../../../client/session/created';
import { spaceForGrid } from '../../shared/inputs/pickers/chosenSpace';
import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { valueText } from '../../shared/display/valueText';
import { given, newKey, newName } from './gridProperties';

const binaryField = input(
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		hint: 'The name of the input binary field that holds the CSV file',
		description:
			'The binary field of the input item with the CSV file, encoded in UTF-8; its first line contains the column names',
	},
	z.string().trim().min(1),
);

export const createFromCsv = operation({
	value: 'createFromCsv',
	name: 'Create From CSV',
	action: 'Create grid from CSV',
	description: 'Create a grid (table) in a space, with the columns and rows of a CSV file',
	on: spaceForGrid,
	fields: [newName, newKey, binaryField],
	async run({ client, space, item, parameter, node, itemIndex }) {
		const property = parameter(binaryField);
		const about = item.binary?.[property];
		if (!about)
			throw new InvalidInput(
				`The input item has no binary field ${valueText(property)}`,
				`Its binary fields are: ${Object.keys(item.binary ?? {}).join(', ') || 'none'}. Correct "${binaryField.property.displayName}", or add a node before this one that reads the CSV file.`,
			);
		const content = await node.helpers.getBinaryDataBuffer(itemIndex, property);
		if (content.length === 0)
			throw new InvalidInput(
				`The file in "${property}" is empty`,
				'Its first line must contain the column names.',
			);
		const grid = { ...given({ key: parameter(newKey) }), name: parameter(newName) };
		const file = { name: about.fileName ?? 'import.csv', content };
		const created = await client.grids.createFromCsv(space, grid, file);
		return {
			...idOrAddress(created),
			...(await contentOf(client, space, created)),
			spaceId: space.id,
			...grid,
			fileName: file.name,
			fileSize: content.length,
		};
	},
});

/** What the new grid holds, as far as it can be read: the grid is there in any case. */
async function contentOf(client: Client, { id: spaceId }: Space, { id: gridId }: Created) {
	if (gridId === null) return { columns: null, rows: null };
	const reading = await outcomeOf(
		client.grids.open({ spaceId, gridId }).then(async (grid) => ({
			columns: (await client.fields.of(grid)).map(({ name }) => name),
			rows: (await client.entities.count(grid)) ?? null,
		})),
	);
	return reading.state === 'done' ? reading.value : { columns: null, rows: null };
}
