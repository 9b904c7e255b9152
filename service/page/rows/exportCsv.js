import { h } from '../elements/dom.js';
import { open } from '../session/api.js';

/** Saves rows of the grid or view as a CSV file. @param query which rows and columns */
export async function exportCsv(grid, query) {
	const content = await (await open(grid._links.csv, { query })).blob();
	const href = URL.createObjectURL(content);
	h('a', { href, download: `${grid.name}.csv` }).click();
	setTimeout(() => {
		URL.revokeObjectURL(href);
	}, 60_000);
}
