import { getLink } from '../session/addresses';
import { create, read, send, Unreachable } from '../session/api';
import * as schemas from '../session/schemas';
import type { Column, Grid, Link, Row, RowEvent } from '../session/schemas';
import { editorOf, isComputed, textOf, valueFrom } from '../values/cells';
import { linkedFrom } from './linkedFrom';
import { describeLinks, learnNames } from '../values/linkedRows';
import { optionNodes } from '../values/options';
import { changeItem, isRestorable } from './changes';
import { ask, confirmLoss, showPanel, waiting } from '../elements/dialog';
import { button, h, labelled, tell, told, type Editor } from '../elements/dom';
import { worded, writeCells, type CellChange, type KeptCell } from '../values/writtenCells';
import { makeEditLink } from '../sharing/publicLinks';

const HISTORY_SHOWN = 50;
const MAYBE_ADDED =
	'The connection was lost before the service confirmed the row. It may have been added: look for it before you add it again';

/** The editors of a row by their columns, each with the text that it showed first. */
type Editors = Map<Column, { readonly editor: Editor; readonly before: string }>;

/** Inputs for those columns of a row that can be written, and the values of the others. */
export function inputsOf(
	fields: readonly Column[],
	entity: Readonly<Record<string, unknown>>,
	canWrite: (field: Column) => boolean,
) {
	const editors: Editors = new Map();
	const nodes = fields.map((field) => {
		if (!canWrite(field) || isComputed(field))
			return h(
				'p',
				{ className: 'fact' },
				h('b', { textContent: field.name }),
				...(optionNodes(field, entity[field.id]) ?? [textOf(field, entity[field.id]) || '–']),
			);
		const editor = editorOf(field, entity[field.id]);
		editors.set(field, { editor, before: editor.value });
		return labelled(field.name, editor, field.description);
	});
	return { editors, nodes };
}

/** The changed values. */
const changedIn = (editors: Editors) =>
	Object.fromEntries(
		[...editors]
			.filter(([, { editor, before }]) => editor.value !== before)
			.map(([field, { editor }]) => [field.id, valueFrom(field, editor.value)]),
	);

const refusals = (kept: readonly KeptCell[]) =>
	kept.map(({ field, reason }) => `${field.name}: ${reason}`).join('; ');

/** What became of a row: the written cells, or the row that was deleted. */
export interface RowOutcome {
	readonly cells?: readonly CellChange[];
	readonly removed?: Row[];
}

interface Saving {
	readonly editors: Editors;
	/** Gets the row; undefined if it is no longer there. */
	readonly done: (row: Row | undefined, outcome: RowOutcome) => unknown;
}

/**
 * Writes the changed values of a row.
 * @throws Error that names the cells that were not written
 */
export async function saveRow(row: Row, { editors, done }: Saving) {
	const cells = [...editors]
		.filter(([, { editor, before }]) => editor.value !== before)
		.map(([field, { editor }]) => ({
			field,
			before: row[field.id] ?? null,
			after: valueFrom(field, editor.value),
		}));
	if (cells.length === 0) return;
	const { entity, written, kept } = await writeCells(row._links.self, cells);
	await done(entity, { cells: written });
	if (kept.length > 0) throw new Error(refusals(kept));
}

/** @returns a row as it is now @throws Error if somebody changed it since it was read */
export async function refuseChanged(row: Row, fields: readonly Column[]) {
	const now = await read(row._links.self, schemas.row);
	const changed = fields.filter(({ id }) => JSON.stringify(now[id]) !== JSON.stringify(row[id]));
	if (changed.length > 0)
		throw new Error(
			`The row was changed in the meantime: ${changed.map(({ name }) => name).join(', ')}. Open it again`,
		);
	return now;
}

/** What is needed to show a row. */
interface Opening extends Pick<Saving, 'done'> {
	readonly grid: Grid;
	readonly fields: readonly Column[];
	readonly allFields: readonly Column[];
	/** Id of the person at the page. */
	readonly me: string;
	/** Gets the row and its dialog. */
	readonly opened: (row: Row, dialog: HTMLDialogElement) => void;
}

