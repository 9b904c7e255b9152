import { ask } from '../elements/dialog.js';
import { button, h } from '../elements/dom.js';

/** Columns in the order given by their ids; those that it does not name come last. */
export function ordered(fields, ids) {
	const known = Array.isArray(ids) ? ids.flatMap((id) => fields.filter((field) => field.id === id)) : [];
	return [...new Set([...known, ...fields])];
}

/** The same list with one item at the place of another. */
export function moved(list, from, to) {
	const rest = list.filter((one) => one !== list[from]);
	rest.splice(to, 0, list[from]);
	return rest;
}

function line(field, isShown) {
	const check = h('input', { type: 'checkbox', checked: isShown, 'data-field': field.id });
	const move = (step) => {
		const place = [...row.parentElement.children].indexOf(row) + step;
		const other = row.parentElement.children[place];
		if (other) other[step < 0 ? 'before' : 'after'](row);
	};
	const row = h(
		'li',
		{},
		h('label', {}, check, ` ${field.name}`),
		button('↑', () => move(-1), { 'aria-label': `Move ${field.name} up` }),
		button('↓', () => move(1), { 'aria-label': `Move ${field.name} down` }),
	);
	return row;
}

/**
 * Lets a person choose which columns are shown, and in which order.
 * @param given `fields`, all columns, the shown ones first, `shown`, ids of those, and a `hint`
 * @param use is given the ids of all columns in their order, and of those that are shown
 */
export function chooseColumns({ fields, shown, hint }, use) {
	const list = h('ol', { className: 'lines' }, ...fields.map((field) => line(field, shown.has(field.id))));
	ask({
		title: 'Columns',
		intro: hint,
		fields: [list],
		action: 'Show',
		run: () => {
			const checks = [...list.querySelectorAll('input')];
			const chosen = checks.filter(({ checked }) => checked);
			if (chosen.length === 0) throw new Error('Choose at least one column');
			return use(
				checks.map(({ dataset }) => dataset.field),
				chosen.map(({ dataset }) => dataset.field),
			);
		},
	});
}
