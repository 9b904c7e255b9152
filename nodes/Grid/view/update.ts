import { type Client, filterOf, type Grid, InvalidInput, sortingOf } from '../../../client';
import { goneColumns, showMisfit } from '../../shared/rows/viewFit';
import { operation } from '../../shared/runner/operation';
import { describedAs, nothingToChange, toggle } from '../../shared/inputs/parameter';
import { newViewName } from '../grid/gridProperties';
import { changeableView } from './chosenView';
import { changedSelection, fieldIdsOf, viewColumns, viewSelectionOf } from './viewContent';

const newColumns = describedAs(
	viewColumns,
	'The columns that the view shows, in this order; if none is chosen, they stay unchanged. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
);

const removeFilter = toggle({
	displayName: 'Remove Filter',
	name: 'removeFilter',
	description: 'Whether the view shows all rows again',
});

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update view',
	description: 'Change the name, columns, filter or sort order of a view',
	whenRejected:
		'If the name is in use by another grid or view of the space, choose another one. Otherwise check the columns and the filter.',
	on: changeableView,
	fields: [newViewName, ...changedSelection],
	options: [newColumns, removeFilter],
	async run({ client, grid, fields, view, parameter, option, timezone, hint }) {
		const selected = viewSelectionOf(parameter, fields, timezone);
		const isRemoved = option(removeFilter);
		if (isRemoved && selected.filter !== undefined)
			throw new InvalidInput(
				'"Remove Filter" is on, but there are conditions',
				'Remove the conditions, or switch off "Remove Filter".',
			);
		const filter = isRemoved ? {} : selected.filter;
		const { sorting } = selected;
		const name = parameter(newViewName);
		const chosen = option(newColumns);
		const isSame = name === undefined && chosen.length === 0 && sorting === undefined;
		if (isSame && filter === undefined)
			throw nothingToChange('"New Name", "Conditions", "Sort" or "Options"');
		const ids = { id: view.id, gridId: grid.id, spaceId: grid.address.spaceId };
		const before = sortingOf(view) ?? {};
		const gone = goneColumns(Object.keys(before), fields);
		if (isSame && filter !== undefined && gone.length === 0) {
			await client.views.changeFilter(grid, view, filter);
			return { ...ids, name: view.name, filter };
		}
		// §4.4: PUT replaces name, fields and filter together, so unchanged ones are sent again.
		const kept = filter ?? filterOf(view);
		if (kept === undefined)
			throw new InvalidInput(
				`The service does not return the filter of "${view.name}", so updating the view would remove it`,
				'Enter the filter, too, or switch on "Remove Filter" under "Options".',
			);
		if (filter === undefined) showMisfit(view, { grid, fields }, hint);
		// Deleted columns sort nothing, and a service may refuse them.
		const fitting = Object.fromEntries(Object.entries(before).filter(([id]) => !gone.includes(id)));
		const order = sorting ?? (sortingOf(view) && fitting);
		const content = {
			name: name ?? view.name,
			fields: chosen.length > 0 ? fieldIdsOf(chosen, fields) : await shownFieldIds(client, view),
			filter: kept,
			...(order === undefined ? {} : { sorting: order }),
		};
		await client.views.replace(grid, view, content);
		return { ...ids, ...content };
	},
});

const INTEGER = /^(0|[1-9]\d*)$/;

/** Ids of the columns of a view, in order. @throws InvalidInput if the order is not known */
async function shownFieldIds(client: Client, view: Grid): Promise<string[]> {
	const ids = (await client.fields.of(view)).map(({ id }) => id);
	// JavaScript puts integer keys first, here those of the JSON schema.
	const isUnordered = !view.fields && !view.fieldIds && ids.length > 1 && ids.some((id) => INTEGER.test(id));
	if (!isUnordered) return ids;
	throw new InvalidInput(
		`The service does not return the order of the columns of "${view.name}", so updating the view could change it`,
		'Enter the columns, too, in their order.',
	);
}
