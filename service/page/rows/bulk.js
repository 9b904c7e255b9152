import { send, Unreachable } from '../session/api';
import { isComputed, textOf } from '../values/cells';
import { describeLinks } from '../values/linkedRows';
import { writeCells } from '../values/writtenCells';
import { ask, waiting } from '../elements/dialog';
import { counted, h, tell } from '../elements/dom';
import { MAX_ROWS, problemText, tellProblems } from './paste';
import { refuseChanged } from './row';

/** The selected rows, each with its number; those that were not read yet are read. */
async function selectedRows(view) {
	const { table } = view;
	const { top, bottom } = table.selection.range;
	const shown = table.selectedRows();
	if (shown.length > MAX_ROWS)
		throw new Error(`${counted(shown.length, 'row')} are too many at a time; select up to ${MAX_ROWS.toLocaleString()}`); // prettier-ignore
	const rows = shown.includes(undefined) ? await view.entities(top, bottom + 1) : shown;
	if (shown.some((row, index) => row && row._id !== rows[index]?._id))
		throw new Error('Somebody added or deleted rows among the selected ones. Select them again');
	return rows.map((row, index) => ({ row, number: top + index + 1 }));
}

/** Empties the selected cells of an open grid. @param view the GridView */
export async function clearCells(view) {
	const fields = view.table.selectedFields.filter((field) => !isComputed(field));
	const rows = await selectedRows(view);
	const [done, problems] = [[], []];
	try {
		for (const { row, number } of rows) {
			const filled = fields.filter(({ id }) => (row[id] ?? null) !== null);
			const cells = filled.map((field) => ({ field, before: row[field.id], after: null }));
			if (cells.length === 0) continue;
			const { self } = row._links;
			const { entity, written, kept } = await writeCells(self, cells);
			done.push({ id: row._id, self, cells: written });
			problems.push(...kept.map((cell) => ({ ...cell, number, text: textOf(cell.field, cell.before) })));
			if (entity) view.table.update(entity);
		}
	} finally {
		view.edits.add({ rows: done });
	}
	const cleared = done.reduce((sum, { cells }) => sum + cells.length, 0);
	tell(`Cleared: ${counted(cleared, 'cell')}.`);
	tellProblems('Not everything was cleared', problems.map(problemText));
}

/** Deletes the selected rows of an open grid after a question. @param view the GridView */
export async function removeRows(view) {
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
		run: async (_, isWanted) => {
			progress.hidden = false;
			const [removed, problems] = [[], []];
			try {
				for (const { row, number } of rows) {
					if (!isWanted()) break;
					try {
						removed.push(await removeOne(row, view.fields));
					} catch (error) {
						// The connection was lost: the others would fail, too.
						if (error instanceof Unreachable) throw error;
						problems.push(`Row ${number}: ${error.message}`);
					}
					progress.value += 1;
				}
			} finally {
				view.edits.add({ removed });
			}
			dialog.close();
			tell(`Deleted: ${counted(removed.length, 'row')}.`);
			tellProblems('Not everything was deleted', problems);
			view.table.selection.collapse();
			await view.table.reload(true);
		},
	});
}

/** Deletes a row that nobody has changed. @returns it */
async function removeOne(row, fields) {
	if (!row._links.remove) throw new Error('you may not delete it');
	const now = await refuseChanged(row, fields);
	await send(now._links.remove);
	return now;
}
