import { all, send } from '../session/api.js';
import { ask, confirmLoss } from '../elements/dialog.js';
import { button, h } from '../elements/dom.js';

/** The types of stateful views that this page shows, with the column types that they group by. */
const KINDS = {
	kanban: { label: 'Board: a lane for each option', types: ['enum'] },
	calendar: { label: 'Calendar: rows on their day', types: ['date', 'date-time'] },
};

const fitting = (fields, type) => fields.filter((field) => KINDS[type].types.includes(field.type.name));

/**
 * The boards and calendars of a grid, each with the column that it groups by: the first suitable
 * column, if another client created the board without one.
 */
export async function boardsOf(grid, fields) {
	const listed = grid._links.sviews ? await all(grid._links.sviews) : [];
	return listed
		.filter(({ type }) => Object.hasOwn(KINDS, type))
		.map((sview) => {
			const columns = fitting(fields, sview.type);
			const column = columns.find(({ id }) => id === sview.properties.fieldId) ?? columns[0];
			const name = typeof sview.properties.name === 'string' ? sview.properties.name : sview.displayValue;
			return { sview, type: sview.type, name, column };
		})
		.filter(({ column }) => column);
}

/** Inputs for a board. @param choices `[kind and column, label]` */
const inputs = (choices, { name = '', choice } = {}) => [
	{ name: 'name', label: 'Name', value: name, required: true, maxLength: 80 },
	{ name: 'choice', label: 'What it shows', type: 'select', value: choice, options: choices },
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
	const dialog = ask({
		title: `${type === 'kanban' ? 'Board' : 'Calendar'} “${before}”`,
		fields: [
			...inputs(choicesOf(fields), { name: before, choice: `${type} ${column.id}` }),
			h('p', {}, button(`Delete “${before}”`, remove, { className: 'danger' })),
		],
		action: 'Save',
		run: async ({ name, choice }) => {
			const [kind, fieldId] = choice.split(' ');
			await send(sview._links.update, { body: { type: kind, properties: { ...sview.properties, name, fieldId } } });
			await done(name);
		},
	}); // prettier-ignore
}
