import type { FieldType, Value } from '../../service/rules/fieldTypes';

/** The columns of a grid, and its rows by their sequence numbers. */
export interface Shape {
	/** Name of the data file. */
	name: string;
	/** Types by column name. */
	columns: Readonly<Record<string, FieldType>>;
	rowOf: (n: number) => Readonly<Record<string, Value>>;
}

/** The row for a sequence number, by column name; n8n's Code node runs its source. */
export const rowOf = (n: number) => ({
	Order: `A-${String(n).padStart(7, '0')}`,
	Customer: `Customer ${String(n % 997)}`,
	Status: ['new', 'paid', 'sent', 'done'][n % 4] ?? '',
	Amount: n / 100,
	Quantity: n % 50,
	Paid: n % 2 === 0,
});

/** Columns of an order. */
export const ORDERS: Shape = {
	name: 'rows',
	columns: {
		Order: { name: 'string' },
		Customer: { name: 'string' },
		Status: { name: 'string' },
		Amount: { name: 'decimal' },
		Quantity: { name: 'integer' },
		Paid: { name: 'boolean' },
	},
	rowOf,
};

const day = (n: number) =>
	`2026-${String((n % 12) + 1).padStart(2, '0')}-${String((n % 28) + 1).padStart(2, '0')}`;
const hour = (n: number) => String(n % 24).padStart(2, '0');
const stateOf = (n: number) => rowOf(n).Status;
const options = [0, 1, 2, 3].map((n) => ({ value: stateOf(n), name: stateOf(n) }));

/** Twenty columns with the types of §2.5, with values as in workflows. */
export const WIDE: Shape = {
	name: 'wide',
	columns: {
		Order: { name: 'string' },
		Note: { name: 'richText' },
		Quantity: { name: 'integer' },
		Weight: { name: 'decimal' },
		Amount: { name: 'currency' },
		Discount: { name: 'decimal' },
		Paid: { name: 'boolean' },
		Due: { name: 'date' },
		Shipped: { name: 'date' },
		Received: { name: 'date-time' },
		Changed: { name: 'date-time' },
		Status: { name: 'enum', options },
		Marks: { name: 'enumcollection', options },
		Tags: { name: 'stringcollection' },
		Email: { name: 'email' },
		Phone: { name: 'phoneNumber' },
		Page: { name: 'uri' },
		Customer: { name: 'reference' },
		Parts: { name: 'references' },
		Place: { name: 'geolocation' },
	},
	rowOf: (n) => ({
		Order: rowOf(n).Order,
		Note: `Handle with care, crate ${String(n)}`,
		Quantity: n % 50,
		Weight: `${String(n % 900)}.25`,
		Amount: n / 100,
		Discount: '0.15',
		Paid: n % 2 === 0,
		Due: day(n),
		Shipped: day(n + 3),
		Received: `${day(n)}T${hour(n)}:30:00`,
		Changed: `${day(n + 1)}T${hour(n)}:15:30Z`,
		Status: stateOf(n),
		Marks: [stateOf(n), stateOf(n + 1)],
		Tags: ['north', 'fragile'],
		Email: `person${String(n % 997)}@example.com`,
		Phone: '+49 30 1234567',
		Page: `https://example.com/orders/${String(n)}`,
		Customer: { uri: `/api/users/u/spaces/s/grids/g/entities/c${String(n % 997)}` },
		Parts: [{ uri: '/api/users/u/spaces/s/grids/g/entities/p1' }],
		Place: { lat: 52.5, lon: 13.4 },
	}),
};

/** The first ten of them: with fewer columns, what a row costs whatever it holds weighs more. */
export const NARROW: Shape = {
	name: 'narrow',
	columns: Object.fromEntries(Object.entries(WIDE.columns).slice(0, 10)),
	rowOf: (n) => Object.fromEntries(Object.entries(WIDE.rowOf(n)).slice(0, 10)),
};
