import { ask, type Choice } from '../elements/dialog';
import { h } from '../elements/dom';
import { open, type Request } from '../session/api';
import type { Grid } from '../session/schemas';

const SEPARATORS: readonly Choice[] = [
	[',', 'Comma'],
	[';', 'Semicolon'],
	['\t', 'Tab'],
	['|', 'Bar'],
];

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

/** Asks how to write a CSV file, and saves it. @param query which rows and columns */
export function exportCsv(grid: Grid, query: Query) {
	ask({
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
		],
		action: 'Export',
		run: ({ separator }, { isChecked }) =>
			save(grid, {
				...query,
				separator,
				byteOrderMark: isChecked('byteOrderMark'),
				escapeFormulas: isChecked('escapeFormulas'),
			}),
	});
}
