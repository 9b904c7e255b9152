import { ask } from '../elements/dialog';
import { button, h } from '../elements/dom';

/** Columns in the order of the given ids; all others come last. */
export function ordered(fields, ids) {
	const known = Array.isArray(ids) ? ids.flatMap((id) => fields.filter((field) => field.id === id)) : [];
	return [...new Set([...known, ...fields])];
}

/** A copy of a list with one item moved. */
export function moved(list, from, to) {
	const rest = list.filter((one) => one !== list[from]);
	rest.splice(to, 0, list[from]);
	return rest;
}

/** A line with which a column is chosen and moved up and down. */
export function columnLine(field, isShown, ...more) {
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
		...more,
	);
	return row;
}

/**
 * Asks which columns to show, and in which order.
 * @param given `fields`: all columns, the visible ones first; `shown`: ids of those; a `hint`
 * @param use receives the ids of all columns in their order, and of the visible ones
 */
export function chooseColumns({ fields, shown, hint }, use) {
	const list = h(
		'ol',
		{ className: 'lines' },
		...fields.map((field) => columnLine(field, shown.has(field.id))),
	);
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
