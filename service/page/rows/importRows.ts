import { read as readJson } from '../session/api';
import * as schemas from '../session/schemas';
import type { Grid } from '../session/schemas';
import { ask } from '../elements/dialog';
import { form, readEncoded, unescapeField, type EncodedFile } from '../structure/importCsv';
import { matchColumns, type Content } from './columnMatching';
import type { OpenGrid } from './openGrid';
import type { Plan } from './paste';

/** Reads a file, of which the service returns a part at a time. */
async function readContent(grid: Grid, sent: Readonly<Record<string, string | File>>): Promise<Content> {
	const rows: string[][] = [];
	for (;;) {
		const body = form({ ...sent, from: String(rows.length) });
		const content = await readJson(grid._links.readCSV, schemas.csvContent, { form: body });
		for (const row of content.rows) rows.push(row);
		if (rows.length === 0) throw new Error('The file has no rows below the names of its columns');
		if (rows.length >= content.numberOfRows || content.rows.length === 0)
			return { names: content.columns.map(({ name }) => name), rows };
	}
}

/**
 * Asks for a CSV file, and which of its columns fill which ones of the grid.
 * @param use receives the plan of a paste
 */
export function askFile(view: OpenGrid, use: (plan: Plan) => void) {
	const { grid } = view;
	let unescapeFormulas = false;
	const read = async ({ file }: EncodedFile, isOpen: () => boolean) => {
		const content = await readContent(grid, { file, unescapeFormulas: String(unescapeFormulas) });
		if (isOpen()) matchColumns(view, { name: file.name, content }, use);
	};
	ask<'file' | 'unescapeFormulas'>({
		title: `Import rows into “${grid.name}”`,
		intro: 'The first line of the file names its columns.',
		fields: [
			{ name: 'file', label: 'File', type: 'file', accept: '.csv,.tsv,.txt,text/csv', required: true },
			unescapeField,
		],
		action: 'Next',
		run: (_, { isOpen, isChecked, file: fileOf }) => {
			unescapeFormulas = isChecked('unescapeFormulas');
			const file = fileOf('file');
			return readEncoded({ name: file.name, file }, isOpen, read);
		},
	});
}
