import { ask } from '../elements/dialog';
import type { Field } from '../session/schemas';
import { button, h, type Child } from '../elements/dom';

/** Columns in the order of the given ids; all others come last. */
export function ordered<Item extends { readonly id: string }>(fields: readonly Item[], ids: unknown): Item[] {
	const known = Array.isArray(ids)
		? ids.flatMap((id: unknown) => fields.filter((field) => field.id === id))
		: [];
	return [...new Set([...known, ...fields])];
}

/** A copy of a list with one item moved. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
	const rest = [...list];
	rest.splice(to, 0, ...rest.splice(from, 1));
	return rest;
}

/** A line with which a column is chosen and moved up and down. */
export function columnLine(field: Field, isShown: boolean, ...more: Child[]) {
	const check = h('input', { type: 'checkbox', checked: isShown, 'data-field': field.id });
	const up = () => row.previousElementSibling?.before(row);
	const down = () => row.nextElementSibling?.after(row);
	const row: HTMLLIElement = h(
		'li',
		{},
		h('label', {}, check, ` ${field.name}`),
		button('↑', up, { 'aria-label': `Move ${field.name} up` }),
		button('↓', down, { 'aria-label': `Move ${field.name} down` }),
		...more,
	);
	return { line: row, check };
}

interface Choosing {
	/** All columns, the visible ones first. */
	readonly fields: readonly Field[];
	/** Ids of the visible ones. */
	readonly shown: ReadonlySet<string>;
	readonly hint: string | undefined;
}

/**
 * Asks which columns to show, and in which order.
 * @param use receives the ids of all columns in their order, and of the visible ones
 */
export function chooseColumns(
	{ fields, shown, hint }: Choosing,
	use: (all: readonly string[], chosen: readonly string[]) => Promise<void>,
) {
	const list = h(
		'ol',
		{ className: 'lines' },
		...fields.map((field) => columnLine(field, shown.has(field.id)).line),
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
				checks.map(({ dataset }) => dataset.field ?? ''),
				chosen.map(({ dataset }) => dataset.field ?? ''),
			);
		},
	});
}
