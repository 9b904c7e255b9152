import { forbidden, gone, notOffered, readsOnly, type Cases } from './case';
import { byId } from '../../../testbed/world/parameters';
import type { SampleWorld } from '../../../testbed/world/sampleWorld';

const noGrid = gone('Grid', (world) => ({ ...world.inSpace, grid: byId('nowhere') }));
const noView = gone('View', (world) => ({ ...world.inGrid, view: byId('nowhere') }));
const noStatefulView = gone('Stateful View', (world) => ({ ...world.inGrid, statefulView: byId('nowhere') }));
const inView = async (world: SampleWorld) => ({ ...world.inGrid, ...(await world.newView()) });
const inStatefulView = async (world: SampleWorld) => ({
	...world.inGrid,
	...(await world.newStatefulView()),
});
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
		exportCsv: { parameters: (world) => world.inGrid, output: { fileName: 'Orders.csv' }, refusal: noGrid },
		get: { parameters: (world) => world.inGrid, output: { name: 'Orders' }, refusal: noGrid },
		getMany: {
			parameters: (world) => ({ ...world.inSpace, returnAll: true }),
			output: { spaceName: 'Work' },
			refusal: gone('Space', () => ({ space: byId('nowhere') })),
		},
		getSchema: {
			parameters: (world) => world.inGrid,
			output: { properties: expect.any(Object) as unknown },
			refusal: noGrid,
		},
		getUpdates: {
			parameters: async (world) => {
				await world.newRow();
				return { ...list(world), since: '2020-01-01T00:00:00Z' };
			},
			output: { event: 'created' },
			refusal: noGrid,
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
		changeKey: {
			parameters: async (world) => ({ ...(await world.newColumn()), newKey: 'fresh_key' }),
			output: { key: 'fresh_key' },
			refusal: readsOnly('change columns of the grid "Grid'),
		},
		changeType: {
			parameters: async (world) => ({ ...(await world.newColumn()), type: 'richText' }),
			output: { type: { name: 'richText' } },
			refusal: readsOnly('change columns of the grid "Grid'),
		},
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
		rename: {
			parameters: async (world) => ({ ...(await world.newColumn()), newName: 'Heading' }),
			output: { name: 'Heading', oldName: 'Title' },
			refusal: readsOnly('rename columns of the grid "Grid'),
		},
		update: {
			parameters: async (world) => ({
				...(await world.newColumn()),
				updateFields: { description: 'What it is' },
			}),
			output: { name: 'Title', description: 'What it is' },
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
			parameters: async (world) => ({ ...(await inView(world)), updateFields: { name: world.fresh('Cut') } }),
			output: { name: expect.stringContaining('Cut') as unknown },
			refusal: readsOnly('change'),
		},
		updateFilter: {
			parameters: async (world) => ({
				...(await inView(world)),
				conditions: { condition: [{ column: 'Order', operator: '$eq', value: 'B-1' }] },
			}),
			output: { filter: expect.any(Object) as unknown },
			refusal: readsOnly('change'),
		},
	},
	publicLink: {
		create: {
			parameters: (world) => ({
				...world.inGrid,
				kind: 'form',
				form: byId(world.formId),
				protection: 'none',
			}),
			output: { url: expect.stringMatching(/^http/) as unknown, kind: 'form' },
			refusal: notOffered('create public links to the grid'),
		},
		delete: {
			parameters: async (world) => ({ ...world.inGrid, publicLink: byId(await world.newLink()) }),
			output: { deleted: true, kind: 'view' },
			refusal: notOffered('list the public links of the grid'),
		},
		getMany: {
			parameters: list,
			output: { kind: expect.any(String) as unknown, url: expect.stringMatching(/^http/) as unknown },
			refusal: notOffered('list the public links of the grid'),
		},
	},
	statefulView: {
		create: {
			parameters: (world) => ({ ...world.inGrid, type: 'kanban' }),
			output: { type: 'kanban' },
			refusal: readsOnly('add stateful views to the grid "Orders"'),
		},
		delete: {
			parameters: inStatefulView,
			output: { deleted: true },
			refusal: readsOnly('delete stateful views of'),
		},
		get: { parameters: inStatefulView, output: { type: 'kanban' }, refusal: noStatefulView },
		getMany: {
			parameters: async (world) => {
				await world.newStatefulView();
				return list(world);
			},
			output: { type: 'kanban' },
			refusal: noGrid,
		},
		deleteShare: {
			parameters: async (world) => {
				const at = await inStatefulView(world);
				const parameters = { ...at, email: 'ada@example.com', role: 'reader' };
				await world.run({ node: 'grid', resource: 'statefulView', operation: 'share', parameters });
				return { ...at, share: byId('ada@example.com') };
			},
			output: { deleted: true, email: 'ada@example.com' },
			refusal: forbidden,
		},
		getSchema: {
			parameters: inStatefulView,
			output: { properties: expect.any(Object) as unknown },
			refusal: noStatefulView,
		},
		getShares: {
			parameters: async (world) => {
				const at = await inStatefulView(world);
				const parameters = { ...at, email: 'ada@example.com', role: 'reader' };
				await world.run({ node: 'grid', resource: 'statefulView', operation: 'share', parameters });
				return { ...at, returnAll: true };
			},
			output: { role: 'reader' },
			refusal: forbidden,
		},
		share: {
			parameters: async (world) => ({
				...(await inStatefulView(world)),
				email: 'ada@example.com',
				role: 'reader',
			}),
			output: { email: 'ada@example.com', role: 'reader' },
			refusal: readsOnly('share stateful views of'),
		},
		update: {
			parameters: async (world) => ({ ...(await inStatefulView(world)), updateFields: { type: 'calendar' } }),
			output: { type: 'calendar' },
			refusal: readsOnly('change stateful views of'),
		},
	},
};
