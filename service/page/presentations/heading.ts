import { h } from '../elements/dom';
import type { Field } from '../session/schemas';
import { labelOfType } from '../values/typeNames';
import { STEPS } from '../elements/tabStop';

const DRAGGED = 'application/x-column';

/** Directions of the sorted columns by their ids, the first one first. */
export type Orders = ReadonlyMap<string, 'ascending' | 'descending'>;

/** What the heading of a column does. */
export interface HeadingActions {
	readonly sort: (field: Field, isAdded: boolean) => void;
	readonly menu: (field: Field) => unknown;
	/** @param to id of the column to replace, or a number of positions */
	readonly move: (id: string, to: string | number) => unknown;
}

/**
 * The heading of a column: sorts, opens the column's menu, and moves by dragging or with Alt and an
 * arrow key.
 */
export function heading(
	field: Field,
	{ orders, hasMenu, sort, menu, move }: HeadingActions & { orders: Orders; hasMenu: boolean },
) {
	const direction = orders.get(field.id);
	const place = orders.size > 1 && direction ? [...orders.keys()].indexOf(field.id) + 1 : '';
	const name = h('button', {
		type: 'button',
		className: 'sort',
		tabIndex: -1,
		textContent: `${field.name} ${direction ? (direction === 'ascending' ? '▲' : '▼') : ''}${place}`,
		title: `${field.key}: ${labelOfType(field.type.name)}. Sorts; with Shift also by this column. Alt and an arrow key moves the column, with Shift it changes the width`,
		'data-field': field.id,
		onclick: (event) => {
			sort(field, event.shiftKey || event.ctrlKey || event.metaKey);
		},
		onkeydown: (event) => {
			const step = STEPS.get(event.key);
			if (!event.altKey || event.shiftKey || step === undefined) return;
			event.preventDefault();
			move(field.id, step);
		},
	});
	const more = h('button', {
		type: 'button',
		className: 'menu',
		tabIndex: -1,
		textContent: '⋮',
		'aria-label': `Column ${field.name}`,
		onclick: () => menu(field),
	});
	return h(
		'div',
		{
			role: 'columnheader',
			className: 'cell',
			'aria-sort': direction ?? 'none',
			draggable: true,
			ondragstart: (event) => {
				event.dataTransfer?.setData(DRAGGED, field.id);
			},
			ondragover: (event) => {
				if (event.dataTransfer?.types.includes(DRAGGED)) event.preventDefault();
			},
			ondrop: (event) => {
				event.preventDefault();
				move(event.dataTransfer?.getData(DRAGGED) ?? '', field.id);
			},
		},
		name,
		...(hasMenu ? [more] : []),
	);
}

/** Focuses the heading of a column. @param column its number */
export function focusHeading(header: HTMLElement, column: number) {
	header.querySelectorAll<HTMLElement>('.sort')[column]?.focus();
}

/**
 * Moves the focus among the buttons of the headings.
 * @param leave called by the key to the rows, with the number of the column
 */
export function moveInHeading(event: KeyboardEvent, header: HTMLElement, leave: (column: number) => void) {
	if (event.altKey) return;
	const step = STEPS.get(event.key);
	const buttons = [...header.querySelectorAll('button')];
	const place = buttons.findIndex((one) => one === document.activeElement);
	if (step !== undefined) buttons[place + step]?.focus();
	else if (event.key === 'ArrowDown')
		leave([...header.children].findIndex((one) => one.contains(buttons[place] ?? null)) - 1); // prettier-ignore
	else return;
	event.preventDefault();
}
