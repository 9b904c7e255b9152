import { type Client, type Created, InvalidInput, outcomeOf, type Space } from '../../../client';
import { inputBinary } from '../../shared/connection/inputFile';
import { decodedWhole } from '../../shared/connection/fileDecoder';
import { withoutLines } from '../../shared/csv/firstRow';
import { unescapedFile } from '../../shared/csv/formulas';
import { encoding } from '../../shared/inputs/encoding';
import { CHECK_FIRST_ROW, firstRow } from '../../shared/inputs/firstRow';
import { formats, guessedFormats } from '../../shared/inputs/formats';
import { spaceForGrid } from '../../shared/inputs/pickers/chosenSpace';
import { idOrAddress, withoutUndefined } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { inputField, restoredFormulas, unescapeFormulas } from '../../shared/inputs/output/outputFile';
import { inProgramFormats } from './csvFormats';
import { newKey, newName } from './gridProperties';

const binaryField = inputField({
	hint: 'The name of the input binary field that contains the CSV file',
	description:
		'The binary field of the input item with the CSV file; its first line contains the column names',
});

export const createFromCsv = operation({
	value: 'createFromCsv',
	name: 'Create From CSV',
	action: 'Create grid from CSV',
	description: 'Create a grid (table) in a space, with the columns and rows of a CSV file',
	whenRejected: `If the name or key is in use, choose another one; to write the file into the existing grid, use "Import From File". Otherwise check the encoding and the first line of the file. ${CHECK_FIRST_ROW}`,
	on: spaceForGrid,
	fields: [newName, newKey, binaryField],
	options: [encoding, unescapeFormulas, firstRow, formats],
	async run({ client, space, parameter, option, node, itemIndex, hint }) {
		const property = parameter(binaryField);
		const about = inputBinary(node, itemIndex, property, binaryField.property.displayName);
		const content = await node.helpers.getBinaryDataBuffer(itemIndex, property);
		if (content.length === 0)
			throw new InvalidInput(
				`The file in "${property}" is empty`,
				'Its first line must contain the column names.',
			);
		const grid = withoutUndefined({ key: parameter(newKey), name: parameter(newName) });
		const name = about.fileName ?? 'import.csv';
		const whole = decodedWhole(name, content, option(encoding));
		const table = await withoutFirstLines(whole, option(firstRow) - 1);
		if (table === '')
			throw new InvalidInput(
				`The file in "${property}" has no row from line ${option(firstRow)} on`,
				'Correct "First Row", or check the node that makes the file.',
			);
		const { text, cells } = option(unescapeFormulas) ? unescapedFile(table) : { text: table, cells: 0 };
		const { text: converted = text, guessed } = inProgramFormats(text, option(formats));
		// In UTF-8, because the specification names no other encoding.
		const file = { name, content: new TextEncoder().encode(converted) };
		const created = await client.grids.createFromCsv(space, grid, file);
		if (cells > 0) hint(restoredFormulas(cells));
		if (guessed.length > 0) hint(guessedFormats(guessed));
		return {
			...idOrAddress(created),
			...(await createdContent(client, space, created)),
			spaceId: space.id,
			...grid,
			fileName: file.name,
			fileSize: content.length,
		};
	},
});

async function withoutFirstLines(whole: string, count: number): Promise<string> {
	const parts = async function* () {
		yield await Promise.resolve(whole);
	};
	let text = '';
	for await (const part of withoutLines(parts(), count)) text += part;
	return text;
}

/** Columns and number of rows of the new grid; null if they cannot be read. */
async function createdContent(client: Client, { id: spaceId }: Space, { id: gridId }: Created) {
	if (gridId === null) return { columns: null, rows: null };
	const reading = await outcomeOf(
		client.grids.open({ spaceId, gridId }).then(async (grid) => ({
			columns: (await client.fields.of(grid)).map(({ name }) => name),
			rows: await client.entities.count(grid),
		})),
	);
	return reading.state === 'done' ? reading.value : { columns: null, rows: null };
}
