import { byId } from '../../fixtures/account';
import type { Stage } from '../../fixtures/stage';
import { gone, readsOnly, type Cases } from './case';

const noGrid = gone('Grid', (stage) => ({ ...stage.inSpace, grid: byId('nowhere') }));
const noRow = gone('Entity', (stage) => ({ ...stage.inGrid, entity: byId('nowhere') }));
const ownRow = async (stage: Stage) => ({ ...stage.inGrid, ...(await stage.row()) });
const keyed = (stage: Stage, order: string) =>
	stage.mapped({ Order: order, Quantity: 3 }, [stage.fieldId('Order')]);

/** Conditions that one order alone meets. */
const where = (stage: Stage, order: string) => ({
	conditions: { condition: [{ column: stage.fieldId('Order'), operator: '$eq', value: order }] },
});

export const entityCases: Cases = {
	entity: {
		create: {
			parameters: (stage) => ({
				...stage.inGrid,
				...stage.mapped({ Order: stage.fresh('B'), Quantity: 0, Due: '2026-03-01' }),
			}),
			answers: { Order: expect.stringMatching(/^B /) as unknown, Quantity: 0, Due: '2026-03-01' },
			refusal: readsOnly('add entities to the grid "Orders"'),
		},
		upsert: {
			parameters: (stage) => ({ ...stage.inGrid, ...keyed(stage, stage.fresh('U')) }),
			answers: { _outcome: 'created', Quantity: 3 },
			refusal: readsOnly('add entities to the grid "Orders"'),
		},
		count: {
			parameters: async (stage) => {
				const order = stage.fresh('Counted');
				await stage.row(order);
				return { ...stage.inGrid, ...where(stage, order) };
			},
			answers: { count: 1 },
			refusal: noGrid,
		},
		lookUp: {
			parameters: async (stage) => {
				const value = stage.fresh('Found');
				await stage.row(value);
				return { ...stage.inGrid, matchBy: { key: [{ column: stage.fieldId('Order'), value }] } };
			},
			answers: { row: { Order: expect.stringContaining('Found') as unknown, Quantity: 1 } },
			refusal: noGrid,
		},
		updateMany: {
			parameters: async (stage) => {
				const order = stage.fresh('Changed');
				await stage.row(order);
				return { ...stage.inGrid, ...where(stage, order), ...stage.mapped({ Quantity: 0 }) };
			},
			answers: { Quantity: 0, _outcome: 'updated' },
			refusal: readsOnly('change entities of the grid "Orders"'),
		},
		deleteMany: {
			parameters: async (stage) => {
				const order = stage.fresh('Deleted');
				await stage.row(order);
				return { ...stage.inGrid, ...where(stage, order), options: { limitPercent: 100 } };
			},
			answers: { _outcome: 'deleted' },
			refusal: readsOnly('delete entities of the grid "Orders"'),
		},
		delete: {
			parameters: ownRow,
			answers: { deleted: true },
			refusal: readsOnly('delete entities of the grid "Orders"'),
		},
		get: { parameters: ownRow, answers: { Quantity: 1 }, refusal: noRow },
		getMany: {
			parameters: async (stage) => {
				await stage.row();
				return { ...stage.inGrid, returnAll: true };
			},
			answers: { _id: expect.any(String) as unknown },
			refusal: noGrid,
		},
		search: {
			parameters: async (stage) => {
				const order = stage.fresh('Searched');
				await stage.row(order);
				return { ...stage.inGrid, matching: order, returnAll: true };
			},
			answers: { Order: expect.stringContaining('Searched') as unknown },
			refusal: noGrid,
		},
		update: {
			parameters: async (stage) => ({ ...(await ownRow(stage)), ...stage.mapped({ Quantity: 0 }) }),
			answers: { Quantity: 0 },
			refusal: readsOnly('change entities of the grid "Orders"'),
		},
	},
	history: {
		getMany: { parameters: ownRow, answers: { event: 'created' }, refusal: noRow },
		restore: {
			parameters: async (stage) => ({ ...(await ownRow(stage)), moment: '2099-01-01T00:00:00Z' }),
			answers: { _outcome: 'unchanged' },
			refusal: readsOnly('change entities of the grid "Orders"'),
		},
	},
	bulk: {
		sync: {
			parameters: (stage) => ({ ...stage.inGrid, ...keyed(stage, stage.fresh('Y')) }),
			answers: { created: 1, deleted: 0 },
			refusal: readsOnly('add entities to the grid "Orders"'),
		},
	},
};
