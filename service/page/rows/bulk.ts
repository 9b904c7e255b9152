import { messageOf, send, Unreachable } from '../session/api';
import type { Column, Row } from '../session/schemas';
import { isComputed, textOf } from '../values/cells';
import { describeLinks } from '../values/linkedRows';
import { writeCells } from '../values/writtenCells';
import { ask, waiting } from '../elements/dialog';
import { counted, h, tell } from '../elements/dom';
import type { WrittenRow } from './edits';
import type { OpenGrid } from './openGrid';
import { MAX_ROWS, problemText, tellProblems, type Problem } from './paste';
import { refuseChanged } from './row';

/** The selected rows, each with its number; those that were not read yet are read. */
async function selectedRows(view: OpenGrid) {
	const { table } = view;
	if (!table) return [];
	const { top, bottom } = table.selection.range;
	const shown = table.selectedRows();
	if (shown.length > MAX_ROWS)
		throw new Error(`${counted(shown.length, 'row')} are too many at a time; select up to ${MAX_ROWS.toLocaleString()}`); // prettier-ignore
	const known = shown.flatMap((row) => row ?? []);
	const rows = known.length < shown.length ? await view.entities(top, bottom + 1) : known;
	if (shown.some((row, index) => row && row._id !== rows[index]?._id))
		throw new Error('Somebody added or deleted rows among the selected ones. Select them again');
	return rows.map((row, index) => ({ row, number: top + index + 1 }));
}

/** Empties the selected cells of an open grid */
export async function clearCells(view: OpenGrid) {
	const fields = (view.table?.selectedFields ?? []).filter((field) => !isComputed(field));
	const rows = await selectedRows(view);
	const done: WrittenRow[] = [];
	const problems: Problem[] = [];
	try {
		for (const { row, number } of rows) {
			const filled = fields.filter(({ id }) => (row[id] ?? null) !== null);
			const cells = filled.map((field) => ({ field, before: row[field.id], after: null }));
			if (cells.length === 0) continue;
			const { self } = row._links;
			const { entity, written, kept } = await writeCells(self, cells);
			done.push({ self, cells: written });
			problems.push(...kept.map((cell) => ({ ...cell, number, text: textOf(cell.field, cell.before) })));
			if (entity) view.shown.update(entity);
		}
	} finally {
		view.edits.add({ rows: done });
	}
	const cleared = done.reduce((sum, { cells }) => sum + cells.length, 0);
	tell(`Cleared: ${counted(cleared, 'cell')}.`);
	tellProblems('Not everything was cleared', problems.map(problemText));
}

/** Deletes the selected rows of an open grid after a question */
export async function removeRows(view: OpenGrid) {
	const isWaiting = waiting();
	const rows = await selectedRows(view);
	const links = rows.length > 0 ? await describeLinks(view.grid, rows.map(({ row }) => row)) : ''; // prettier-ignore
	if (!isWaiting() || rows.length === 0) return;
	const all = counted(rows.length, 'row');
	const progress = h('progress', { max: rows.length, value: 0, hidden: true, ariaLabel: 'Rows deleted' });
	const dialog = ask({
		title: `Delete ${all}?`,
		intro: `Undo brings ${rows.length === 1 ? 'it' : 'them'} back. ${links}`,
		fields: [progress],
		action: `Delete ${all}`,
		isDanger: true,
		run: async (_, { isOpen: isWanted }) => {
			progress.hidden = false;
			const removed: Row[] = [];
			const problems: string[] = [];
			try {
				for (const { row, number } of rows) {
					if (!isWanted()) break;
					try {
						removed.push(await removeOne(row, view.fields));
					} catch (error) {
						// The connection was lost: the others would fail, too.
						if (error instanceof Unreachable) throw error;
						problems.push(`Row ${number}: ${messageOf(error)}`);
					}
					progress.value += 1;
				}
			} finally {
				view.edits.add({ removed });
			}
			dialog.close();
			tell(`Deleted: ${counted(removed.length, 'row')}.`);
			tellProblems('Not everything was deleted', problems);
			view.table?.selection.collapse();
			await view.shown.reload(true);
		},
	});
}

/** Deletes a row that nobody has changed. @returns it */
async function removeOne(row: Row, fields: readonly Column[]) {
	if (!row._links.remove) throw new Error('you may not delete it');
	const now = await refuseChanged(row, fields);
	await send(now._links.remove);
	return now;
}
