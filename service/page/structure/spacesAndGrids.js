import { all, create, send } from '../session/api';
import { ask, confirmLoss, waiting } from '../elements/dialog';
import { button, h, told } from '../elements/dom';
import { listOf, panel, restorer } from '../elements/records';

const nameAndKey = (record) => [
	{ name: 'name', label: 'Name', value: record?.name ?? '', required: true, maxLength: 80 },
	{ name: 'key', label: 'Key', value: record?.key ?? '', maxLength: 25, hint: 'For integrations. If empty, derived from the name.' }, // prettier-ignore
];

const given = ({ name, key }) => ({ name, ...(key ? { key } : {}) });

/** Creates a space or a grid. @param link the link that creates it @param done gets its address */
export function add(title, link, done) {
	ask({
		title,
		fields: nameAndKey(),
		action: 'Create',
		run: async (values) => {
			await done(await create(link, { body: given(values) }));
		},
	});
}

/** @param describe returns a description of what is lost */
function change(title, record, { describe, more = [] }, done) {
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
				await send(record._links.discard ?? record._links.remove);
				await done(rest);
			},
		});
	});
	const dialog = ask({
		title,
		fields: [
			...nameAndKey(record),
			...more,
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
	const { discardedGrids } = space._links;
	const more = discardedGrids
		? [
				h(
					'p',
					{},
					button(
						'Deleted grids',
						told(() => showDiscarded(space, done)),
					),
				),
			]
		: [];
	change(`Space “${space.name}”`, space, { more, describe: async () => {
		const grids = await all(space._links.grids);
		const names = grids.map(({ name }) => `“${name}”`).join(', ');
		return { lost: grids.length === 0 ? 'The space is empty.' : `Everything in it is deleted: ${names}, with all rows, views, forms and links. This cannot be undone.` }; // prettier-ignore
	} }, done); // prettier-ignore
}

export function changeGrid(grid, done) {
	change(`Grid “${grid.name}”`, grid, { describe: async () => {
		const { numberOfItems } = await send(grid._links.entities, { query: { pageSize: 1 } });
		const views = await all(grid._links.virtualGrids);
		const names = views.map(({ name }) => `“${name}”`).join(', ');
		return { lost: `${numberOfItems.toLocaleString()} rows are deleted${names ? `, and the views ${names}` : ''}. For 30 days, “Deleted grids” of the space restores them.` };
	} }, done); // prettier-ignore
}

/** The deleted grids of a space, which can be restored. */
const showDiscarded = (space, done) =>
	panel(`Deleted grids of “${space.name}”`, async (again) => [
		listOf(await all(space._links.discardedGrids), 'There are none.', (grid) => [
			h('b', { textContent: grid.name }),
			h('time', { dateTime: grid.discardedAt, textContent: new Date(grid.discardedAt).toLocaleString() }),
			restorer(grid, () => done().then(again)),
		]),
	]);
