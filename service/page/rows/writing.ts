import { restoreRow } from './edits';
import { waiting } from '../elements/dialog';
import { counted, shown, tell } from '../elements/dom';
import type { RowEvent } from '../session/schemas';
import { askFile } from './importRows';
import type { OpenGrid } from './openGrid';
import { confirmPaste, planPaste, tellProblems, type Plan } from './paste';
import { filledSelection, fillingDown, type Filling, type PastedText } from './filling';

/** Shows what a pasted text would change in an open grid. */
export async function paste(view: OpenGrid, pasted: PastedText) {
	if ((pasted.text === '' && pasted.own === '') || !view.table) return;
	await write(view, { title: 'Paste', done: 'Pasted' }, filledSelection(view, pasted, view.table));
}

/** Shows what the first selected row would change in the others. */
export async function fillDown(view: OpenGrid) {
	if (!view.table || view.table.total === 0) return;
	const isWaiting = waiting();
	const filling = await fillingDown(view, view.table);
	if (isWaiting()) await write(view, { title: 'Fill down', done: 'Filled' }, filling);
}

interface Words {
	/** Of the dialog. */
	readonly title: string;
	/** What happened then. */
	readonly done: string;
}

async function write(view: OpenGrid, { title, done }: Words, filling: Filling) {
	const isWaiting = waiting();
	const plan = await planPaste({
		...filling,
		total: view.table?.total ?? 0,
		canAdd: view.grid._links.addEntity !== undefined,
		entities: (from, to) => view.entities(from, to),
	});
	if (isWaiting()) confirm(view, { ...plan, title }, done);
	else tell(`Nothing was ${done.toLowerCase()}: something else was opened in the meantime.`);
}

/** Writes a plan on confirmation. @param word for what was done then */
function confirm(view: OpenGrid, plan: Plan, word: string) {
	confirmPaste(view.grid, plan, async ({ rows, made, problems }) => {
		view.edits.add({ rows, made: made.map((row) => view.inGrid(row)) });
		const cells = rows.reduce((sum, one) => sum + one.cells.length, 0);
		tell(
			`${word}: ${counted(cells, 'cell')} changed, ${counted(made.length, 'row')} added, ${counted(problems.length, 'cell')} refused.`,
		);
		// New options are part of the columns.
		await (plan.prepare ? view.describe() : view.shown.reload(true));
	});
}

/** Writes the rows of a CSV file to an open grid. */
export const importRows = (view: OpenGrid) => {
	askFile(view, (plan) => {
		confirm(view, plan, 'Imported');
	});
};

/** Takes back the last edit of an open grid */
export async function undo(view: OpenGrid) {
	const { cells, rows, restored, stayed, structure } = await view.edits.undo(view.allFields);
	const done = shown([
		structure,
		cells > 0 && `${counted(cells, 'cell')} restored`,
		rows > 0 && `${counted(rows, 'added row')} deleted`,
		restored > 0 && `${counted(restored, 'deleted row')} restored`,
	]).join(', ');
	tell(done ? `Undone: ${done}.` : 'Nothing was undone.');
	tellProblems('Not everything was undone', stayed);
	if (structure) await view.describe();
	else await view.shown.reload(true);
} // prettier-ignore

/** Brings back a deleted row, from its event */
export async function restore(view: OpenGrid, event: RowEvent) {
	const { row, stayed } = await restoreRow(event, view.allFields);
	view.edits.add({ made: [row] });
	tell('The deleted row was restored.');
	tellProblems('Not everything was restored', stayed);
	await view.shown.reload(true);
}
