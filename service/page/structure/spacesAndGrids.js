import { all, send } from '../session/api.js';
import { ask, confirmLoss, waiting } from '../elements/dialog.js';
import { button, h, told } from '../elements/dom.js';

const nameAndKey = (record) => [
	{ name: 'name', label: 'Name', value: record?.name ?? '', required: true, maxLength: 80 },
	{ name: 'key', label: 'Key', value: record?.key ?? '', maxLength: 25, hint: 'For integrations. If empty, derived from the name.' }, // prettier-ignore
];

const given = ({ name, key }) => ({ name, ...(key ? { key } : {}) });

/** Creates a space or a grid. @param link the link that creates it */
export function add(title, link, done) {
	ask({
		title,
		fields: nameAndKey(),
		action: 'Create',
		run: async (values) => {
			await send(link, { body: given(values) });
			await done();
		},
	});
}

/** @param describe returns a description of what is lost */
function change(title, record, describe, done) {
	const remove = told(async () => {
		dialog.close();
		const isWaiting = waiting();
		const { lost, rest } = await describe();
		if (!isWaiting()) return;
		confirmLoss({
			title: `Delete “${record.name}”?`,
			lost,
			action: `Delete “${record.name}”`,
			run: async () => {
				await send(record._links.remove);
				await done(rest);
			},
		});
	});
	const dialog = ask({
		title,
		fields: [
			...nameAndKey(record),
			record._links.remove && h('p', {}, button(`Delete “${record.name}”`, remove, { className: 'danger' })),
		],
		action: 'Save',
		run: async (values) => {
			await send(record._links.update, { body: given(values) });
			await done();
		},
	});
}

export function changeSpace(space, done) {
	change(`Space “${space.name}”`, space, async () => {
		const grids = await all(space._links.grids);
		const names = grids.map(({ name }) => `“${name}”`).join(', ');
		return { lost: grids.length === 0 ? 'The space is empty.' : `Everything in it is deleted: ${names}, with all rows, views, forms and links.` }; // prettier-ignore
	}, done); // prettier-ignore
}

export function changeGrid(grid, done) {
	change(`Grid “${grid.name}”`, grid, async () => {
		const { numberOfItems } = await send(grid._links.entities, { query: { pageSize: 1 } });
		const views = await all(grid._links.virtualGrids);
		const names = views.map(({ name }) => `“${name}”`).join(', ');
		return { lost: `${numberOfItems.toLocaleString()} rows are deleted${names ? `, and the views ${names}` : ''}.` };
	}, done); // prettier-ignore
}
