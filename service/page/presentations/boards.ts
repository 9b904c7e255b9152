import { all, send } from '../session/api';
import * as schemas from '../session/schemas';
import type { Field, Grid, RemovedField, StatefulView } from '../session/schemas';
import { ask, confirmLoss, type Choice, type Question } from '../elements/dialog';
import { button, h } from '../elements/dom';
import type { Presentation } from '../rows/openGrid';
import { labelOfType } from '../values/typeNames';

/** The types of stateful views that this page shows, with the column types that they group by. */
interface Kind {
	readonly label: string;
	readonly types: readonly string[];
}

const KINDS = new Map(
	Object.entries<Kind>({
		kanban: { label: 'Board: a lane for each option', types: ['enum'] },
		calendar: { label: 'Calendar: rows on their day', types: ['date', 'date-time'] },
	}),
);

/** A board or calendar. */
export interface PossibleBoard {
	readonly sview: StatefulView;
	readonly type: string;
	readonly name: string;
	/** The column that it groups by. */
	readonly column: Field | undefined;
	readonly fieldId: unknown;
	/** Why it has none. */
	readonly problem: string;
}

const fitting = (fields: readonly Field[], type: string) =>
	fields.filter((field) => KINDS.get(type)?.types.includes(field.type.name));

const needed = (type: string) => (type === 'kanban' ? 'a column of the type Choice' : 'a column of the type Date or Date and Time'); // prettier-ignore

/** Why a board has no column. @param removed the deleted columns, as far as the person sees them */
function problemOf(
	{ type, fieldId, name }: Omit<PossibleBoard, 'problem'>,
	fields: readonly Field[],
	removed: readonly RemovedField[],
) {
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
export async function boardsOf(grid: Grid, fields: readonly Field[]): Promise<PossibleBoard[]> {
	const listed = grid._links.sviews ? await all(grid._links.sviews, schemas.sview) : [];
	const boards = listed
		.filter(({ type }) => KINDS.has(type))
		.map((sview) => {
			const { fieldId, name: given } = sview.properties;
			const columns = fitting(fields, sview.type);
			const column = fieldId === undefined ? columns[0] : columns.find(({ id }) => id === fieldId);
			const name = typeof given === 'string' ? given : sview.displayValue;
			return { sview, type: sview.type, name, column, fieldId };
		});
	const isBroken = boards.some(({ column }) => !column);
	const removed =
		isBroken && grid._links.removedFields ? await all(grid._links.removedFields, schemas.removedField) : [];
	return boards.map((board) => ({
		...board,
		problem: board.column ? '' : problemOf(board, fields, removed),
	}));
}

/** Shows in place of a board that its column is gone, and what can be done. */
export class BrokenBoard implements Presentation {
	/** @param repair opens the dialog of the board; undefined for people who may not change it */
	constructor(container: HTMLElement, { problem }: PossibleBoard, repair: (() => void) | undefined) {
		container.replaceChildren(
			h(
				'div',
				{ className: 'broken' },
				h('p', { role: 'alert', textContent: problem }),
				repair ? button('Choose another column, or delete it', repair, { className: 'main' }) : undefined,
			),
		);
	}

	/** Columns and rows are not shown. */
	columns = () => undefined;
	update = () => undefined;
	draw = () => undefined;
	reload = () => Promise.resolve();
}

/** Inputs for a board. @param choices `[kind and column, label]` */
const inputs = (
	choices: readonly Choice[],
	{ name = '', choice = '' } = {},
): ReadonlyArray<Question<'name' | 'choice'> | Node> => [
	{ name: 'name', label: 'Name', value: name, required: true, maxLength: 80 },
	choices.length > 0
		? { name: 'choice', label: 'What it shows', type: 'select', value: choice, options: choices }
		: h('p', {
				textContent: `It can show rows again once there is ${needed('kanban')}, Date or Date and Time.`,
			}),
];

/** The possible boards: each type with each suitable column. */
const choicesOf = (fields: readonly Field[]) =>
	[...KINDS].flatMap(([type, { label }]) =>
		fitting(fields, type).map(({ id, name }): Choice => [`${type} ${id}`, `${label}, by “${name}”`]),
	);

/** Adds a board or calendar, which everybody who may read the grid sees. */
export function addBoard(grid: Grid, fields: readonly Field[], done: (name: string) => Promise<void>) {
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
export function changeBoard(
	{ sview, type, name: before, column }: PossibleBoard,
	fields: readonly Field[],
	done: (name?: string) => Promise<void>,
) {
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
	const unknown: Choice[] = column || choices.length === 0 ? [] : [['', 'Choose a column']];
	const dialog = ask({
		title: `${type === 'kanban' ? 'Board' : 'Calendar'} “${before}”`,
		fields: [
			...inputs([...unknown, ...choices], { name: before, choice: column ? `${type} ${column.id}` : '' }),
			h('p', {}, button(`Delete “${before}”`, remove, { className: 'danger' })),
		],
		action: 'Save',
		run: async ({ name, choice }) => {
			if (choice === '') throw new Error('Choose what it shows');
			const [kind, fieldId] = choices.length === 0 ? [type, sview.properties.fieldId] : choice.split(' ');
			await send(sview._links.update, { body: { type: kind, properties: { ...sview.properties, name, fieldId } } });
			await done(name);
		},
	}); // prettier-ignore
}
