import { getLink } from '../session/addresses';
import { all, open, read, send } from '../session/api';
import * as schemas from '../session/schemas';
import { textIn } from '../session/schemas';
import type { Column, Field, FieldType, Grid, Link, Option } from '../session/schemas';
import { colorOfOption, labelOfOption, optionsOf, paint, PALETTE, valueOfOption } from '../values/options';
import { changeProperties } from '../session/properties';
import { gridsBeside, linkedGrid } from '../values/linkedRows';
import { labelOfType, typeChoices } from '../values/typeNames';
import { writeCells } from '../values/writtenCells';
import { ask, confirmLoss, waiting, type Choice, type Question } from '../elements/dialog';
import { button, counted, h, told } from '../elements/dom';
import { listOf, panel, restorer } from '../elements/records';

const WITH_OPTIONS = ['enum', 'enumcollection'];
/** More different values than this are no list to choose from. */
const MAX_OPTIONS = 200;
const PAGE_SIZE = 1000;
/** Emptied cells up to this number can be restored by Undo. */
const MAX_UNDONE = 2000;

/** An open grid, as far as its columns are concerned. */
interface ChangedGrid {
	readonly grid: Grid;
	/** The grid of a view. */
	readonly base: Grid | undefined;
	/** Gets the changes of columns that Undo can take back. */
	readonly edits: {
		add(edit: { structure: { name: string; takeBack: () => Promise<string> } }): void;
	};
	/** Id of the person at the page. */
	readonly me: string;
}

type Done = () => Promise<void>;
type Options = ReturnType<typeof optionInputs>;

const lines = (text: string) => text.split('\n').map((one) => one.trim()).filter(Boolean); // prettier-ignore

/**
 * Inputs for the options of a column: each known one can be renamed, colored, moved or removed, and
 * new ones are added below.
 * @returns the nodes, and `read()`, which returns the options. A renamed option keeps its value, so
 * the cells keep it
 */
function optionInputs(known: readonly Option[]) {
	const readers = new Map<Element, () => Option>();
	const list = h('ul', { className: 'lines' });
	for (const [index, option] of known.entries()) {
		const input = h('input', {
			type: 'text',
			value: labelOfOption(option),
			'aria-label': `Option ${index + 1}`,
		});
		const colors = colorInput(option);
		const up = button(
			'↑',
			() => {
				line.previousElementSibling?.before(line);
				up.focus();
			},
			{ 'aria-label': `Move the option ${labelOfOption(option)} up` },
		);
		const line: HTMLElement = h(
			'li',
			{},
			input,
			colors,
			up,
			button(
				'✕',
				() => {
					line.remove();
				},
				{ 'aria-label': `Remove the option ${labelOfOption(option)}` },
			),
		);
		readers.set(line, () => changed(option, input.value.trim(), colors.value));
		list.append(line);
	}
	const more = h('textarea', {
		name: 'options',
		rows: 4,
		'aria-label': known.length > 0 ? 'More options, one per line' : 'Options, one per line',
	});
	const read = () => {
		const options = [
			...[...list.children].flatMap((line) => readers.get(line)?.() ?? []),
			...lines(more.value),
		];
		for (const part of [labelOfOption, valueOfOption]) {
			const texts = options.map(part);
			const twice = texts.find((text, index) => text === '' || texts.indexOf(text) !== index);
			if (twice === '') throw new Error('An option needs a name');
			if (twice !== undefined) throw new Error(`The option “${twice}” is there twice`);
		}
		return options;
	};
	const title = h('b', { textContent: 'Options' });
	const hint = h('small', { textContent: known.length > 0 ? 'Renaming an option keeps it in its rows. More options, one per line:' : 'One per line' }); // prettier-ignore
	return { node: h('div', { className: 'field' }, title, list, hint, more), read, more };
}

