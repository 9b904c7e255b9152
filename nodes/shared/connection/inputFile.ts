import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { InvalidInput } from '../../../client';
import { valueText } from '../display/shownText';
import { decoded, type Encoding } from './fileDecoder';
import { fileStream } from './responseBody';

/** A file of an input item, which can be read several times. */
export interface InputFile {
	name: string;
	/** Its text in parts. @throws InvalidInput for bytes that its encoding does not have */
	texts(): AsyncIterable<string>;
}

/**
 * n8n's record of the file in a binary field.
 * @param label label of the input that contains the name of the field
 * @throws InvalidInput if there is none
 */
export function inputBinary(
	node: IExecuteFunctions,
	itemIndex: number,
	property: string,
	label: string,
): IBinaryData {
	const binary = node.getInputData()[itemIndex]?.binary ?? {};
	const about = binary[property];
	if (!about)
		throw new InvalidInput(
			`The input item has no binary field ${valueText(property)}`,
			`Its binary fields are: ${Object.keys(binary).join(', ') || 'none'}. Correct "${label}", or add a node before this one that reads the file.`,
		);
	return about;
}

/**
 * The file in a binary field. A file that n8n stores on disk is streamed, never loaded whole.
 * @param at the item, its binary field and the label of the input that names that field
 * @param encoding unless a byte-order mark states another one
 * @throws InvalidInput if there is none
 */
export async function inputFile(
	node: IExecuteFunctions,
	{ itemIndex, property, label }: { itemIndex: number; property: string; label: string },
	encoding: Encoding,
): Promise<InputFile> {
	const { id, fileName = 'file' } = inputBinary(node, itemIndex, property, label);
	const whole = id === undefined ? await node.helpers.getBinaryDataBuffer(itemIndex, property) : undefined;
	const open = async (): Promise<AsyncIterable<Uint8Array>> =>
		id === undefined
			? partsOf(whole ?? new Uint8Array())
			: fileStream.parse(await node.helpers.getBinaryStream(id));
	return {
		name: fileName,
		async *texts() {
			yield* decoded(fileName, await open(), encoding);
		},
	};
}

const PART_BYTES = 64 * 1024;

async function* partsOf(whole: Uint8Array): AsyncGenerator<Uint8Array> {
	for (let from = 0; from < whole.length; from += PART_BYTES)
		yield await Promise.resolve(whole.subarray(from, from + PART_BYTES));
}
