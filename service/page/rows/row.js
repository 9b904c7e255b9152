import { create, send, Unreachable } from '../session/api';
import { editorOf, isComputed, textOf, valueFrom } from '../values/cells';
import { describeLinks, learnNames } from '../values/linkedRows';
import { changeItem, isRestorable } from './changes';
import { ask, confirmLoss, showPanel, waiting } from '../elements/dialog';
import { button, h, labelled, tell, told } from '../elements/dom';
import { worded, writeCells } from '../values/writtenCells';
import { makeEditLink } from '../sharing/publicLinks';

const HISTORY_SHOWN = 50;
const MAYBE_ADDED =
	'The connection was lost before the service confirmed the row. It may have been added: look for it before you add it again';

/** Inputs for all columns of a row. */
export function inputsOf(fields, entity, canWrite) {
	const editors = new Map();
	const nodes = fields.map((field) => {
		if (!canWrite || isComputed(field))
			return h(
				'p',
				{ className: 'fact' },
				h('b', { textContent: field.name }),
				textOf(field, entity[field.id]) || '–',
			);
		const editor = editorOf(field, entity[field.id]);
		editors.set(field, { editor, before: editor.value });
		return labelled(field.name, editor, field.description);
	});
	return { editors, nodes };
}

/** The changed values. */
const changedIn = (editors) =>
	Object.fromEntries(
		[...editors]
			.filter(([, { editor, before }]) => editor.value !== before)
			.map(([field, { editor }]) => [field.id, valueFrom(field, editor.value)]),
	);

const refusals = (kept) => kept.map(({ field, reason }) => `${field.name}: ${reason}`).join('; ');

/**
 * Writes the changed values of a row.
 * @param given `fields`, `editors`, and `done`, which receives the row and the written `cells`
 * @throws Error that names the cells that were not written
 */
export async function saveRow(row, { fields, editors, done }) {
	const cells = Object.entries(changedIn(editors)).map(([id, after]) => ({
		field: fields.find((field) => field.id === id),
		before: row[id] ?? null,
		after,
	}));
	if (cells.length === 0) return;
	const { entity, written, kept } = await writeCells(row._links.self, cells);
	await done(entity, { cells: written });
	if (kept.length > 0) throw new Error(refusals(kept));
}

/** @returns a row as it is now @throws Error if somebody changed it since it was read */
export async function refuseChanged(row, fields) {
	const now = await send(row._links.self);
	const changed = fields.filter(({ id }) => JSON.stringify(now[id]) !== JSON.stringify(row[id]));
	if (changed.length > 0)
		throw new Error(
			`The row was changed in the meantime: ${changed.map(({ name }) => name).join(', ')}. Open it again`,
		);
	return now;
}

/**
 * Shows a row with its values and its history.
 * @param given `grid`, `fields`, `allFields`, `me`, `done`, and `shown`, which receives the row and
 * its dialog
 */
export async function openRow(entity, given) {
	const { grid, fields, allFields, me, done, shown } = given;
	const isWaiting = waiting();
	const whole = await send(entity._links.self);
	await learnNames([whole], fields);
	const { editors, nodes } = inputsOf(fields, whole, whole._links.update !== undefined);
	const history = h('ol', { className: 'history' });
	const restoreValues = async ({ changes }) => {
		dialog.close();
		const cells = changes
			.filter((change) => isRestorable(change, fields))
			.map(({ fieldId, oldValue }) => ({
				field: fields.find(({ id }) => id === fieldId),
				before: whole[fieldId] ?? null,
				after: oldValue,
			}));
		const { entity: after, written, kept } = await writeCells(whole._links.self, cells);
		await done(after, { cells: written });
		if (kept.length > 0) throw new Error(refusals(kept));
		tell(`Restored: ${cells.map(({ field }) => field.name).join(', ')}.`);
	};
	if (whole._links.events) {
		const events = await send(whole._links.events, { query: { pageSize: HISTORY_SHOWN } });
		const restore = whole._links.update && told((event) => restoreValues(event));
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
		showPanel(label || 'Row', ...nodes, past);
		shown(whole, [...document.querySelectorAll('dialog')].at(-1));
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
			past,
			h(
				'p',
				{ className: 'actions' },
				grid._links.addLink && button('Create an edit link', () => makeEditLink(grid, whole)),
				button('Delete this row', remove, { className: 'danger' }),
			),
		],
		action: 'Save',
		run: () => saveRow(whole, { fields, editors, done }),
	});
	shown(whole, dialog);
}

/** Asks for the values of a new row. */
export function addRow(grid, { fields, done }) {
	const { editors, nodes } = inputsOf(
		fields.filter((field) => !isComputed(field)),
		{},
		true,
	);
	ask({
		title: 'Add a row',
		fields: nodes,
		action: 'Add',
		run: async (_, isOpen) => {
			const href = await create(grid._links.addEntity, {
				query: { layout: 'field' },
				body: changedIn(editors),
			}).catch((error) => {
				throw error instanceof Unreachable ? new Error(MAYBE_ADDED) : worded(error, fields);
			});
			await done(await send({ href, method: 'get' }), isOpen);
		},
	});
}
