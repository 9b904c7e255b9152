import { createHash } from 'crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { fileStream } from './responseBody';

/** Number of characters collected before they are written. */
const PART_LENGTH = 64 * 1024;

export interface StoredFile {
	file: IBinaryData;
	/** In bytes. */
	size: number;
}

/**
 * Streams a text to n8n's binary store, so that a store on disk never loads it whole into memory.
 * @param rewrite changes the bytes; called with each part, and without one at the end
 * @throws what `texts` throws, and what the store throws
 */
export async function storeText(
	node: IExecuteFunctions,
	texts: () => AsyncIterable<string>,
	{ name, type }: { name: string; type: string },
	rewrite: (part?: Uint8Array) => Uint8Array = (part) => part ?? new Uint8Array(),
): Promise<StoredFile> {
	let size = 0;
	let failure: { error: unknown } | undefined;
	const parts = async function* () {
		try {
			for await (const text of inParts(texts())) {
				const part = rewrite(Buffer.from(text));
				size += part.length;
				yield part;
			}
			const end = rewrite();
			size += end.length;
			yield end;
		} catch (error) {
			// A store may wrap the error in another one.
			failure = { error };
			await Promise.reject(error);
		}
	};
	// Published code may import no streams except those of `crypto`: the digest, a single part, is
	// replaced by the file. An error in `parts` ends the stream with that error, unlike in `compose`.
	const stream = createHash('sha256').end().flatMap(parts);
	const storing = node.helpers.prepareBinaryData(fileStream.parse(stream), name, type);
	const file = await storing.catch((error: unknown) => Promise.reject(failure ? failure.error : error));
	return { file, size };
}

async function* inParts(texts: AsyncIterable<string>): AsyncGenerator<string> {
	let held = '';
	for await (const text of texts) {
		held += text;
		if (held.length < PART_LENGTH) continue;
		yield held;
		held = '';
	}
	if (held !== '') yield held;
}
