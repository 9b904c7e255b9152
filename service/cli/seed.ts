import type { FieldType } from '../rules/fieldTypes';
import type { Values } from '../rules/layouts';
import type { Store } from '../store/store';

interface Column {
	readonly name: string;
	readonly key: string;
	readonly type: FieldType;
}

const column = (name: string, key: string, type: FieldType['name'], options?: string[]): Column => ({
	name,
	key,
	type: options ? { name: type, options } : { name: type },
});

const orderColumns = [
	column('Order', 'order', 'string'),
	column('Customer', 'customer', 'string'),
	column('Email', 'email', 'email'),
	column('Status', 'status', 'enum', ['new', 'packed', 'late', 'shipped', 'cancelled']),
	column('Amount', 'amount', 'currency'),
	column('Quantity', 'quantity', 'integer'),
	column('Due', 'due', 'date'),
	column('Paid', 'paid', 'boolean'),
	column('Notes', 'notes', 'richText'),
];

const activityColumns = [
	column('Event', 'event', 'string'),
	column('Order', 'order', 'string'),
	column('Details', 'details', 'string'),
	column('At', 'at', 'date-time'),
];

const customerColumns = [
	column('Name', 'name', 'string'),
	column('Email', 'email', 'email'),
	column('Phone', 'phone', 'phoneNumber'),
	column('City', 'city', 'string'),
	column('Since', 'since', 'date'),
];

const customers = [
	['Alder & Finch', 'orders@alder-finch.example', '+49 30 5550101', 'Berlin'],
	['Birchwood Bikes', 'hello@birchwood.example', '+31 20 5550102', 'Amsterdam'],
	['Copper Kettle', 'buying@copperkettle.example', '+44 20 5550103', 'London'],
	['Dune Outdoor', 'supply@dune.example', '+45 33 555 104', 'Copenhagen'],
	['Elm Street Books', 'shop@elmbooks.example', '+353 1 5550105', 'Dublin'],
	['Foxglove Flowers', 'team@foxglove.example', '+33 1 5550106', 'Paris'],
	['Granite Works', 'office@granite.example', '+43 1 5550107', 'Vienna'],
] as const;

const statuses = ['new', 'packed', 'shipped', 'new', 'cancelled'] as const;

/**
 * Creates the demo data: a space "Operations" with the grids Orders, Activity and Customers. Call
 * once, within a transaction.
 */
export function seedDemo(store: Store, userId: string): void {
	const space = store.spaces.create(userId, { name: 'Operations', key: 'operations' });
	const addGrid = (name: string, key: string, columns: readonly Column[]) => {
		const grid = store.addGrid(space.id, { name, key });
		for (const given of columns) store.fields.add(grid.no, given);
		const ids = new Map(store.fields.list(grid.no).map((field) => [field.key, field.id]));
		const addRow = (byKey: Values) => {
			const values: Values = {};
			for (const [fieldKey, value] of Object.entries(byKey)) values[ids.get(fieldKey) ?? fieldKey] = value;
			store.entities.create(grid.no, values, userId);
		};
		return { grid, ids, addRow };
	};

	const orders = addGrid('Orders', 'orders', orderColumns);
	for (let n = 0; n < 25; n++) {
		const [customer, email] = customers[n % customers.length] ?? customers[0];
		const status = statuses[n % statuses.length] ?? 'new';
		orders.addRow({
			order: `A-${1001 + n}`,
			customer,
			email,
			status,
			amount: Number((19.9 + n * 37.35).toFixed(2)),
			quantity: 1 + ((n * 7) % 12),
			due: `2027-0${1 + (n % 6)}-${String(1 + ((n * 5) % 28)).padStart(2, '0')}`,
			paid: n % 3 === 0,
			notes: n % 4 === 0 ? '<p>Call before delivery</p>' : null,
		});
	}
	const all = [...orders.ids.values()];
	const open = {
		fields: all,
		filter: { [orders.ids.get('status') ?? '']: { $in: ['new', 'packed'] } },
		sorting: {},
	};
	store.grids.create(
		space.id,
		{ name: 'Open orders', key: 'open_orders' },
		{ base: orders.grid, definition: open },
	);

	addGrid('Activity', 'activity', activityColumns);

	const people = addGrid('Customers', 'customers', customerColumns);
	customers.forEach(([name, email, phone, city], n) => {
		people.addRow({ name, email, phone, city, since: `20${18 + n}-03-01` });
	});
}
