import type { Client } from '../../client';
import type { Grid } from '../../client/resources/grids';
import { ensureGrid, type DemoGrids } from './dataGrid';

/** Column types of the grids in the examples, besides "Orders" and "Activity". */
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
	'Agent Tests': { Question: 'string', Expected: 'string', Answer: 'string', Score: 'decimal' },
	Requests: { Name: 'string', Email: 'email', Subject: 'string', Message: 'string' },
};

/** Rows of the grids while they are empty. */
const SAMPLE_ROWS = new Map([
	[
		'Agent Tests',
		[
			{ Question: 'Who ordered A-1002?', Expected: 'Birchwood Bikes' },
			{ Question: 'Who ordered A-1003?', Expected: 'Copper Kettle' },
		],
	],
]);

/** A status of orders. */
const LATE = 'late';

/** A grid with its columns and forms */
export interface KnownGrid {
	grid: Grid;
	/** IDs by name */
	fields: Map<string, string>;
	/** IDs by name */
	forms: Map<string, string>;
}

/** Opens the grids of the examples, creating missing ones. */
export async function openExampleGrids(
	client: Client,
	{ space, orders, activity }: DemoGrids,
): Promise<KnownGrid[]> {
	await ensureOverdueView(client, orders);
	const known = [await withContents(client, orders), await withContents(client, activity)];
	for (const [name, columns] of Object.entries(EXAMPLE_GRIDS)) {
		const grid = await ensureGrid(client, space, name, columns);
		await addSampleRows(client, grid);
		known.push(await withContents(client, grid));
	}
	return known;
}

/** Adds the view "Overdue" of the late orders, unless it exists or the orders cannot be late. */
async function ensureOverdueView(client: Client, orders: Grid) {
	const fields = await client.fields.of(orders);
	const status = fields.find(({ name }) => name === 'Status');
	const { items: views } = await client.views.many(orders);
	const mayBeLate = status?.type.options?.some(({ value }) => value === LATE) ?? true;
	if (!status || !mayBeLate || views.some(({ name }) => name === 'Overdue')) return;
	await client.views.create(orders, {
		name: 'Overdue',
		fields: fields.map(({ id }) => id),
		filter: { [status.id]: { $eq: LATE } },
	});
}

/** Adds the sample rows to an empty grid. */
async function addSampleRows(client: Client, grid: Grid) {
	const samples = SAMPLE_ROWS.get(grid.name);
	if (samples === undefined || (await client.entities.page(grid, { pageSize: 1 })).items.length > 0) return;
	for (const sample of samples) await client.entities.create(grid, sample, 'property');
}

async function withContents(client: Client, grid: Grid): Promise<KnownGrid> {
	const fields = await client.fields.of(grid);
	const forms = (await client.forms.many(grid)).items;
	return {
		grid,
		fields: new Map(fields.map(({ name, id }) => [name, id])),
		forms: new Map(forms.map(({ name, displayValue, id }) => [name ?? displayValue ?? id, id])),
	};
}
