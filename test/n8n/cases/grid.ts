import { byId } from '../../fixtures/account';
import type { Stage } from '../../fixtures/stage';
import { forbidden, gone, readsOnly, type Cases } from './case';

const noGrid = gone('Grid', (stage) => ({ ...stage.inSpace, grid: byId('nowhere') }));
const noView = gone('View', (stage) => ({ ...stage.inGrid, view: byId('nowhere') }));
const noStatefulView = gone('Stateful View', (stage) => ({ ...stage.inGrid, statefulView: byId('nowhere') }));
const inView = async (stage: Stage) => ({ ...stage.inGrid, ...(await stage.view()) });
const inStatefulView = async (stage: Stage) => ({ ...stage.inGrid, ...(await stage.statefulView()) });
const list = (stage: Stage) => ({ ...stage.inGrid, returnAll: true });

export const gridCases: Cases = {
	grid: {
		create: {
			parameters: (stage) => ({
				...stage.inSpace,
				name: stage.fresh('New'),
				columns: { column: [{ name: 'Title', type: 'string' }] },
			}),
			answers: { fields: [{ name: 'Title', type: 'string' }] },
			refusal: readsOnly('add grids to the space "Operations"'),
		},
		createFromCsv: {
			parameters: (stage) => ({
				...stage.inSpace,
				name: stage.fresh('From CSV'),
				binaryPropertyName: 'data',
			}),
			input: (stage) => [stage.csvItem],
			answers: { fileName: 'orders.csv' },
			refusal: readsOnly('add grids to the space "Operations"'),
		},
		delete: {
			parameters: async (stage) => await stage.ownGrid(),
			answers: { deleted: true },
			refusal: readsOnly('delete the grid "Grid'),
		},
		exportCsv: { parameters: (stage) => stage.inGrid, answers: { fileName: 'Orders.csv' }, refusal: noGrid },
		get: { parameters: (stage) => stage.inGrid, answers: { name: 'Orders' }, refusal: noGrid },
		getMany: {
			parameters: (stage) => ({ ...stage.inSpace, returnAll: true }),
			answers: { spaceName: 'Operations' },
			refusal: gone('Space', () => ({ space: byId('nowhere') })),
		},
		getSchema: {
			parameters: (stage) => stage.inGrid,
			answers: { properties: expect.any(Object) as unknown },
			refusal: noGrid,
		},
		getUpdates: {
			parameters: async (stage) => {
				await stage.row();
				return { ...list(stage), since: '2020-01-01T00:00:00Z' };
			},
			answers: { event: 'created' },
			refusal: noGrid,
		},
		update: {
			parameters: async (stage) => ({
				...(await stage.ownGrid()),
				updateFields: { name: stage.fresh('Changed') },
			}),
			answers: { id: expect.any(String) as unknown },
			refusal: readsOnly('change the grid "Grid'),
		},
	},
	field: {
		changeKey: {
			parameters: async (stage) => ({ ...(await stage.column()), newKey: 'fresh_key' }),
			answers: { key: 'fresh_key' },
			refusal: readsOnly('change columns of the grid "Grid'),
		},
		changeType: {
			parameters: async (stage) => ({ ...(await stage.column()), type: 'richText' }),
			answers: { type: { name: 'richText' } },
			refusal: readsOnly('change columns of the grid "Grid'),
		},
		create: {
			parameters: async (stage) => ({ ...(await stage.ownGrid()), name: 'Size', type: 'integer' }),
			answers: { name: 'Size', type: { name: 'integer' } },
			refusal: readsOnly('add columns to the grid "Grid'),
		},
		delete: {
			parameters: async (stage) => await stage.column(),
			answers: { deleted: true },
			refusal: readsOnly('remove columns of the grid "Grid'),
		},
		ensure: {
			parameters: async (stage) => ({
				...(await stage.ownGrid()),
				columns: { column: [{ name: 'Size', type: 'integer' }] },
			}),
			answers: { added: [{ name: 'Size' }] },
			refusal: readsOnly('add columns to the grid "Grid'),
		},
		get: {
			parameters: (stage) => ({ ...stage.inGrid, field: byId(stage.fieldId('Order')) }),
			answers: { name: 'Order' },
			refusal: {
				...noGrid,
				parameters: (stage) => ({ ...stage.inGrid, field: byId('nowhere') }),
				says: '"Column" names',
				advises: 'Choose another column',
			},
		},
		getMany: { parameters: list, answers: { name: 'Order' }, refusal: noGrid },
		rename: {
			parameters: async (stage) => ({ ...(await stage.column()), newName: 'Heading' }),
			answers: { name: 'Heading', oldName: 'Title' },
			refusal: readsOnly('rename columns of the grid "Grid'),
		},
		update: {
			parameters: async (stage) => ({
				...(await stage.column()),
				updateFields: { description: 'What it is' },
			}),
			answers: { description: 'What it is' },
			refusal: readsOnly('change columns of the grid "Grid'),
		},
	},
	view: {
		create: {
			parameters: (stage) => ({ ...stage.inGrid, name: stage.fresh('Cut') }),
			answers: { filter: {} },
			refusal: readsOnly('add views to the grid "Orders"'),
		},
		delete: { parameters: inView, answers: { deleted: true }, refusal: readsOnly('delete') },
		get: {
			parameters: inView,
			answers: { name: expect.stringContaining('View') as unknown },
			refusal: noView,
		},
		getMany: { parameters: list, answers: { name: 'All' }, refusal: noGrid },
		update: {
			parameters: async (stage) => ({ ...(await inView(stage)), updateFields: { name: stage.fresh('Cut') } }),
			answers: { name: expect.stringContaining('Cut') as unknown },
			refusal: readsOnly('change'),
		},
		updateFilter: {
			parameters: async (stage) => ({
				...(await inView(stage)),
				conditions: { condition: [{ column: 'Order', operator: '$eq', value: 'B-1' }] },
			}),
			answers: { filter: expect.any(Object) as unknown },
			refusal: readsOnly('change'),
		},
	},
	statefulView: {
		create: {
			parameters: (stage) => ({ ...stage.inGrid, type: 'kanban' }),
			answers: { type: 'kanban' },
			refusal: readsOnly('add stateful views to the grid "Orders"'),
		},
		delete: {
			parameters: inStatefulView,
			answers: { deleted: true },
			refusal: readsOnly('delete stateful views of'),
		},
		get: { parameters: inStatefulView, answers: { type: 'kanban' }, refusal: noStatefulView },
		getMany: {
			parameters: async (stage) => {
				await stage.statefulView();
				return list(stage);
			},
			answers: { type: 'kanban' },
			refusal: noGrid,
		},
		getSchema: {
			parameters: inStatefulView,
			answers: { properties: expect.any(Object) as unknown },
			refusal: noStatefulView,
		},
		getShares: {
			parameters: async (stage) => {
				const at = await inStatefulView(stage);
				await stage.run(
					{ node: 'grid', resource: 'statefulView', operation: 'share' },
					{ ...at, email: 'ada@example.com', role: 'reader' },
				);
				return { ...at, returnAll: true };
			},
			answers: { role: 'reader' },
			refusal: forbidden,
		},
		share: {
			parameters: async (stage) => ({
				...(await inStatefulView(stage)),
				email: 'ada@example.com',
				role: 'reader',
			}),
			answers: { email: 'ada@example.com', role: 'reader' },
			refusal: readsOnly('share stateful views of'),
		},
		update: {
			parameters: async (stage) => ({ ...(await inStatefulView(stage)), updateFields: { type: 'calendar' } }),
			answers: { type: 'calendar' },
			refusal: readsOnly('change stateful views of'),
		},
	},
};
