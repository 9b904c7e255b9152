import { getLink } from '../session/addresses';
import { create, messageOf, read, Refusal } from '../session/api';
import * as schemas from '../session/schemas';
import type { Column, Grid, Row } from '../session/schemas';
import { isComputed, textOf } from '../values/cells';
import { ask, showPanel } from '../elements/dialog';
import { counted, h, shown } from '../elements/dom';
import { worded, writeCells, type CellChange } from '../values/writtenCells';
import type { WrittenRow } from './edits';
import type { TextReader } from './linkedTexts';

/** Larger amounts should be imported as a file. */
export const MAX_ROWS = 2000;
const MAX_SHOWN = 40;

/** A cell that does not fit, or was not written. */
export interface Problem {
	readonly number: number;
	readonly field: Column;
	readonly text: string;
	readonly reason: string;
}

/** The planned cells of a row. */
interface AddedRow {
	/** Number of the row, as people count. */
	readonly number: number;
	readonly cells: readonly CellChange[];
}
type ChangedRow = AddedRow & { readonly entity: Row };

export interface Plan {
	readonly problems: readonly Problem[];
	readonly changed: readonly ChangedRow[];
	readonly added: readonly AddedRow[];
	/** Of the dialog. */
	readonly title: string;
	readonly intro: string;
	readonly action: string;
	/** Changes the columns, before anything is written. */
	readonly prepare?: () => Promise<void>;
}

interface Target {
	readonly texts: readonly string[];
	readonly fields: readonly Column[];
	/** The existing row; undefined for a new one. */
	readonly entity?: Row | undefined;
	readonly number: number;
	/** Converts a text to a value. */
	readonly read: TextReader;
}

/** Plans one row of a block. */
export function planRow({ texts, fields, entity, number, read: valueOf }: Target, problems: Problem[]) {
	const cells: CellChange[] = [];
	for (const [index, text] of texts.entries()) {
		const field = fields[index];
		if (!field) break;
		const problem = (reason: string) => {
			problems.push({ number, field, text, reason });
		};
		if (entity && !entity._links.update) {
			problem('is in a row that you may not change');
			continue;
		}
		if (isComputed(field)) {
			problem('is in a column that the service computes');
			continue;
		}
		try {
			const after = valueOf(field, text);
			const before = entity?.[field.id] ?? null;
			if (JSON.stringify(after) !== JSON.stringify(before)) cells.push({ field, before, after });
		} catch (error) {
			problem(messageOf(error));
		}
	}
	return { number, entity, cells };
}

type Cells = ReadonlyArray<readonly [Column, string]>;

/** Reads what the texts of a block name. @returns what converts each of them */
export type BlockReader = (cells: Cells) => TextReader | Promise<TextReader>;

interface Pasted {
	/** The texts of each row. */
	readonly block: ReadonlyArray<readonly string[]>;
	/** Number of the first row. */
	readonly row: number;
	/** The columns from that of the first text on. */
	readonly fields: readonly Column[];
	readonly reader: BlockReader;
	readonly total: number;
	readonly canAdd: boolean;
	/** Reads rows. */
	readonly entities: (from: number, to: number) => Promise<readonly Row[]>;
}

/** Plans the changes of pasted texts. */
export async function planPaste({ block, row, fields, reader, total, canAdd, entities }: Pasted) {
	if (block.length > MAX_ROWS)
		throw new Error(`${counted(block.length, 'row')} are too many to paste; import them as a CSV file`);
	const cellsOf = (texts: readonly string[]) =>
		texts.flatMap((text, index) => (fields[index] ? [[fields[index], text] as const] : []));
	const [there, valueOf] = await Promise.all([
		entities(row, Math.min(total, row + block.length)),
		reader(block.flatMap(cellsOf)),
	]);
	const problems: Problem[] = [];
	const outside = Math.max(0, ...block.map((cells) => cells.length - fields.length));
	const rows = block.map((cells, index) =>
		planRow({ texts: cells.slice(0, fields.length), fields, entity: there[index], number: row + index + 1, read: valueOf }, problems),
	); // prettier-ignore
	const below = rows.filter(({ entity }) => !entity);
	const filled = rows.filter(({ cells }) => cells.length > 0);
	const changed = filled.flatMap(({ entity, ...planned }) => (entity ? [{ ...planned, entity }] : []));
	const added = canAdd ? filled.filter(({ entity }) => !entity) : [];
	const intro = summary({ changed, added, outside, below: canAdd ? 0 : below.length });
	return { problems, changed, added, intro, action: 'Write' };
}

export const problemText = ({ number, field, text, reason }: Problem) =>
	`Row ${number}, ${field.name}: “${text.slice(0, 100)}” ${reason}`;

function listOf(texts: readonly string[]) {
	const more = texts.length - MAX_SHOWN;
	const lines = more > 0 ? [...texts.slice(0, MAX_SHOWN), `and ${more.toLocaleString()} more`] : texts;
	return h('ul', {}, ...lines.map((textContent) => h('li', { textContent })));
}

