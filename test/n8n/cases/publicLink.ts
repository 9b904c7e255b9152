import type { Cases, Refusal } from './case';
import { filled } from './form';
import type { SampleWorld } from '../../../testbed/world/sampleWorld';

const open = (world: SampleWorld) => ({ access: 'none', link: world.links.none });
/** §5 `Service-Authorization: link` */
const protectedLink = (world: SampleWorld) => ({ access: 'none', link: world.links.link });
const guarded: Refusal = {
	parameters: protectedLink,
	message: 'user name and password',
	description: 'Link Password',
};

export const publicLinkCases: Cases = {
	form: {
		get: { parameters: open, output: { fields: expect.any(Array) as unknown }, refusal: guarded },
		submit: {
			parameters: (world) => ({ ...open(world), ...filled(world) }),
			output: { submitted: true },
			refusal: guarded,
		},
	},
	view: {
		getRows: {
			parameters: (world) => ({ access: 'none', link: world.links.view, returnAll: true }),
			output: { Order: expect.any(String) as unknown },
			refusal: guarded,
		},
	},
	row: {
		get: {
			parameters: (world) => ({ access: 'none', link: world.links.edit }),
			output: { Order: expect.any(String) as unknown },
			refusal: guarded,
		},
		update: {
			parameters: (world) => ({
				access: 'none',
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
