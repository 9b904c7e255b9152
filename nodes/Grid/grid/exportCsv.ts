import type { IBinaryData } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Client } from '../../../client';
import type { Grid } from '../../../client/grids';
import { outcomeOf, type Ended } from '../../../client/limiter';
import { fileStream, type FileContent } from '../../shared/answerBody';
import { chosenGrid, gridFields } from '../../shared/chosenGrid';
import { pickedBy } from '../../shared/locators';
import { RowWithFiles, type Operation } from '../../shared/operation';
import { parameter as input, textWith } from '../../shared/parameter';
import { optionalViewPicker } from '../../shared/pickers/view';

/** Longer names are refused by most file systems. */
const LONGEST_NAME = 255;
const TOO_LONG = `it is longer than ${LONGEST_NAME} characters`;

const binaryField = input(
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		hint: 'The name of the output binary field to put the file in',
		description:
			'The binary field of the output item that gets the CSV file. Cells are written as they are: one that begins with =, +, - or @ may be taken for a formula by a spreadsheet, so import files with values of strangers as text.',
	},
	textWith('it is empty').refine(({ length }) => length <= LONGEST_NAME, TOO_LONG),
);

const fileName = input(
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. orders.csv',
		description: 'The name of the file; that of the grid or view where it is left empty',
	},
	z.string('it is not a text').trim().max(LONGEST_NAME, TOO_LONG),
);

export const exportCsv: Operation = {
	value: 'exportCsv',
	name: 'Export CSV',
	action: 'Export a grid as a CSV file',
	description: 'Write all rows of a grid, or those that a view shows, to a CSV file in a binary field',
	fields: [...gridFields, optionalViewPicker, binaryField, fileName],
	async run({ client, parameter, node }) {
		const { grid } = await chosenGrid(client, parameter);
		const viewId = parameter(optionalViewPicker);
		const { spaceId } = grid.address;
		// §4.4: on a virtual grid's own address the file is the filtered cut.
		const cut =
			viewId === undefined
				? grid
				: await pickedBy(optionalViewPicker, client.grids.open({ spaceId, gridId: viewId }));
		// The service gives every file the same name (§4.4), which would tell nobody what is in it.
		const name = parameter(fileName) || `${cut.name || cut.id}.csv`;
		const { file, fileSize } = await stored(
			client,
			cut,
			async (content) => await node.helpers.prepareBinaryData(content, name, 'text/csv'),
		);
		const row = { gridId: grid.id, ...(viewId === undefined ? {} : { viewId }), fileName: name };
		return new RowWithFiles({ ...row, fileSize }, { [parameter(binaryField)]: file });
	},
};

type Store = (content: FileContent) => Promise<IBinaryData>;

/**
 * Hands the file on to n8n's store as it arrives: one that n8n keeps on disk is never whole in memory.
 * @returns the stored file and its size in bytes
 */
async function stored(
	client: Client,
	cut: Grid,
	store: Store,
): Promise<{ file: IBinaryData; fileSize: number }> {
	// The last counts: where the connection broke, the file was begun anew.
	const attempts: Array<{ file: Ended<IBinaryData>; fileSize: number }> = [];
	const { content } = await client.grids.csv(cut, async (parts) => {
		let fileSize = 0;
		const counted = fileStream.parse(parts).map((part: Uint8Array) => {
			fileSize += part.length;
			return part;
		});
		attempts.push({ file: await outcomeOf(store(counted)), fileSize });
	});
	const { file, fileSize } = attempts.at(-1) ?? {
		file: await outcomeOf(store(Buffer.from(content))),
		fileSize: content.length,
	};
	return file.state === 'done' ? { file: file.value, fileSize } : await Promise.reject(file.error);
}
