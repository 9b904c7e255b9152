import { gone, readsOnly, type Cases, type Refusal } from './case';
import { byId } from '../../../testbed/world/parameters';
import type { SampleWorld } from '../../../testbed/world/sampleWorld';

const form = (world: SampleWorld) => ({ ...world.inGrid, form: byId(world.formId) });
const filled = (world: SampleWorld) => ({
	valuesAs: 'fields',
	formFields: {
		mappingMode: 'defineBelow',
		value: { [world.orders.id('Order')]: world.fresh('F') },
		matchingColumns: [],
		schema: [],
	},
});
const open = (world: SampleWorld) => ({ linkProtection: 'none', link: world.links.none });
/** §5 `Service-Authorization: link` */
const protectedLink = (world: SampleWorld) => ({ linkProtection: 'none', link: world.links.link });
const guarded: Refusal = {
	parameters: protectedLink,
	message: 'user name and password',
	description: 'Link Password',
};

export const formCases: Cases = {
	form: {
		get: {
			parameters: form,
			output: { fields: expect.any(Array) as unknown },
			refusal: gone('Form', (world) => ({ ...world.inGrid, form: byId('nowhere') })),
		},
		getMany: {
			parameters: (world) => ({ ...world.inGrid, returnAll: true }),
			output: { id: expect.any(String) as unknown },
			refusal: gone('Grid', (world) => ({ ...world.inSpace, grid: byId('nowhere') })),
		},
		submit: {
			parameters: (world) => ({ ...form(world), ...filled(world) }),
			output: { submitted: true, values: { Order: expect.stringMatching(/^F /) as unknown } },
			refusal: readsOnly('submit forms of the grid "Orders"'),
		},
	},
	publicForm: {
		get: { parameters: open, output: { fields: expect.any(Array) as unknown }, refusal: guarded },
		submit: {
			parameters: (world) => ({ ...open(world), ...filled(world) }),
			output: { submitted: true },
			refusal: guarded,
		},
		getRows: {
			parameters: (world) => ({ linkProtection: 'none', link: world.links.view, returnAll: true }),
			output: { Order: expect.any(String) as unknown },
			refusal: guarded,
		},
		getRow: {
			parameters: (world) => ({ linkProtection: 'none', link: world.links.edit }),
			output: { Order: expect.any(String) as unknown },
			refusal: guarded,
		},
		updateRow: {
			parameters: (world) => ({
				linkProtection: 'none',
				link: world.links.edit,
				rowValues: JSON.stringify({ Quantity: 7 }),
			}),
			output: { Quantity: 7 },
			refusal: {
				...guarded,
				parameters: (world) => ({ ...protectedLink(world), rowValues: '{"Quantity":1}' }),
			},
		},
	},
};
