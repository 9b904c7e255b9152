import { create, send } from '../session/api';
import { isComputed, textOf } from '../values/cells';
import { readBlock, valueOfText } from '../values/clipboard';
import { ask, showPanel } from '../elements/dialog';
import { counted, h } from '../elements/dom';
import { worded, writeCells } from '../values/writtenCells';

/** Larger amounts should be imported as a file. */
export const MAX_ROWS = 2000;
const MAX_SHOWN = 40;

/** Plans one row of a block. @param entity the existing row; undefined for a new one */
export function planRow({ texts, fields, entity, number }, problems) {
	const cells = [];
	for (const [index, text] of texts.entries()) {
		const field = fields[index];
		const problem = (reason) => problems.push({ number, field, text, reason });
		if (entity && !entity._links.update) {
			problem('is in a row that you may not change');
			continue;
		}
		if (isComputed(field)) {
			problem('is in a column that the service computes');
			continue;
		}
		try {
			const after = valueOfText(field, text);
			const before = entity?.[field.id] ?? null;
			if (JSON.stringify(after) !== JSON.stringify(before)) cells.push({ field, before, after });
		} catch (error) {
			problem(error.message);
		}
	}
	return { number, entity, cells };
}

/**
 * Plans the changes of a pasted text.
 * @param given `text`; `row` and `column` of its first cell; `fields`, `total`, `canAdd`, and
 * `entities(from, to)`, which reads rows
 */
export async function planPaste({ text, row, column, fields, total, canAdd, entities }) {
	const block = readBlock(text);
	if (block.length > MAX_ROWS)
		throw new Error(`${counted(block.length, 'row')} are too many to paste; import them as a CSV file`);
	const there = await entities(row, Math.min(total, row + block.length));
	const targets = fields.slice(column);
	const problems = [];
	const outside = Math.max(0, ...block.map((cells) => cells.length - targets.length));
	const rows = block.map((cells, index) =>
		planRow({ texts: cells.slice(0, targets.length), fields: targets, entity: there[index], number: row + index + 1 }, problems),
	); // prettier-ignore
	const added = rows.filter(({ entity }) => !entity);
	return {
		problems,
		outside,
		changed: rows.filter(({ entity, cells }) => entity && cells.length > 0),
		added: canAdd ? added.filter(({ cells }) => cells.length > 0) : [],
		below: canAdd ? 0 : added.length,
	};
}

export const problemText = ({ number, field, text, reason }) =>
	`Row ${number}, ${field.name}: “${text.slice(0, 100)}” ${reason}`;

function listOf(texts) {
	const more = texts.length - MAX_SHOWN;
	const lines = more > 0 ? [...texts.slice(0, MAX_SHOWN), `and ${more.toLocaleString()} more`] : texts;
	return h('ul', {}, ...lines.map((textContent) => h('li', { textContent })));
}

function changeTable({ changed, added }) {
	const cells = [...changed, ...added].flatMap(({ number, entity, cells: own }) =>
		own.map(({ field, before, after }) => [
			entity ? String(number) : `${number} (new)`,
			field.name,
			textOf(field, before),
			textOf(field, after),
		]),
	);
	const lines = cells.slice(0, MAX_SHOWN).map((texts) =>
		h('tr', {}, ...texts.map((text) => h('td', { textContent: text.slice(0, 200) }))),
	); // prettier-ignore
	const head = ['Row', 'Column', 'Before', 'After'].map((text) =>
		h('th', { textContent: text, scope: 'col' }),
	);
	const more = cells.length - lines.length;
	return [
		h(
			'div',
			{ className: 'wide', tabIndex: 0, role: 'region', 'aria-label': 'What changes' },
			h('table', {}, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...lines)),
		),
		...(more > 0 ? [h('p', { textContent: `and ${more.toLocaleString()} more cells` })] : []),
	];
}

/** Describes a plan. */
function summary({ changed, added, outside, below }) {
	const cells = changed.reduce((sum, row) => sum + row.cells.length, 0);
	return [
		`${counted(cells, 'cell')} in ${counted(changed.length, 'row')} ${cells === 1 ? 'changes' : 'change'}, ${counted(added.length, 'row')} ${added.length === 1 ? 'is' : 'are'} added.`,
		outside > 0 && `${counted(outside, 'column')} beyond the last one ${outside === 1 ? 'is' : 'are'} skipped.`,
		below > 0 && `${counted(below, 'row')} below the last one ${below === 1 ? 'is' : 'are'} skipped: you may not add rows here.`,
	].filter(Boolean).join(' '); // prettier-ignore
}

/**
 * Carries out a plan row by row, while `isWanted()` is true.
 * @param tell called after each row @returns what was done
 */
async function write(grid, { changed, added }, { tell, isWanted }) {
	const done = { rows: [], made: [], problems: [], error: undefined, at: 0, left: undefined };
	try {
		for (const { number, entity, cells } of changed) {
			if (!isWanted()) return { ...done, left: number };
			done.at = number;
			const { written, kept } = await writeCells(entity._links.self, cells);
			done.rows.push({ id: entity._id, self: entity._links.self, cells: written });
			done.problems.push(...kept.map((cell) => ({ ...cell, number, text: textOf(cell.field, cell.after) })));
			tell();
		}
		for (const { number, cells } of added) {
			if (!isWanted()) return { ...done, left: number };
			done.at = number;
			try {
				const body = Object.fromEntries(cells.map(({ field, after }) => [field.id, after]));
				const href = await create(grid._links.addEntity, { query: { layout: 'field' }, body });
				done.made.push(await send({ href, method: 'get' }));
			} catch (error) {
				if (error.status !== 400) throw error;
				const [{ field, after }] = cells;
				const { message } = worded(error, cells.map((cell) => cell.field));
				done.problems.push({ number, field, text: textOf(field, after), reason: `was not added: ${message}` });
			}
			tell();
		}
	} catch (error) {
		done.error = error;
	}
	return done;
} // prettier-ignore

/** Shows a list of problems, if there are any. */
export function tellProblems(title, texts) {
	if (texts.length > 0) showPanel(title, listOf(texts));
}

/**
 * Shows what a pasted text or a file would change, and writes it on confirmation.
 * @param plan see `planPaste`; `title`, `intro` and `action` of the dialog, if others than those of
 * a paste @param done receives what was written
 */
export function confirmPaste(grid, plan, done) {
	const total = plan.changed.length + plan.added.length;
	const progress = h('progress', { max: Math.max(1, total), value: 0, hidden: true, ariaLabel: 'Rows written' });
	const dialog = ask({
		title: plan.title ?? 'Paste',
		intro: plan.intro ?? summary(plan),
		fields: [
			...(plan.problems.length > 0
				? [h('h3', { textContent: `${counted(plan.problems.length, 'cell')} skipped` }), listOf(plan.problems.map(problemText))]
				: []),
			...(total > 0 ? changeTable(plan) : []),
			progress,
		],
		action: total > 0 ? (plan.action ?? 'Write') : 'Close',
		run: async (_, isWanted) => {
			if (total === 0) return;
			progress.hidden = false;
			const tell = () => {
				progress.value += 1;
			};
			const result = await write(grid, plan, { tell, isWanted });
			dialog.close();
			await done(result);
			const { problems, error, left } = result;
			const cut = left ? [`Stopped when the window was closed: row ${left} and those after it are not written.`] : [];
			const stop = error ? [`Stopped: ${error.message}. Row ${result.at} may have been written; the rows before it were, those after it were not.`] : [];
			tellProblems('Not everything was written', [...cut, ...stop, ...problems.map(problemText)]);
		},
	});
} // prettier-ignore
