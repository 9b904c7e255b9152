import { all, create, read, send } from '../session/api';
import * as schemas from '../session/schemas';
import type { Grid, Link, Links, Space } from '../session/schemas';
import { ask, confirmLoss, waiting, type Question } from '../elements/dialog';
import { button, h, told } from '../elements/dom';
import { listOf, panel, restorer } from '../elements/records';

type Done = () => Promise<void>;

const nameAndKey = (record?: { name: string; key: string }): ReadonlyArray<Question<'name' | 'key'>> => [
	{ name: 'name', label: 'Name', value: record?.name ?? '', required: true, maxLength: 80 },
	{ name: 'key', label: 'Key', value: record?.key ?? '', maxLength: 25, hint: 'For integrations. If empty, derived from the name.' }, // prettier-ignore
];

const given = ({ name, key }: { name: string; key: string }) => ({ name, ...(key ? { key } : {}) });

/** Creates a space or a grid. @param link the link that creates it @param done gets its address */
export function add(title: string, link: Link, done: (location: string) => Promise<void>) {
	ask({
		title,
		fields: nameAndKey(),
		action: 'Create',
		run: async (values) => {
			await done(await create(link, { body: given(values) }));
		},
	});
}

/** What differs between spaces and grids. */
interface Changing {
	/** Describes what is lost by a deletion. */
	readonly describe: () => Promise<string>;
	readonly more?: readonly Node[];
}

function change(
	title: string,
	record: { readonly name: string; readonly key: string; readonly _links: Links },
	{ describe, more = [] }: Changing,
	done: Done,
) {
	const remove = told(async () => {
		dialog.close();
		const isWaiting = waiting();
		const lost = await describe();
		if (!isWaiting()) return;
		confirmLoss({
			title: `Delete “${record.name}”?`,
			lost,
			action: `Delete “${record.name}”`,
			run: async () => {
				await send(record._links.discard ?? record._links.remove);
				await done();
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

export function changeSpace(space: Space, done: Done) {
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
		const grids = await all(space._links.grids, schemas.gridSummary);
		const names = grids.map(({ name }) => `“${name}”`).join(', ');
		return grids.length === 0 ? 'The space is empty.' : `Everything in it is deleted: ${names}, with all rows, views, forms and links. This cannot be undone.`; // prettier-ignore
	} }, done); // prettier-ignore
}

export function changeGrid(grid: Grid, done: Done) {
	change(`Grid “${grid.name}”`, grid, { describe: async () => {
		const { numberOfItems } = await read(grid._links.entities, schemas.pageOf(schemas.row), { query: { pageSize: 1 } });
		const views = await all(grid._links.virtualGrids, schemas.gridSummary);
		const names = views.map(({ name }) => `“${name}”`).join(', ');
		return `${numberOfItems.toLocaleString()} rows are deleted${names ? `, and the views ${names}` : ''}. For 30 days, “Deleted grids” of the space restores them.`;
	} }, done); // prettier-ignore
}

/** The deleted grids of a space, which can be restored. */
const showDiscarded = (space: Space, done: Done) =>
	panel(`Deleted grids of “${space.name}”`, async (again) => [
		listOf(await all(space._links.discardedGrids, schemas.discardedGrid), 'There are none.', (grid) => [
			h('b', { textContent: grid.name }),
			h('time', { dateTime: grid.discardedAt, textContent: new Date(grid.discardedAt).toLocaleString() }),
			restorer(grid, () => done().then(again)),
		]),
	]);
