import { create, send } from '../session/api';
import { ask, confirmLoss } from '../elements/dialog';
import { button, h, shown } from '../elements/dom';
import type { Field, Grid } from '../session/schemas';
import type { Orders } from '../presentations/heading';
import { combined, conditionsOf, filterBuilder, type BuiltFilter, type ServiceFilter } from './filters';

/** What is shown of a grid. */
interface Shown {
	readonly allFields: readonly Field[];
	readonly columns: readonly Field[];
	readonly filter: BuiltFilter;
	readonly orders: Orders;
}

const both = (...filters: ReadonlyArray<ServiceFilter | undefined>): ServiceFilter => {
	const parts = shown(filters).filter((filter) => Object.keys(filter).length > 0);
	return parts.length > 1 ? { $and: parts } : (parts[0] ?? {});
};

const sortingOf = (orders: Orders) => Object.fromEntries([...orders].map(([id, $order]) => [id, { $order }]));

/** Columns, filter and sorting that are shown, in the format of a view. */
const cutOf = (grid: Grid, { allFields, columns, filter, orders }: Shown) => ({
	fields: columns.map(({ id }) => id),
	filter: both(grid.filter, combined(allFields, filter)),
	sorting: sortingOf(orders),
});

/** Describes the content of a view. */
function described({ allFields, columns, filter, orders }: Shown) {
	const nameOf = (id: string) => allFields.find((field) => field.id === id)?.name ?? 'a hidden column';
	const { conditions, search } = filter;
	const sorted = [...orders].map(([id, order]) => `${nameOf(id)} (${order})`).join(', ');
	return shown([
		conditions.length === 1 ? '1 condition' : `${conditions.length} conditions`,
		typeof search === 'string' && search !== '' && `the search “${search}”`,
		sorted ? `sorted by ${sorted}` : 'not sorted',
		`${columns.length} of ${allFields.length} columns`,
	]).join(', ');
}

/**
 * Saves columns, filter and sorting of a grid as a view.
 * @param done receives its address and `isOpen`
 */
export function addView(
	grid: Grid,
	cut: Shown,
	done: (location: string, isOpen: () => boolean) => Promise<void>,
) {
	ask({
		title: `Save as a view of “${grid.name}”`,
		intro: `The view keeps: ${described(cut)}.`,
		fields: [{ name: 'name', label: 'Name', required: true, maxLength: 80 }],
		action: 'Save',
		run: async ({ name }, { isOpen }) => {
			const href = await create(grid._links.addVirtualGrid, { body: { name, ...cutOf(grid, cut) } });
			await done(href, isOpen);
		},
	});
}

/** Saves columns, filter and sorting to the view. */
export function saveView(view: Grid, cut: Shown, done: () => Promise<void>) {
	ask({
		title: `Save the view “${view.name}”`,
		intro: `Added to the view's own filter: ${described(cut)}. Everybody who uses the view sees this.`,
		action: 'Save',
		run: async () => {
			await send(view._links.replace, { body: { name: view.name, ...cutOf(view, cut) } });
			await done();
		},
	});
}

/** The words for problems: the service names a column that was deleted by its id. */
const wordsOf = (problems: readonly string[]) =>
	problems
		.map((one) =>
			one.replace(
				/^Unknown field "[^"]*" in the (filter|sorting)$/,
				'The $1 names a column that was deleted',
			),
		) // prettier-ignore
		.join('. ');

/** What of the filter or sorting of a view no longer fits its columns; undefined if all does. */
export const misfits = ({ problems = [], _links }: Grid) =>
	problems.length === 0
		? undefined
		: `This view no longer fits its columns, so it may show fewer rows, or none: ${wordsOf(problems)}.${_links.replace ? ' “Repair view” mends it.' : ''}`;

/** The conditions of a filter that still fit. */
const fittingConditions = (allFields: readonly Field[], filter: ServiceFilter) => ({
	conditions: Object.entries(filter).flatMap(
		([name, part]) => conditionsOf(allFields, { [name]: part })?.conditions ?? [],
	),
	isAny: false,
});

/** Renames a view, changes its filter, or deletes it. */
export function changeView(view: Grid, allFields: readonly Field[], done: () => Promise<void>) {
	const filter = view.filter ?? {};
	const { problems = [] } = view;
	const isMisfit = problems.length > 0;
	const conditions =
		conditionsOf(allFields, filter) ?? (isMisfit ? fittingConditions(allFields, filter) : undefined);
	const builder = conditions && filterBuilder(allFields, conditions);
	const remove = () => {
		dialog.close();
		confirmLoss({
			title: `Delete “${view.name}”?`,
			lost: 'The view is deleted with its public links. The rows remain in their grid.',
			action: `Delete “${view.name}”`,
			run: async () => {
				await send(view._links.remove);
				await done();
			},
		});
	};
	const dialog = ask<'name' | 'key'>({
		title: `View “${view.name}”`,
		fields: [
			{ name: 'name', label: 'Name', value: view.name, required: true, maxLength: 80 },
			{ name: 'key', label: 'Key', value: view.key, required: true, maxLength: 25, hint: 'For integrations.' },
			isMisfit && h('p', { role: 'alert', textContent: `${wordsOf(problems)}. Saving replaces the filter by the conditions below.` }),
			...(builder?.nodes ?? [h('p', { textContent: 'The filter of this view cannot be shown here. It stays unchanged.' })]),
			view._links.remove && h('p', {}, button(`Delete “${view.name}”`, remove, { className: 'danger' })),
		],
		action: 'Save',
		run: async ({ name, key }) => {
			const changed = builder ? (combined(allFields, builder.read()) ?? {}) : view.filter;
			const sorting = Object.fromEntries(Object.entries(view.sorting ?? {}).filter(([id]) => allFields.some((field) => field.id === id)));
			await send(view._links.replace, { body: { name, fields: view.fields.map(({ id }) => id), filter: changed, sorting } });
			if (key !== view.key) await send(view._links.update, { body: { key } });
			await done();
		},
	}); // prettier-ignore
}
