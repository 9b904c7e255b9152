import type { IBinaryData } from 'n8n-workflow';
import { outcomeOf, type Settled } from '../../../client/http/limiter';
import type { Deliver } from '../../../client/http/transport';
import { fileStream, type FileContent } from '../../shared/connection/responseBody';
import { FormulaNeutralizer } from '../../shared/rows/csvFormulas';
import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { safeFileName } from '../../shared/inputs/output/fileName';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { fileName, neutralizeFormulas, outputBinaryField } from '../../shared/inputs/output/outputFile';
import { RowWithFiles } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';

export const exportCsv = operation({
	value: 'exportCsv',
	name: 'Export CSV',
	action: 'Export grid as CSV',
	description: 'Export all rows of a grid, or the rows of a view, to a CSV file in a binary field',
	on: chosenGrid,
	fields: [optionalViewPicker, outputBinaryField, fileName, neutralizeFormulas],
	async run({ client, grid, parameter, node }) {
		const viewId = parameter(optionalViewPicker);
		const { spaceId } = grid.address;
		// §4.4: at a virtual grid's own address, the file contains only its rows.
		const exported =
			viewId === undefined
				? grid
				: await pickedBy(optionalViewPicker, client.grids.open({ spaceId, gridId: viewId }));
		// The service gives every file the same name (§4.4).
		const name = safeFileName(parameter(fileName) || `${exported.name || exported.id}.csv`);
		const isNeutral = parameter(neutralizeFormulas);
		const { file, fileSize } = await stored(
			async (deliver) => await client.grids.csv(exported, deliver),
			isNeutral ? () => new FormulaNeutralizer() : () => unchanged,
			async (content) => await node.helpers.prepareBinaryData(content, name, 'text/csv'),
		);
		const row = { gridId: grid.id, ...(viewId === undefined ? {} : { viewId }), fileName: name };
		return new RowWithFiles({ ...row, fileSize }, { [parameter(outputBinaryField)]: file });
	},
});

type Store = (content: FileContent) => Promise<IBinaryData>;

/** Rewrites a file while it is stored. */
type Rewriting = Pick<FormulaNeutralizer, 'write' | 'end'>;
const unchanged: Rewriting = { write: (part) => part, end: () => new Uint8Array() };

/**
 * Streams the file to n8n's binary store, without loading it whole into memory if the store is on
 * disk.
 * @param rewriting called for each attempt
 * @returns the stored file and its size in bytes
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
