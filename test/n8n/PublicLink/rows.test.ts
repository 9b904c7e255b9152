import '../../fixtures/skippedWaits';
import type { INodeParameters } from 'n8n-workflow';

import { endpoints } from '../../../client/endpoints/endpoints';
import { pathOf } from '../../../client/endpoints/paths';
import { newId, post } from '../../../testbed/world/makeGrid';
import { World } from '../../../testbed/world/world';

const LOGIN = { user: 'guest', password: 'open sesame' };
const ROWS = 120;

const world = World.forTests();
/** Links to a view of the grid and to its first row, by protection. */
const views: Record<string, string> = {};
const edits: Record<string, string> = {};
let ids: Record<string, string>;
let stored: () => Promise<Array<Record<string, unknown>>>;

beforeAll(async () => {
	const client = world.client;
	const columns = { Order: 'string', error: 'string', Quantity: 'integer', Secret: 'string' };
	const { grid, fields } = await world.grid(columns, 'Orders');
	ids = Object.fromEntries([...fields].map(([name, field]) => [name, field.id]));
	const [order = '', quantity = '', secret = ''] = ['Order', 'Quantity', 'Secret'].map((name) => ids[name]);
	const rows = [];
	for (let n = 0; n < ROWS; n++)
		rows.push(await client.entities.create(grid, { [order]: `A-${n}`, [quantity]: n % 2, [secret]: 'x' }));
	const shown = [order, ids['error'] ?? '', quantity];
	const filter = { [quantity]: { $eq: 0 } };
	const view = await client.views.create(grid, { name: 'Even', fields: shown, filter, sorting: {} });
	stored = async () => (await client.entities.page(grid, { layout: 'property' })).items;
	const gridPath = pathOf(endpoints.gridGet, grid.address);
	const link = async (on: string, body: object) => {
		const made = await post(client.session, { href: `${on}/links`, body });
		return `${world.service.url}${made.href}`;
	};
	const viewPath = gridPath.replace(/[^/]+$/, newId(view));
	for (const protection of ['none', 'link', 'internal']) {
		const more = { protection, ...(protection === 'link' ? LOGIN : {}) };
		views[protection] = await link(viewPath, { kind: 'view', ...more });
		edits[protection] = await link(viewPath, {
			kind: 'edit',
			entityId: newId(rows[0] ?? { href: '', id: '' }),
			...more,
		});
	}
});

const run = async (
	operation: string,
	protection: string,
	links: Record<string, string>,
	more: INodeParameters = {},
) => {
	const link = links[protection] ?? '';
	const credentials =
		{
			none: {},
			link: { dataGridLinkApi: { link, ...LOGIN } },
			internal: { dataGridApi: world.owner },
		}[protection] ?? {};
	const resource = operation === 'getRows' ? 'view' : 'row';
	const parameters = { access: protection, ...(protection === 'link' ? {} : { link }), ...more };
	return await world.run({ node: 'publicLink', resource, operation, parameters }, { credentials });
};

describe.each(['none', 'link', 'internal'])('a link with the protection %s', (protection) => {
	test('to a shared view outputs its rows with the columns it shows, by name', async () => {
		const { rows, error } = await run('getRows', protection, views, { returnAll: true });
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(ROWS / 2);
		expect(rows[1]).toEqual({
			_id: expect.any(String) as unknown,
			Order: 'A-2',
			'error (column)': null,
			Quantity: 0,
		});
	});

	test('to a row reads it, changes it and clears a value', async () => {
		const Order = `By link ${protection}`;
		const updated = await run('update', protection, edits, {
			rowValues: JSON.stringify({ Order, error: null }),
		});
		expect(updated.error).toBeUndefined();
		expect(updated.rows).toEqual([
			{ _id: expect.any(String) as unknown, Order, 'error (column)': null, Quantity: 0 },
		]);
		expect((await run('get', protection, edits)).rows).toEqual(updated.rows);
		expect(await stored()).toContainEqual(expect.objectContaining({ Order, Secret: 'x' }));
	});
});

test('respects Limit, and accepts columns by key or ID', async () => {
	const byId = await run('getRows', 'none', views, { limit: 3, columnNaming: 'id' });
	expect(byId.rows).toHaveLength(3);
	expect(Object.keys(byId.rows[0] ?? {})).toEqual(['_id', ids['Order'], ids['error'], ids['Quantity']]);
	const byKey = await run('get', 'none', edits, { columnNaming: 'key' });
	expect(byKey.rows[0]).toMatchObject({ quantity: 0 });
	const rowValues = JSON.stringify({ [ids['Order'] ?? '']: 'By ID' });
	const updated = await run('update', 'none', edits, { rowValues, columnNaming: 'id' });
	expect(updated.rows[0]).toMatchObject({ [ids['Order'] ?? '']: 'By ID' });
});

test('refuses what the link does not allow, with a message, and changes nothing', async () => {
	const before = await stored();
	const hidden = await run('update', 'none', edits, { rowValues: '{"Secret":"y"}' });
	expect(hidden.error?.message).toContain('Secret');
	const unfit = await run('update', 'none', edits, { rowValues: '{"Quantity":"many"}' });
	expect(unfit.error?.message).toContain('Quantity');
	const nothing = await run('update', 'none', edits, { rowValues: '{}' });
	expect(nothing.error?.message).toBe('There is nothing to change');
	const noNumber = await run('update', 'none', edits, { rowValues: '={{ { Quantity: Number("many") } }}' });
	expect(noNumber.error?.message).toBe('"Quantity" is NaN, which JSON cannot represent');
	const absent = await run('update', 'none', edits, { rowValues: '={{ { Quantity: undefined } }}' });
	expect(absent.error?.message).toBe('There is nothing to change');
	const closed = await run('getRows', 'none', { none: views['link'] ?? '' });
	expect(closed.error?.message).toContain('protected with its own user name and password');
	const gone = await run('get', 'none', { none: `${edits['none'] ?? ''}0` });
	expect(gone.error).toMatchObject({ httpCode: '404' });
	expect(gone.error?.description).toContain('whoever shared it');
	expect(await stored()).toEqual(before);
});
