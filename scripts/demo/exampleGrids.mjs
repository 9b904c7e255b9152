import { ensureGrid } from './dataGrid.mjs';

/** @typedef {import('./dataGrid.mjs').Client} Client */
/** @typedef {import('./dataGrid.mjs').Grid} Grid */

/** Type of each column by name, of the grids that the examples name besides "Orders" and "Activity". */
const EXAMPLE_GRIDS = {
	Customers: { Name: 'string', Email: 'email', Phone: 'phoneNumber', City: 'string', Since: 'date' },
	'Orders Mirror': { Order: 'string', Customer: 'string', Status: 'string', Amount: 'decimal' },
	'Deleted Orders': {
		Row: 'string',
		Order: 'string',
		Customer: 'string',
		'Deleted At': 'date-time',
		'Deleted By': 'string',
	},
	Requests: { Name: 'string', Email: 'email', Subject: 'string', Message: 'string' },
};

/**
 * @typedef {object} KnownGrid a grid, and by name what an example may choose of it
 * @property {Grid} grid
 * @property {Map<string, string>} fields ids by name
 * @property {Map<string, string>} views ids by name
 * @property {Map<string, string>} forms ids by name
 */

/**
 * The grids that the examples name; those that are missing are made.
 * @param {Client} client
 * @param {import('./dataGrid.mjs').DemoGrids} demo
 * @returns {Promise<KnownGrid[]>}
 */
export async function openExampleGrids(client, { space, orders, activity }) {
	const known = [await withContents(client, orders), await withContents(client, activity)];
	for (const [name, columns] of Object.entries(EXAMPLE_GRIDS)) {
		known.push(await withContents(client, await ensureGrid(client, space, name, columns)));
	}
	return known;
}

/**
 * @param {Client} client
 * @param {Grid} grid
 * @returns {Promise<KnownGrid>}
 */
async function withContents(client, grid) {
	const fields = await client.fields.of(grid);
	const views = (await client.views.many(grid)).items;
	const forms = (await client.forms.many(grid)).items;
	return {
		grid,
		fields: new Map(fields.map(({ name, id }) => [name, id])),
		views: new Map(views.map(({ name, id }) => [name, id])),
		forms: new Map(forms.map(({ name, displayValue, id }) => [name ?? displayValue ?? id, id])),
	};
}
