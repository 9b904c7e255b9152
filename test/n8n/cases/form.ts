import { byId } from '../../fixtures/account';
import type { Stage } from '../../fixtures/stage';
import { gone, readsOnly, type Cases, type Refusal } from './case';

const form = (stage: Stage) => ({ ...stage.inGrid, form: byId(stage.formId) });
const filled = (stage: Stage) => ({
	valuesAs: 'fields',
	formFields: {
		mappingMode: 'defineBelow',
		value: { [stage.fieldId('Order')]: stage.fresh('F') },
		matchingColumns: [],
		schema: [],
	},
});
const open = (stage: Stage) => ({ linkProtection: 'none', link: stage.links.none });
/** §5 `Service-Authorization: link` */
const protectedLink = (stage: Stage) => ({ linkProtection: 'none', link: stage.links.link });
const guarded: Refusal = {
	parameters: protectedLink,
	says: 'user name and password',
	advises: 'Link Password',
};

export const formCases: Cases = {
	form: {
		get: {
			parameters: form,
			answers: { fields: expect.any(Array) as unknown },
			refusal: gone('Form', (stage) => ({ ...stage.inGrid, form: byId('nowhere') })),
		},
		getMany: {
			parameters: (stage) => ({ ...stage.inGrid, returnAll: true }),
			answers: { id: expect.any(String) as unknown },
			refusal: gone('Grid', (stage) => ({ ...stage.inSpace, grid: byId('nowhere') })),
		},
		submit: {
			parameters: (stage) => ({ ...form(stage), ...filled(stage) }),
			answers: { submitted: true, values: { Order: expect.stringMatching(/^F /) as unknown } },
			refusal: readsOnly('submit forms of the grid "Orders"'),
		},
	},
	publicForm: {
		get: { parameters: open, answers: { fields: expect.any(Array) as unknown }, refusal: guarded },
		submit: {
			parameters: (stage) => ({ ...open(stage), ...filled(stage) }),
			answers: { submitted: true },
			refusal: guarded,
		},
		getRows: {
			parameters: (stage) => ({ linkProtection: 'none', link: stage.links.view, returnAll: true }),
			answers: { Order: expect.any(String) as unknown },
			refusal: guarded,
		},
		getRow: {
			parameters: (stage) => ({ linkProtection: 'none', link: stage.links.edit }),
			answers: { Order: expect.any(String) as unknown },
			refusal: guarded,
		},
		updateRow: {
			parameters: (stage) => ({
				linkProtection: 'none',
				link: stage.links.edit,
				rowValues: JSON.stringify({ Quantity: 7 }),
			}),
			answers: { Quantity: 7 },
			refusal: {
				...guarded,
				parameters: (stage) => ({ ...protectedLink(stage), rowValues: '{"Quantity":1}' }),
			},
		},
	},
};
