import type { IBinaryData } from 'n8n-workflow';
import { type Client, type Deliver, type Grid, outcomeOf, type Settled } from '../../../client';
import { fileStream, type FileContent } from '../../shared/connection/responseBody';
import { FormulaNeutralizer } from '../../shared/csv/formulas';

/**
 * Downloads the CSV file of a grid or view (§4.4).
 * @param store puts the content into n8n's binary store
 * @returns the stored file and its size in bytes
 */
export async function storedServiceCsv(
	client: Client,
	exported: Grid,
	{ isEscaped, store }: { isEscaped: boolean; store: Store },
): Promise<{ file: IBinaryData; fileSize: number }> {
	return await stored(
		async (deliver) => await client.grids.csv(exported, deliver),
		isEscaped ? () => new FormulaNeutralizer() : () => unchanged,
		store,
	);
}

type Store = (content: FileContent) => Promise<IBinaryData>;

/** Rewrites a file while it is stored. */
type Rewriting = Pick<FormulaNeutralizer, 'write' | 'end'>;
const unchanged: Rewriting = { write: (part) => part, end: () => new Uint8Array() };

/**
 * Streams the file to n8n's binary store, without loading it whole into memory if the store is on
 * disk.
 * @param rewriting called for each attempt
 */
async function stored(
	read: (deliver: Deliver) => Promise<{ content: Uint8Array }>,
	rewriting: () => Rewriting,
	store: Store,
): Promise<{ file: IBinaryData; fileSize: number }> {
	// Only the last attempt counts: after a broken connection, the file is read again.
	const attempts: Array<{ file: Settled<IBinaryData>; fileSize: number }> = [];
	let refusal: Error | undefined;
	const { content } = await read(async (parts) => {
		let fileSize = 0;
		const rewritten = rewriting();
		// An error in the stream would look like a broken connection and cause another attempt.
		const written = (part: Uint8Array) => {
			try {
				return refusal ? new Uint8Array() : rewritten.write(part);
			} catch (error) {
				refusal = error instanceof Error ? error : new Error(String(error));
				return new Uint8Array();
			}
		};
		const counted = fileStream.parse(parts).compose(async function* (source: AsyncIterable<Uint8Array>) {
			for await (const part of source) yield written(part);
			yield rewritten.end();
		});
		const counting = fileStream.parse(counted).map((part: Uint8Array) => {
			fileSize += part.length;
			return part;
		});
		attempts.push({ file: await outcomeOf(store(counting)), fileSize });
	});
	if (refusal) throw refusal;
	const { file, fileSize } = attempts.at(-1) ?? (await storedWhole(content, rewriting(), store));
	return file.state === 'done' ? { file: file.value, fileSize } : await Promise.reject(file.error);
}

/** For a transport that cannot stream. */
async function storedWhole(content: Uint8Array, rewriting: Rewriting, store: Store) {
	const whole = Buffer.concat([rewriting.write(content), rewriting.end()]);
	return { file: await outcomeOf(store(whole)), fileSize: whole.length };
}
