import { restoreRow } from './edits';
import { waiting } from '../elements/dialog';
import { counted, tell } from '../elements/dom';
import { askFile } from './importRows';
import { confirmPaste, planPaste, tellProblems } from './paste';

/** Shows what a pasted text would change in an open grid. @param view the GridView */
export async function paste(view, text, { row, column }) {
	if (text === '') return;
	const isWaiting = waiting();
	const plan = await planPaste({
		text,
		row: Math.max(0, row),
		column,
		fields: view.columns,
		total: view.table.total,
		canAdd: view.grid._links.addEntity !== undefined,
		entities: (from, to) => view.entities(from, to),
	});
	if (!isWaiting()) {
		tell('Nothing was pasted: something else was opened in the meantime.');
		return;
	}
	confirm(view, plan, 'Pasted');
}

/** Writes a plan on confirmation. @param word for what was done then */
function confirm(view, plan, word) {
	confirmPaste(view.grid, plan, async ({ rows, made, problems }) => {
		view.edits.add({ rows, made: made.map((row) => view.inGrid(row)) });
		const cells = rows.reduce((sum, one) => sum + one.cells.length, 0);
		tell(
			`${word}: ${counted(cells, 'cell')} changed, ${counted(made.length, 'row')} added, ${counted(problems.length, 'cell')} refused.`,
		);
		await view.table.reload(true);
	});
}

/** Adds the rows of a CSV file to an open grid. @param view the GridView */
export const importRows = (view) =>
	askFile(view.grid, view.fields, (plan) => {
		confirm(view, plan, 'Imported');
	});

/** Takes back the last edit of an open grid. @param view the GridView */
export async function undo(view) {
	const { cells, rows, restored, stayed, structure } = await view.edits.undo(view.allFields);
	const done = [
		structure,
		cells > 0 && `${counted(cells, 'cell')} restored`,
		rows > 0 && `${counted(rows, 'added row')} deleted`,
		restored > 0 && `${counted(restored, 'deleted row')} restored`,
	].filter(Boolean).join(', ');
	tell(done ? `Undone: ${done}.` : 'Nothing was undone.');
	tellProblems('Not everything was undone', stayed);
	if (structure) await view.describe();
	else await view.table.reload(true);
} // prettier-ignore

/** Brings back a deleted row, from its event. @param view the GridView */
export async function restore(view, event) {
	const { row, stayed } = await restoreRow(event, view.allFields);
	view.edits.add({ made: [row] });
	tell('The deleted row was restored.');
	tellProblems('Not everything was restored', stayed);
	await view.table.reload(true);
}
