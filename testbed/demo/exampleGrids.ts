import { readList, type Client } from '../../client';
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

/** Rows of the grid "Agent Tests" while it is empty. */
const QUESTIONS = [
	{ Question: 'Who ordered A-1002?', Expected: 'Birchwood Bikes' },
	{ Question: 'Who ordered A-1003?', Expected: 'Copper Kettle' },
];

/** A status of orders. */
const LATE = 'late';

/** Opens the grids of the examples, creating missing ones. */
export async function openExampleGrids(
	client: Client,
	{ space, orders, activity }: DemoGrids,
): Promise<Grid[]> {
	await ensureOverdueView(client, orders);
	const grids = [orders, activity];
	for (const [name, columns] of Object.entries(EXAMPLE_GRIDS)) {
		const samples = name === 'Agent Tests' ? QUESTIONS : [];
		grids.push(await ensureGrid(client, space, name, columns, samples));
	}
	return grids;
}

/** Adds the view "Overdue" of the late orders, unless it exists or the orders cannot be late. */
async function ensureOverdueView(client: Client, orders: Grid) {
	const fields = await client.fields.of(orders);
	const status = fields.find(({ name }) => name === 'Status');
	const { items: views } = await readList(client.views.list(orders));
	const mayBeLate = status?.type.options?.some(({ value }) => value === LATE) ?? true;
	if (!status || !mayBeLate || views.some(({ name }) => name === 'Overdue')) return;
	await client.views.create(orders, {
		name: 'Overdue',
		fields: fields.map(({ id }) => id),
		filter: { [status.id]: { $eq: LATE } },
	});
}
