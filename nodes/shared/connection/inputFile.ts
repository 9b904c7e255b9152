import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { InvalidInput } from '../../../client/errors';
import { valueText } from '../display/valueText';
import { fileStream } from './responseBody';

/** A file of an input item, which can be read several times. */
export interface InputFile {
	name: string;
	/** Its text in parts. @throws InvalidInput unless it is encoded in UTF-8 */
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
 * @param label label of the input that contains the name of the field
 * @throws InvalidInput if there is none
 */
export async function inputFile(
	node: IExecuteFunctions,
	itemIndex: number,
	property: string,
	label: string,
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
			yield* decoded(await open(), fileName);
		},
	};
}

const PART_BYTES = 64 * 1024;

async function* partsOf(whole: Uint8Array): AsyncGenerator<Uint8Array> {
	for (let from = 0; from < whole.length; from += PART_BYTES)
		yield await Promise.resolve(whole.subarray(from, from + PART_BYTES));
}

async function* decoded(parts: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
	const decoder = new TextDecoder('utf-8', { fatal: true });
	const beginning: number[] = [];
	let lines = 1;
	const decode = (part?: Uint8Array): string => {
		const text = decodedBy(decoder, part);
		if (text !== undefined) return text;
		throw new InvalidInput(
			`The file "${name}" is not encoded in UTF-8: a character at or after line ${lines} cannot be read`,
			SAVE_AS_UTF8,
		);
	};
	for await (const part of parts) {
		if (beginning.length < 2) {
			beginning.push(...part.subarray(0, 2 - beginning.length));
			refuseUtf16(beginning, name);
		}
		const text = decode(part);
		yield text;
		lines += text.split('\n').length - 1;
	}
	yield decode();
}

/** @returns undefined for bytes of another encoding */
function decodedBy(
	decoder: InstanceType<typeof TextDecoder>,
	part: Uint8Array | undefined,
): string | undefined {
	try {
		return part ? decoder.decode(part, { stream: true }) : decoder.decode();
	} catch {
		return undefined;
	}
}

const SAVE_AS_UTF8 =
	'Save it as "CSV UTF-8", or read it with the node Extract From File, whose option Encoding supports other encodings.';

/** A byte-order mark, or the zero byte beside the first character, shows UTF-16. */
function refuseUtf16(beginning: readonly number[], name: string): void {
	const [first = 1, second = 1] = beginning;
	const isMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
	if (isMark || first === 0 || second === 0)
		throw new InvalidInput(`The file "${name}" is encoded in UTF-16; only UTF-8 can be read`, SAVE_AS_UTF8);
}
