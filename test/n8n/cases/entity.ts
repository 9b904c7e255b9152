import { gone, readsOnly, type Cases } from './case';
import { byId } from '../../../testbed/world/parameters';
import type { SampleWorld } from '../../../testbed/world/sampleWorld';

const noGrid = gone('Grid', (world) => ({ ...world.inSpace, grid: byId('nowhere') }));
const noRow = gone('Row', (world) => ({ ...world.inGrid, entity: byId('nowhere') }));
const ownRow = async (world: SampleWorld) => ({ ...world.inGrid, ...(await world.newRow()) });
/** A row that is chosen by its ID and by its key. */
const ownKeyedRow = async (world: SampleWorld) => {
	const value = world.fresh('Own');
	const matchBy = { key: [{ column: world.orders.id('Order'), value }] };
	return { ...world.inGrid, ...(await world.newRow(value)), matchBy };
};
const keyed = (world: SampleWorld, order: string) =>
	world.orders.mapped({ Order: order, Quantity: 3 }, ['Order']);

/** Conditions that only one order meets. */
const where = (world: SampleWorld, order: string) => ({
	conditions: { condition: [{ column: world.orders.id('Order'), operator: '$eq', value: order }] },
});

export const entityCases: Cases = {
	entity: {
		create: {
			parameters: (world) => ({
				...world.inGrid,
				...world.orders.mapped({ Order: world.fresh('B'), Quantity: 0, Due: '2026-03-01' }),
			}),
			output: { Order: expect.stringMatching(/^B /) as unknown, Quantity: 0, Due: '2026-03-01' },
			refusal: readsOnly('add rows to the grid "Orders"'),
		},
		upsert: {
			parameters: (world) => ({ ...world.inGrid, ...keyed(world, world.fresh('U')) }),
			output: { _outcome: 'created', Quantity: 3 },
			refusal: readsOnly('add rows to the grid "Orders"'),
		},
		count: {
			parameters: async (world) => {
				const order = world.fresh('Counted');
				await world.newRow(order);
				return { ...world.inGrid, ...where(world, order) };
			},
			output: { count: 1 },
			refusal: noGrid,
		},
		lookUp: {
			parameters: async (world) => {
				const value = world.fresh('Found');
				await world.newRow(value);
				return { ...world.inGrid, matchBy: { key: [{ column: world.orders.id('Order'), value }] } };
			},
			output: { row: { Order: expect.stringContaining('Found') as unknown, Quantity: 1 } },
			refusal: noGrid,
		},
		updateMany: {
			parameters: async (world) => {
				const order = world.fresh('Changed');
				await world.newRow(order);
				const changed = { ...world.orders.mapped({ Quantity: 0 }), refuseAbove: 10_000 };
				return { ...world.inGrid, ...where(world, order), ...changed };
			},
			output: { Quantity: 0, _outcome: 'updated' },
			refusal: readsOnly('change rows of the grid "Orders"'),
		},
		deleteMany: {
			parameters: async (world) => {
				const order = world.fresh('Deleted');
				await world.newRow(order);
				// Without its option, Limit (%) allows one row of five.
				for (let others = 0; others < 4; others++) await world.newRow();
				return { ...world.inGrid, ...where(world, order), options: { limitPercent: 100 } };
			},
			output: { _outcome: 'deleted' },
			refusal: readsOnly('delete rows of the grid "Orders"'),
		},
		delete: {
			parameters: ownKeyedRow,
			output: { deleted: true },
			refusal: readsOnly('delete rows of the grid "Orders"'),
		},
		get: { parameters: ownRow, output: { Quantity: 1 }, refusal: noRow },
		getMany: {
			parameters: async (world) => {
				await world.newRow();
				await world.newRow();
				// With a batch cursor, because rows then have all possible members.
				return { ...world.inGrid, limit: 1, options: { batchCursor: '' } };
			},
			output: { _id: expect.any(String) as unknown, _cursor: expect.any(String) as unknown },
			refusal: noGrid,
		},
		update: {
			parameters: async (world) => ({
				...(await ownKeyedRow(world)),
				...world.orders.mapped({ Quantity: 0 }),
			}),
			output: { Quantity: 0 },
			refusal: readsOnly('change rows of the grid "Orders"'),
		},
		export: {
			parameters: async (world) => {
				await world.newRow();
				return world.inGrid;
			},
			output: { fileName: 'Orders.csv', rows: expect.any(Number) as unknown },
			refusal: noGrid,
		},
		importFile: {
			parameters: (world) => ({ ...world.inGrid, keyColumns: [world.orders.id('Order')] }),
			input: (world) => [world.ordersFile(world.fresh('File'))],
			output: { created: 1, deleted: 0, fileName: 'Orders changes.csv' },
			refusal: readsOnly('add rows to the grid "Orders"'),
		},
		sync: {
			parameters: (world) => ({ ...world.inGrid, ...keyed(world, world.fresh('Y')) }),
			output: { _outcome: 'created', Quantity: 3, Due: null },
			refusal: readsOnly('add rows to the grid "Orders"'),
		},
	},
	history: {
		confirmChanges: {
			parameters: () => ({}),
			input: (world) => [{ event: 'created', _position: world.position }],
			output: { event: 'created' },
			refusal: readsOnly('change rows of the grid "Positions"'),
		},
		getChanges: {
			parameters: async (world) => {
				await world.newRow();
				return { ...world.inGrid, limit: 1, since: '2020-01-01T00:00:00Z' };
			},
			output: { event: 'created' },
			refusal: noGrid,
		},
		getMany: { parameters: ownRow, output: { event: 'created' }, refusal: noRow },
		restore: {
			parameters: async (world) => ({ ...(await ownRow(world)), moment: '2099-01-01T00:00:00Z' }),
			output: { _outcome: 'unchanged' },
			refusal: readsOnly('change rows of the grid "Orders"'),
		},
		undo: {
			parameters: (world) => world.inGrid,
			input: (world) => [
				{
					...{ _id: 'deleted', _outcome: 'deleted' },
					_changes: [{ field: 'Order', old: world.fresh('U'), new: null }],
				},
			],
			output: { _outcome: 'recreated' },
			refusal: readsOnly('add rows to the grid "Orders"'),
		},
	},
};
