import { ask, type Choice, type Question } from '../elements/dialog';
import { h } from '../elements/dom';
import { open, type Request } from '../session/api';
import type { Column, Grid } from '../session/schemas';
import { isLink } from '../values/linkedRows';

const SEPARATORS: readonly Choice[] = [
	[',', 'Comma'],
	[';', 'Semicolon'],
	['\t', 'Tab'],
	['|', 'Bar'],
];

type Names = 'separator' | 'byteOrderMark' | 'escapeFormulas' | 'linkedNames';
type Query = NonNullable<Request['query']>;

/** Saves rows of the grid or view as a CSV file. */
async function save(grid: Grid, query: Query) {
	const content = await (await open(grid._links.csv, { query })).blob();
	const href = URL.createObjectURL(content);
	h('a', { href, download: `${grid.name}.csv` }).click();
	setTimeout(() => {
		URL.revokeObjectURL(href);
	}, 60_000);
}

/**
 * Asks how to write a CSV file, and saves it.
 * @param columns of the file @param query which rows and columns
 */
export function exportCsv(grid: Grid, columns: readonly Column[], query: Query) {
	const names: Question<Names> = {
		name: 'linkedNames',
		label: 'Names of linked rows',
		type: 'checkbox',
		hint: 'For people. Without it, the file has the addresses of the rows, which stay the same if rows are renamed.',
	};
	ask<Names>({
		title: `Export “${grid.name}”`,
		fields: [
			{
				name: 'separator',
				label: 'Separator',
				type: 'select',
				options: SEPARATORS,
				hint: 'Excel expects a semicolon where numbers are written with a decimal comma.',
			},
			{
				name: 'byteOrderMark',
				label: 'Byte order mark',
				type: 'checkbox',
				hint: 'Excel needs it to read letters such as ä.',
			},
			{
				name: 'escapeFormulas',
				label: 'Escape formulas',
				type: 'checkbox',
				value: true,
				hint: 'Puts an apostrophe before texts that a spreadsheet would run, such as =A1. Anybody with a form may have sent them.',
			},
			...(columns.some(isLink) ? [names] : []),
		],
		action: 'Export',
		run: ({ separator }, { isChecked }) =>
			save(grid, {
				...query,
				separator,
				byteOrderMark: isChecked('byteOrderMark'),
				escapeFormulas: isChecked('escapeFormulas'),
				...(columns.some(isLink) ? { linkedNames: isChecked('linkedNames') } : {}),
			}),
	});
}