/** A list of the palette, in the chosen color. A color of another client is kept. */
function colorInput(option: Option) {
	const own = colorOfOption(option);
	const isOther = own !== '' && !PALETTE.some(([color]) => color === own);
	const choices = [['', 'No color'], ...PALETTE, ...(isOther ? [[own, 'Other color']] : [])] as const; // prettier-ignore
	const list: HTMLSelectElement = h(
		'select',
		{
			'aria-label': `Color of the option ${labelOfOption(option)}`,
			onchange: () => paint(list, list.value),
		},
		...choices.map(([value = '', textContent = '']) =>
			paint(h('option', { value, textContent, selected: value === own }), value),
		),
	);
	return paint(list, own);
}

/** An option with another name or color. Its value, which the cells hold, stays. */
function changed(option: Option, label: string, color: string): Option {
	if (label === labelOfOption(option) && color === colorOfOption(option)) return option;
	const members = typeof option === 'object' ? option : { value: option };
	return { ...members, label, color: color || undefined };
}

type Names = 'name' | 'key' | 'description' | 'type' | 'linkedGrid';

const inputs = (types: readonly string[], field?: Field): ReadonlyArray<Question<Names>> => [
	{ name: 'name', label: 'Name', value: field?.name ?? '', required: true },
	{
		name: 'key',
		label: 'Key',
		value: field?.key ?? '',
		hint: 'For integrations. If empty, derived from the name.',
	},
	{ name: 'description', label: 'Description', value: field?.description ?? '' },
	{
		name: 'type',
		label: 'Type',
		type: 'select',
		value: field?.type.name ?? 'string',
		options: typeChoices(types),
	},
];

/** Asks which grid the rows of a column are linked to. */
const linkInput = (grids: readonly Choice[], chosen?: string): Question<Names> => ({
	name: 'linkedGrid',
	label: 'Links to rows of',
	type: 'select',
	value: chosen ?? '',
	options: [['', 'Any grid, by address'], ...grids],
	shownFor: { name: 'type', values: ['reference', 'references'] },
});

/** Keeps in the grid which one a column links to. */
async function keepLinkedGrid(grid: Grid, field: Column, path: string) {
	if ((linkedGrid(grid, field) ?? '') === path || !grid._links.update) return;
	await changeProperties(grid, ({ linkedGrids }) => ({
		linkedGrids: { ...schemas.membersOf(linkedGrids), [field.id]: path || null },
	}));
}

const typeNames = async () => (await read(getLink('/api/types'), schemas.fieldTypes)).map(({ name }) => name);

/** Shows the options while a type with options is chosen. @param use called when it is chosen */
function showWithType(dialog: HTMLElement, node: HTMLElement, use?: () => unknown) {
	const select = dialog.querySelector<HTMLSelectElement>('[name=type]');
	if (!select) return;
	const show = () => {
		node.hidden = !WITH_OPTIONS.includes(select.value);
		if (!node.hidden) use?.();
	};
	select.addEventListener('change', show);
	show();
}

const typeFrom = (name: string, options: Options): FieldType =>
	WITH_OPTIONS.includes(name) ? { name, options: options.read() } : { name };

export async function addColumn(grid: Grid, done: Done) {
	const isWaiting = waiting();
	const [types, grids] = await Promise.all([typeNames(), gridsBeside(grid)]);
	if (!isWaiting()) return;
	const options = optionInputs([]);
	const dialog = ask<Names>({
		title: 'Add a column',
		fields: [...inputs(types), linkInput(grids), options.node],
		action: 'Add',
		run: async ({ name, key, description, type, linkedGrid: path }) => {
			const body = { name, type: typeFrom(type, options), ...(key ? { key } : {}), ...(description ? { description } : {}) }; // prettier-ignore
			await send(grid._links.columnAdd, { body });
			const fields = path ? (await read(grid._links.self, schemas.grid)).fields : [];
			const added = fields.find((field) => field.name === name.trim());
			if (added) await keepLinkedGrid(grid, added, path);
			await done();
		},
	});
	showWithType(dialog, options.node);
}

/** The number of rows that meet a condition on a column. */
async function countRows(grid: Grid, field: Column, condition: object) {
	const filter = JSON.stringify({ [field.id]: condition });
	const query = { filter, pageSize: 1 };
	return (await read(grid._links.entities, schemas.pageOf(schemas.row), { query })).numberOfItems;
}

