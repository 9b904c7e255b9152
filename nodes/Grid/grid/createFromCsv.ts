import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import { chosenSpace } from '../../shared/inputs/chosenSpace';
import { idOrAddress } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { valueText } from '../../shared/display/valueText';
import { spaceForGridPicker } from '../../shared/inputs/pickers/space';
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
			'The binary field of the input item with the CSV file, in UTF-8; its first line names the columns',
	},
	z.string().trim().min(1),
);

export const createFromCsv: Operation = {
	value: 'createFromCsv',
	name: 'Create From CSV',
	action: 'Create a grid from a CSV file',
	description: 'Add a grid to a space whose columns and rows come from a CSV file',
	fields: [spaceForGridPicker, newName, newKey, binaryField],
	async run({ client, item, parameter, node, itemIndex }) {
		const property = parameter(binaryField);
		const about = item.binary?.[property];
		if (!about)
			throw new InvalidInput(
				`"${binaryField.property.displayName}" names ${valueText(property)}, which the input item does not have`,
				`It has: ${Object.keys(item.binary ?? {}).join(', ') || 'none'}. Put a node before this one that reads or downloads the CSV file.`,
			);
		const content = await node.helpers.getBinaryDataBuffer(itemIndex, property);
		if (content.length === 0)
			throw new InvalidInput(`The file in "${property}" is empty`, 'Its first line has to name the columns.');
		const grid = { ...given({ key: parameter(newKey) }), name: parameter(newName) };
		const space = await chosenSpace(client, parameter);
		const file = { name: about.fileName ?? 'import.csv', content };
		const made = await client.grids.createFromCsv(space, grid, file);
		return {
			...idOrAddress(made),
			spaceId: space.id,
			...grid,
			fileName: file.name,
			fileSize: content.length,
		};
	},
};
