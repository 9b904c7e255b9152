import { all, send } from '../session/api';
import { ask, confirmLoss } from '../elements/dialog';
import { button, h } from '../elements/dom';
import { labelOfType } from '../values/typeNames';

/** The types of stateful views that this page shows, with the column types that they group by. */
const KINDS = {
	kanban: { label: 'Board: a lane for each option', types: ['enum'] },
	calendar: { label: 'Calendar: rows on their day', types: ['date', 'date-time'] },
};

const fitting = (fields, type) => fields.filter((field) => KINDS[type].types.includes(field.type.name));

const needed = (type) => (type === 'kanban' ? 'a column of the type Choice' : 'a column of the type Date or Date and Time'); // prettier-ignore

/** Why a board has no column. @param removed the deleted columns, as far as the person sees them */
function problemOf({ type, fieldId, name }, fields, removed) {
	const there = fields.find(({ id }) => id === fieldId);
	const gone = removed.find(({ id }) => id === fieldId);
	if (there) return `“${name}” groups rows by “${there.name}”, which is now of the type ${labelOfType(there.type.name)}. It needs ${needed(type)}.`; // prettier-ignore
	if (gone) return `“${name}” groups rows by “${gone.name}”, which was deleted. “Deleted columns” restores it.`; // prettier-ignore
	if (fieldId === undefined) return `“${name}” needs ${needed(type)}, and there is none.`;
	return `“${name}” groups rows by a column that was deleted or is not shown here.`;
}

/**
 * The boards and calendars of a grid, each with the column that it groups by or the `problem` that
 * it has none. One that another client created without a column gets the first suitable one.
 */
export async function boardsOf(grid, fields) {
	const listed = grid._links.sviews ? await all(grid._links.sviews) : [];
	const boards = listed
		.filter(({ type }) => Object.hasOwn(KINDS, type))
		.map((sview) => {
			const { fieldId, name: given } = sview.properties;
			const columns = fitting(fields, sview.type);
			const column = fieldId === undefined ? columns[0] : columns.find(({ id }) => id === fieldId);
			const name = typeof given === 'string' ? given : sview.displayValue;
			return { sview, type: sview.type, name, column, fieldId };
		});
	const isBroken = boards.some(({ column }) => !column);
	const removed = isBroken && grid._links.removedFields ? await all(grid._links.removedFields) : [];
	return boards.map((board) =>
		board.column ? board : { ...board, problem: problemOf(board, fields, removed) },
	);
}

/** Shows in place of a board that its column is gone, and what can be done. */
export class BrokenBoard {
	/** @param repair opens the dialog of the board; undefined for people who may not change it */
	constructor(container, { problem }, repair) {
		container.replaceChildren(
			h(
				'div',
				{ className: 'broken' },
				h('p', { role: 'alert', textContent: problem }),
				repair ? button('Choose another column, or delete it', repair, { className: 'main' }) : undefined,
			),
		);
	}

	columns() {}
	update() {}
	draw() {}
	async reload() {}
}

/** Inputs for a board. @param choices `[kind and column, label]` */
const inputs = (choices, { name = '', choice } = {}) => [
	{ name: 'name', label: 'Name', value: name, required: true, maxLength: 80 },
	choices.length > 0
		? { name: 'choice', label: 'What it shows', type: 'select', value: choice, options: choices }
		: h('p', {
				textContent: `It can show rows again once there is ${needed('kanban')}, Date or Date and Time.`,
			}),
];

/** The possible boards: each type with each suitable column. */
const choicesOf = (fields) =>
	Object.entries(KINDS).flatMap(([type, { label }]) =>
		fitting(fields, type).map(({ id, name }) => [`${type} ${id}`, `${label}, by “${name}”`]),
	);

/** Adds a board or calendar, which everybody who may read the grid sees. */
export function addBoard(grid, fields, done) {
	const choices = choicesOf(fields);
	if (choices.length === 0)
		throw new Error(
			'A board needs a column of the type Choice, a calendar one of the type Date or Date and Time',
		);
	ask({
		title: `Add a board or calendar to “${grid.name}”`,
		fields: inputs(choices),
		action: 'Add',
		run: async ({ name, choice }) => {
			const [type, fieldId] = choice.split(' ');
			await send(grid._links.addSview, { body: { type, properties: { name, fieldId }, slotProperties: {} } });
			await done(name);
		},
	});
}

/** Renames a board, changes its type or column, or deletes it. */
export function changeBoard({ sview, type, name: before, column }, fields, done) {
	const remove = () => {
		dialog.close();
		confirmLoss({
			title: `Delete “${before}”?`,
			lost: `The ${type === 'kanban' ? 'board' : 'calendar'} is deleted with its shares. The rows remain.`,
			action: `Delete “${before}”`,
			run: async () => {
				await send(sview._links.remove);
				await done();
			},
		});
	};
	const choices = choicesOf(fields);
	const unknown = column || choices.length === 0 ? [] : [['', 'Choose a column']];
	const dialog = ask({
		title: `${type === 'kanban' ? 'Board' : 'Calendar'} “${before}”`,
		fields: [
			...inputs([...unknown, ...choices], { name: before, choice: column ? `${type} ${column.id}` : '' }),
			h('p', {}, button(`Delete “${before}”`, remove, { className: 'danger' })),
		],
		action: 'Save',
		run: async ({ name, choice }) => {
			if (choice === '') throw new Error('Choose what it shows');
			const [kind, fieldId] = choice === undefined ? [type, sview.properties.fieldId] : choice.split(' ');
			await send(sview._links.update, { body: { type: kind, properties: { ...sview.properties, name, fieldId } } });
			await done(name);
		},
	}); // prettier-ignore
}