const filledRows = (grid: Grid, field: Column) => countRows(grid, field, { $empty: false });

/** The different texts of a column, up to one more than can be options. */
async function textsOf(grid: Grid, field: Column) {
	const texts = new Set<string>();
	while (texts.size <= MAX_OPTIONS) {
		const known = { $not: { [field.id]: { $in: [...texts] } } };
		const filled = { [field.id]: { $empty: false } };
		const filter = JSON.stringify(texts.size > 0 ? { $and: [filled, known] } : filled);
		const query = { filter, pageSize: PAGE_SIZE };
		const { items } = await read(grid._links.entities, schemas.pageOf(schemas.row), { query });
		if (items.length === 0) break;
		for (const row of items) texts.add(textIn(row[field.id]));
	}
	return [...texts];
}

const rows = (count: number) =>
	count === 1 ? '1 row has a value' : `${count.toLocaleString()} rows have a value`;

async function removeColumn(view: ChangedGrid, field: Field, done: Done) {
	const { grid } = view;
	const isWaiting = waiting();
	const count = await filledRows(grid, field);
	if (!isWaiting()) return;
	confirmLoss({
		title: `Delete the column “${field.name}”?`,
		lost: `${rows(count)} in it. All of them are deleted; views no longer show the column. Undo restores the column, also later under “Deleted columns”.`,
		action: `Delete “${field.name}”`,
		run: async () => {
			await send(grid._links.columnRemove, { body: { fieldId: field.id } });
			view.edits.add({
				structure: { name: `the column “${field.name}”`, takeBack: () => restoreColumn(grid, field) },
			});
			await done();
		},
	});
}

async function restoreColumn(grid: Grid, { id }: Field) {
	const removed = (await all(grid._links.removedFields, schemas.removedField)).find((one) => one.id === id);
	if (!removed) throw new Error('The column cannot be restored');
	await send(removed._links.restore);
	return `the column “${removed.name}” restored`;
}

/** The deleted columns of a grid, which can be restored. */
export const showRemovedColumns = (grid: Grid, done: Done) =>
	panel(`Deleted columns of “${grid.name}”`, async (again) => [
		listOf(await all(grid._links.removedFields, schemas.removedField), 'There are none.', (field) => [
			h('b', { textContent: field.name }),
			h('time', { dateTime: field.removedAt, textContent: new Date(field.removedAt).toLocaleString() }),
			restorer(field, () => done().then(again)),
		]),
	]);

/** Describes what a change of type may lose; undefined if all values stay. */
async function lossOf(grid: Grid, field: Field, type: FieldType) {
	const kept = (type.options ?? []).map(valueOfOption);
	const gone = optionsOf(field).filter((one) => !kept.includes(one));
	if (type.name === field.type.name && gone.length === 0) return undefined;
	const count = await filledRows(grid, field);
	if (count === 0) return undefined;
	const what = type.name === field.type.name ? `The options ${gone.join(', ')} are removed.` : `The type changes from ${labelOfType(field.type.name)} to ${labelOfType(type.name)}.`; // prettier-ignore
	const isCounted = type.name === 'enum' && ['string', 'enum'].includes(field.type.name) && kept.length > 0 && kept.length <= PAGE_SIZE; // prettier-ignore
	if (!isCounted)
		return `${what} ${rows(count)} in “${field.name}”: those that fit are converted, all others become empty. The history of each row keeps the old value.`;
	const lost = count - (await countRows(grid, field, { $in: kept }));
	if (lost === 0) return type.name === field.type.name ? undefined : `${what} ${rows(count)} in “${field.name}”: all keep it.`; // prettier-ignore
	return `${what} ${rows(count)} in “${field.name}”: ${counted(lost, 'of them becomes empty', 'of them become empty')}. The history of each row keeps the old value.`;
}

