import { getLink, spaceOf } from '../session/addresses';
import { read } from '../session/api';
import * as schemas from '../session/schemas';
import type { Grid } from '../session/schemas';
import { $, button, h, shown, told } from '../elements/dom';
import { importCsv } from '../structure/importCsv';

/** What a person may do with a grid that has no columns or no rows. */
interface Steps {
	readonly grid: Grid;
	readonly hasColumns: boolean;
	readonly addColumn: () => unknown;
	readonly addRow: () => unknown;
	readonly importRows: () => unknown;
	/** Opens a grid that was just created. */
	readonly open: (location: string) => Promise<void>;
}

const step = (text: string, ...buttons: HTMLElement[]) => h('li', {}, text, ' ', ...buttons);

/** Says what to do next in a new grid. @param steps undefined for a grid with rows */
export function showFirstSteps(steps: Steps | undefined) {
	const place = $('first');
	place.hidden = !steps;
	place.replaceChildren(...(steps ? contentOf(steps) : []));
}

function contentOf({ grid, hasColumns, addColumn, addRow, importRows, open }: Steps) {
	const { addEntity, columnAdd } = grid._links;
	const csv = told(async () => {
		await importCsv(await read(getLink(spaceOf(grid)), schemas.space), open);
	});
	const columns = [
		columnAdd && step('Add columns. The first one names the rows.', button('Add the first column', addColumn, { className: 'main' })),
		columnAdd && step('Then paste cells of a spreadsheet: click into the table, and press Ctrl+V (⌘V on a Mac).'),
		columnAdd && step('Or begin with a CSV file, which becomes a grid with its columns and rows.', button('Choose a CSV file', csv)),
	]; // prettier-ignore
	const rows = [
		addEntity && step('Fill in a row.', button('Add the first row', addRow, { className: 'main' })),
		addEntity && step('Or paste cells of a spreadsheet: click into the table, and press Ctrl+V (⌘V on a Mac).'),
		addEntity && step('Or add the rows of a CSV file.', button('Choose a file of rows', importRows)),
	]; // prettier-ignore
	const steps = shown(hasColumns ? rows : columns);
	const title = hasColumns ? 'This grid has no rows yet' : 'This grid has no columns yet';
	return [
		h('h2', { textContent: title }),
		...(steps.length > 0 ? [h('ol', { className: 'steps' }, ...steps)] : []),
	];
}
