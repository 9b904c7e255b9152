import { forbidden, gone, readsOnly, type Cases } from './case';
import { byId } from '../../../testbed/world/parameters';
import type { SampleWorld } from '../../../testbed/world/sampleWorld';

const noGrid = gone('Grid', (world) => ({ ...world.inSpace, grid: byId('nowhere') }));
const noView = gone('View', (world) => ({ ...world.inGrid, view: byId('nowhere') }));
const noBoard = gone('Board or Calendar', (world) => ({ ...world.inGrid, board: byId('nowhere') }));
const inView = async (world: SampleWorld) => ({ ...world.inGrid, ...(await world.newView()) });
const inBoard = async (world: SampleWorld) => ({ ...world.inGrid, ...(await world.newBoard()) });
const PERSON = { email: 'ada@example.com', role: 'reader' };

/** Shares a new board. @returns parameters that choose the board */
async function sharedBoard(world: SampleWorld) {
	const at = await inBoard(world);
	const parameters = { ...at, ...PERSON };
	await world.run({ node: 'grid', resource: 'share', operation: 'create', parameters });
	return at;
}
const list = (world: SampleWorld) => ({ ...world.inGrid, returnAll: true });

export const gridCases: Cases = {
	grid: {
		create: {
			parameters: (world) => ({
				...world.inSpace,
				name: world.fresh('New'),
				columns: { column: [{ name: 'Title', type: 'string' }] },
			}),
			output: { fields: [{ name: 'Title', type: 'string' }] },
			refusal: readsOnly('add grids to the space "Work"'),
		},
		createFromCsv: {
			parameters: (world) => ({
				...world.inSpace,
				name: world.fresh('From CSV'),
				binaryPropertyName: 'data',
			}),
			input: (world) => [world.csvItem],
			output: { fileName: 'orders.csv', columns: ['Order', 'Quantity'], rows: 1 },
			refusal: readsOnly('add grids to the space "Work"'),
		},
		delete: {
			parameters: async (world) => await world.newGrid(),
			output: { deleted: true },
			refusal: readsOnly('delete the grid "Grid'),
		},
		get: {
			parameters: (world) => ({ ...world.inGrid, includeSchema: true }),
			output: { name: 'Orders', schema: { properties: expect.any(Object) as unknown } },
			refusal: noGrid,
		},
		getMany: {
			parameters: (world) => ({ ...world.inSpace, returnAll: true }),
			output: { spaceName: 'Work' },
			refusal: gone('Space', () => ({ space: byId('nowhere') })),
		},
		update: {
			parameters: async (world) => ({
				...(await world.newGrid()),
				updateFields: { name: world.fresh('Changed') },
			}),
			output: { id: expect.any(String) as unknown },
			refusal: readsOnly('change the grid "Grid'),
		},
	},
	field: {
		create: {
			parameters: async (world) => ({ ...(await world.newGrid()), name: 'Size', type: 'integer' }),
			output: { name: 'Size', type: { name: 'integer' } },
			refusal: readsOnly('add columns to the grid "Grid'),
		},
		delete: {
			parameters: async (world) => await world.newColumn(),
			output: { deleted: true },
			refusal: readsOnly('remove columns of the grid "Grid'),
		},
		ensure: {
			parameters: async (world) => ({
				...(await world.newGrid()),
				columns: { column: [{ name: 'Size', type: 'integer' }] },
			}),
			output: { added: [{ name: 'Size' }] },
			refusal: readsOnly('add columns to the grid "Grid'),
		},
		get: {
			parameters: (world) => ({ ...world.inGrid, field: byId(world.orders.id('Order')) }),
			output: { name: 'Order' },
			refusal: {
				...noGrid,
				parameters: (world) => ({ ...world.inGrid, field: byId('nowhere') }),
				message: '"Column" refers to',
				description: 'Choose another column',
			},
		},
		getMany: { parameters: list, output: { name: 'Order' }, refusal: noGrid },
		update: {
			parameters: async (world) => ({
				...(await world.newColumn()),
				newName: 'Heading',
				additionalFields: { description: 'What it is' },
			}),
			output: { name: 'Heading', description: 'What it is', before: { name: 'Title' } },
			refusal: readsOnly('change columns of the grid "Grid'),
		},
	},
	view: {
		create: {
			parameters: (world) => ({ ...world.inGrid, name: world.fresh('Cut') }),
			output: { filter: {} },
			refusal: readsOnly('add views to the grid "Orders"'),
		},
		delete: { parameters: inView, output: { deleted: true }, refusal: readsOnly('delete') },
		get: {
			parameters: inView,
			output: { name: expect.stringContaining('View') as unknown },
			refusal: noView,
		},
		getMany: { parameters: list, output: { name: 'All' }, refusal: noGrid },
		update: {
			parameters: async (world) => ({ ...(await inView(world)), newName: world.fresh('Cut') }),
			output: { name: expect.stringContaining('Cut') as unknown },
			refusal: readsOnly('change'),
		},
	},
	board: {
		create: {
			parameters: (world) => ({
				...world.inGrid,
				name: 'Due',
				type: 'calendar',
				field: byId(world.orders.id('Due')),
			}),
			output: { type: 'calendar', properties: { name: 'Due', fieldId: expect.any(String) as unknown } },
			refusal: readsOnly('add boards and calendars to the grid "Orders"'),
		},
		delete: {
			parameters: inBoard,
			output: { deleted: true },
			refusal: readsOnly('delete boards and calendars of'),
		},
		get: {
			parameters: async (world) => ({ ...(await inBoard(world)), includeSchema: true }),
			output: { type: 'kanban', schema: { properties: expect.any(Object) as unknown } },
			refusal: noBoard,
		},
		getMany: {
			parameters: async (world) => {
				await world.newBoard();
				return list(world);
			},
			output: { type: expect.any(String) as unknown },
			refusal: noGrid,
		},
		update: {
			parameters: async (world) => ({ ...(await inBoard(world)), type: 'calendar' }),
			output: { type: 'calendar' },
			refusal: readsOnly('change boards and calendars of'),
		},
	},
	share: {
		create: {
			parameters: async (world) => ({ ...(await inBoard(world)), ...PERSON }),
			output: PERSON,
			refusal: readsOnly('share boards and calendars of'),
		},
		delete: {
			parameters: async (world) => ({ ...(await sharedBoard(world)), share: byId(PERSON.email) }),
			output: { deleted: true, email: PERSON.email },
			refusal: forbidden,
		},
		getMany: {
			parameters: async (world) => ({ ...(await sharedBoard(world)), returnAll: true }),
			output: { role: 'reader' },
			refusal: forbidden,
		},
	},
};