/** The cells that this user's change of type has emptied since a moment. */
async function emptied({ grid, me }: ChangedGrid, field: Field, since: string) {
	const query = { since, pageSize: PAGE_SIZE };
	const events = await all(grid._links.updates, schemas.event, { query });
	const cells: Array<{ self: Link; value: unknown }> = [];
	for (const { changes, _links } of events.filter(({ userId }) => userId === me))
		for (const { fieldId, oldValue, newValue } of changes)
			if (fieldId === field.id && oldValue !== null && newValue === null && _links.entity)
				cells.push({ self: _links.entity, value: oldValue });
	return cells;
}

/** Returns a column to its former type, with the values that the change has emptied. */
async function takeBackType(view: ChangedGrid, field: Field, since: string) {
	await send(field._links.update, { body: { type: field.type } });
	const cells = await emptied(view, field, since);
	let restored = 0;
	for (const { self, value } of cells.slice(0, MAX_UNDONE)) {
		const { written } = await writeCells(self, [{ field, before: null, after: value }]);
		restored += written.length;
	}
	const of = cells.length > MAX_UNDONE ? ` of ${cells.length.toLocaleString()}` : '';
	return `the type of “${field.name}” and ${counted(restored, 'emptied cell')}${of} restored`;
}

/** Renames, changes or deletes a column. */
export async function changeColumn(view: ChangedGrid, field: Field, done: Done) {
	const { grid } = view;
	const isWaiting = waiting();
	const owner = view.base ?? grid;
	const [types, grids] = await Promise.all([typeNames(), gridsBeside(owner)]);
	if (!isWaiting()) return;
	const change = async (body: object) => {
		// By the clock of the service.
		const since = new Date((await open(field._links.self)).headers.get('date') ?? Date.now()).toISOString();
		if (Object.keys(body).length > 0) await send(field._links.update, { body });
		if ('type' in body)
			view.edits.add({
				structure: {
					name: `the type of “${field.name}”`,
					takeBack: () => takeBackType(view, field, since),
				},
			});
		await done();
	};
	const options = optionInputs(field.type.options ?? []);
	const status = h('p', { role: 'status' });
	/** The values of a text become the options, unless some were typed. */
	const proposeOptions = async () => {
		const isTyped = () => options.more.value !== '';
		if (field.type.name !== 'string' || isTyped()) return;
		const texts = await textsOf(grid, field);
		if (isTyped()) return;
		options.more.value = texts.slice(0, MAX_OPTIONS).sort().join('\n');
		status.textContent = texts.length > MAX_OPTIONS ? `The column has more than ${MAX_OPTIONS} different values; these are some of them.` : `The options are the ${counted(texts.length, 'different value')} of the column.`; // prettier-ignore
	};
	const dialog = ask<Names>({
		title: `Column “${field.name}”`,
		fields: [
			...inputs(types, field),
			linkInput(grids, linkedGrid(owner, field)),
			options.node,
			status,
			h(
				'p',
				{},
				button(
					'Delete this column',
					() => {
						dialog.close();
						void told(removeColumn)(view, field, done);
					},
					{ className: 'danger' },
				),
			),
		],
		action: 'Save',
		run: async ({ name, key, description, type, linkedGrid: path }, { isOpen }) => {
			const after = typeFrom(type, options);
			const isSame = type === field.type.name && JSON.stringify(after.options ?? []) === JSON.stringify(field.type.options ?? []); // prettier-ignore
			const body = {
				...(name === field.name ? {} : { name }),
				...(key === field.key ? {} : { key }),
				...(description === (field.description ?? '') ? {} : { description: description || null }),
				...(isSame ? {} : { type: after }),
			};
			await keepLinkedGrid(owner, field, path);
			const lost = isSame ? undefined : await lossOf(grid, field, after);
			if (lost === undefined) await change(body);
			else if (isOpen()) confirmLoss({ title: `Change “${field.name}”?`, lost: `${lost} Undo restores the values.`, action: 'Change the type', run: () => change(body) }); // prettier-ignore
		},
	});
	showWithType(dialog, options.node, told(proposeOptions));
}
