import type { IBinaryData } from 'n8n-workflow';
import { type Client, type Grid, outcomeOf, type Settled } from '../../../client';
import { fileStream, type FileContent } from '../../shared/connection/responseBody';
import { neutralizing } from '../../shared/csv/formulas';

/**
 * Downloads the CSV file of a grid or view (§4.4) and streams it to n8n's binary store, without
 * loading it whole into memory if the store is on disk.
 * @param store puts the content into n8n's binary store
 * @returns the stored file and its size in bytes
 */
export async function storedServiceCsv(
	client: Client,
	exported: Grid,
	{ isEscaped, store }: { isEscaped: boolean; store: (content: FileContent) => Promise<IBinaryData> },
): Promise<{ file: IBinaryData; fileSize: number }> {
	const rewriting = () => (isEscaped ? neutralizing() : (part?: Uint8Array) => part ?? new Uint8Array());
	// Only the last attempt counts: after a broken connection, the file is read again.
	const attempts: Array<{ file: Settled<IBinaryData>; fileSize: number }> = [];
	let refusal: Error | undefined;
	const { content } = await client.grids.csv(exported, async (parts) => {
		let fileSize = 0;
		const rewrite = rewriting();
		// An error in the stream would look like a broken connection and cause another attempt.
		const written = (part: Uint8Array) => {
			try {
				return refusal ? new Uint8Array() : rewrite(part);
			} catch (error) {
				refusal = error instanceof Error ? error : new Error(String(error));
				return new Uint8Array();
			}
		};
		const counted = fileStream.parse(parts).compose(async function* (source: AsyncIterable<Uint8Array>) {
			for await (const part of source) yield written(part);
			yield rewrite();
		});
		const counting = fileStream.parse(counted).map((part: Uint8Array) => {
			fileSize += part.length;
			return part;
		});
		attempts.push({ file: await outcomeOf(store(counting)), fileSize });
	});
	if (refusal) throw refusal;
	let last = attempts.at(-1);
	if (!last) {
		// The transport cannot stream.
		const rewrite = rewriting();
		const whole = Buffer.concat([rewrite(content), rewrite()]);
		last = { file: await outcomeOf(store(whole)), fileSize: whole.length };
	}
	const { file, fileSize } = last;
	return file.state === 'done' ? { file: file.value, fileSize } : await Promise.reject(file.error);
}