/** Shows a row with its values and its history. */
export async function openRow(
	entity: { readonly _links: { readonly self: Link } },
	{ grid, fields, allFields, me, done, opened }: Opening,
) {
	const isWaiting = waiting();
	const whole = await read(entity._links.self, schemas.row);
	await learnNames([whole], fields);
	const { editors, nodes } = inputsOf(fields, whole, () => whole._links.update !== undefined);
	const history = h('ol', { className: 'history' });
	const restoreValues = async ({ changes }: RowEvent) => {
		dialog.close();
		const cells = changes
			.filter((change) => isRestorable(change, fields))
			.flatMap(({ fieldId, oldValue }) =>
				fields
					.filter(({ id }) => id === fieldId)
					.map((field) => ({ field, before: whole[fieldId] ?? null, after: oldValue })),
			);
		const { entity: after, written, kept } = await writeCells(whole._links.self, cells);
		await done(after, { cells: written });
		if (kept.length > 0) throw new Error(refusals(kept));
		tell(`Restored: ${cells.map(({ field }) => field.name).join(', ')}.`);
	};
	if (whole._links.events) {
		const page = schemas.pageOf(schemas.event);
		const events = await read(whole._links.events, page, { query: { pageSize: HISTORY_SHOWN } });
		const restore = whole._links.update && told(restoreValues);
		history.append(
			...events.items.map((event) => {
				const isHere = event.changes.some((change) => isRestorable(change, fields));
				return changeItem(event, { fields: allFields, me, tellsLost: restore !== undefined, ...(isHere ? { restore } : {}) }); // prettier-ignore
			}),
		);
		if (events.numberOfItems > HISTORY_SHOWN)
			history.append(h('li', { textContent: `and ${events.numberOfItems - HISTORY_SHOWN} earlier changes` }));
	}
	if (!isWaiting()) return;
	const past = h('details', {}, h('summary', { textContent: 'History' }), history);
	const label = fields[0] ? textOf(fields[0], whole[fields[0].id]) : '';
	if (!whole._links.update) {
		opened(whole, showPanel(label || 'Row', ...nodes, linkedFrom(grid, whole), past).dialog);
		return;
	}
	const remove = told(async () => {
		dialog.close();
		const isStillWaiting = waiting();
		const links = await describeLinks(grid, [whole]);
		if (!isStillWaiting()) return;
		confirmLoss({
			title: `Delete ${label ? `“${label}”` : 'this row'}?`,
			lost: `The row is deleted. Undo brings it back. ${links}`,
			action: 'Delete the row',
			run: async () => {
				await refuseChanged(whole, fields);
				await send(whole._links.remove);
				await done(undefined, { removed: [whole] });
			},
		});
	});
	const dialog = ask({
		title: label || 'Row',
		fields: [
			...nodes,
			linkedFrom(grid, whole),
			past,
			h(
				'p',
				{ className: 'actions' },
				grid._links.addLink &&
					button('Create an edit link', () => {
						makeEditLink(grid, whole);
					}),
				button('Delete this row', remove, { className: 'danger' }),
			),
		],
		action: 'Save',
		run: () => saveRow(whole, { editors, done }),
	});
	opened(whole, dialog);
}

/** Asks for the values of a new row. */
export function addRow(
	grid: Grid,
	{ fields, done }: { fields: readonly Column[]; done: (row: Row, isWanted: () => boolean) => unknown },
) {
	const { editors, nodes } = inputsOf(
		fields.filter((field) => !isComputed(field)),
		{},
		() => true,
	);
	ask({
		title: 'Add a row',
		fields: nodes,
		action: 'Add',
		run: async (_, { isOpen }) => {
			const href = await create(grid._links.addEntity, {
				query: { layout: 'field' },
				body: changedIn(editors),
			}).catch((error: unknown) => {
				throw new Error(error instanceof Unreachable ? MAYBE_ADDED : worded(error, fields).message);
			});
			await done(await read(getLink(href), schemas.row), isOpen);
		},
	});
}
