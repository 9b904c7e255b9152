import { gone, readsOnly, type Cases } from './case';
import { byId } from '../../../testbed/world/parameters';
import type { SampleWorld } from '../../../testbed/world/sampleWorld';

const form = (world: SampleWorld) => ({ ...world.inGrid, form: byId(world.formId) });
/** The values of a form. */
export const filled = (world: SampleWorld) => ({
	valuesAs: 'fields',
	formFields: {
		mappingMode: 'defineBelow',
		value: { [world.orders.id('Order')]: world.fresh('F') },
		matchingColumns: [],
		schema: [],
	},
});
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
};