function changeTable({ changed, added }: Plan) {
	const rows = [
		...changed.map(({ number, cells }) => ({ name: String(number), own: cells })),
		...added.map(({ number, cells }) => ({ name: `${number} (new)`, own: cells })),
	];
	const count = rows.reduce((sum, { own }) => sum + own.length, 0);
	// Each row has at least one cell.
	const cells = rows
		.slice(0, MAX_SHOWN)
		.flatMap(({ name, own }) =>
			own.map(({ field, before, after }) => [name, field.name, textOf(field, before), textOf(field, after)]),
		);
	const lines = cells.slice(0, MAX_SHOWN).map((texts) =>
		h('tr', {}, ...texts.map((text) => h('td', { textContent: text.slice(0, 200) }))),
	); // prettier-ignore
	const head = ['Row', 'Column', 'Before', 'After'].map((text) =>
		h('th', { textContent: text, scope: 'col' }),
	);
	const more = count - lines.length;
	return [
		h(
			'div',
			{ className: 'wide', tabIndex: 0, role: 'region', 'aria-label': 'What changes' },
			h('table', {}, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...lines)),
		),
		...(more > 0 ? [h('p', { textContent: `and ${more.toLocaleString()} more cells` })] : []),
	];
}

/** Columns and rows of a pasted text that have no place. */
interface Beyond {
	readonly outside: number;
	readonly below: number;
}

/** Describes a plan. */
export function summary({ changed, added, outside, below }: Pick<Plan, 'changed' | 'added'> & Beyond) {
	const cells = changed.reduce((sum, row) => sum + row.cells.length, 0);
	return shown([
		`${counted(cells, 'cell')} in ${counted(changed.length, 'row')} ${cells === 1 ? 'changes' : 'change'}, ${counted(added.length, 'row')} ${added.length === 1 ? 'is' : 'are'} added.`,
		outside > 0 &&
			`${counted(outside, 'column')} beyond the last one ${outside === 1 ? 'is' : 'are'} skipped.`,
		below > 0 &&
			`${counted(below, 'row')} below the last one ${below === 1 ? 'is' : 'are'} skipped: you may not add rows here.`,
	]).join(' ');
}

/** What was done of a plan. */
export interface Written {
	readonly rows: WrittenRow[];
	readonly made: Row[];
	readonly problems: Problem[];
	/** What stopped it. */
	error?: unknown;
	/** Number of the last row that was begun. */
	at: number;
	/** Number of the first row that was left out when the window was closed. */
	readonly left?: number;
}

/**
 * Carries out a plan row by row, while `isWanted()` is true.
 * @param tell called after each row @returns what was done
 */
async function write(
	grid: Grid,
	{ changed, added }: Plan,
	{ tell, isWanted }: { tell: () => void; isWanted: () => boolean },
): Promise<Written> {
	const done: Written = { rows: [], made: [], problems: [], at: 0 };
	try {
		for (const { number, entity, cells } of changed) {
			if (!isWanted()) return { ...done, left: number };
			done.at = number;
			const { written, kept } = await writeCells(entity._links.self, cells);
			done.rows.push({ self: entity._links.self, cells: written });
			done.problems.push(...kept.map((cell) => ({ ...cell, number, text: textOf(cell.field, cell.after) })));
			tell();
		}
		for (const { number, cells } of added) {
			if (!isWanted()) return { ...done, left: number };
			done.at = number;
			try {
				const body = Object.fromEntries(cells.map(({ field, after }) => [field.id, after]));
				const href = await create(grid._links.addEntity, { query: { layout: 'field' }, body });
				done.made.push(await read(getLink(href), schemas.row));
			} catch (error) {
				const [first] = cells;
				if (!first || !(error instanceof Refusal) || error.status !== 400) throw error;
				const { field, after } = first;
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
export function tellProblems(title: string, texts: readonly string[]) {
	if (texts.length > 0) showPanel(title, listOf(texts));
}

/**
 * Shows what a pasted text or a file would change, and writes it on confirmation.
 * @param done receives what was written
 */
export function confirmPaste(grid: Grid, plan: Plan, done: (written: Written) => Promise<void>) {
	const total = plan.changed.length + plan.added.length;
	const progress = h('progress', { max: Math.max(1, total), value: 0, hidden: true, ariaLabel: 'Rows written' });
	const dialog = ask({
		title: plan.title,
		intro: plan.intro,
		fields: [
			...(plan.problems.length > 0
				? [h('h3', { textContent: `${counted(plan.problems.length, 'cell')} skipped` }), listOf(plan.problems.map(problemText))]
				: []),
			...(total > 0 ? changeTable(plan) : []),
			progress,
		],
		action: total > 0 ? plan.action : 'Close',
		run: async (_, { isOpen: isWanted }) => {
			if (total === 0) return;
			await plan.prepare?.();
			progress.hidden = false;
			const tell = () => {
				progress.value += 1;
			};
			const result = await write(grid, plan, { tell, isWanted });
			dialog.close();
			await done(result);
			const { problems, error, left } = result;
			const cut = left ? [`Stopped when the window was closed: row ${left} and those after it are not written.`] : [];
			const stop = error ? [`Stopped: ${messageOf(error)}. Row ${result.at} may have been written; the rows before it were, those after it were not.`] : [];
			tellProblems('Not everything was written', [...cut, ...stop, ...problems.map(problemText)]);
		},
	});
} // prettier-ignore
