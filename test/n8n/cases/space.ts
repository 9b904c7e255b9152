import { forbidden, gone, readsOnly, unknownKey, type Cases, type Refusal } from './case';
import type { SampleWorld } from '../../../testbed/world/sampleWorld';
import { byId } from '../../../testbed/world/parameters';

const noSpace = gone('Space', () => ({ space: byId('nowhere') }));
const person = { email: 'ada@example.com', role: 'writer' };

/** Creates a share or an invitation. @returns parameters that choose it by email address */
async function shared(world: SampleWorld, resource: 'share' | 'invitation') {
	const email = `${world.fresh(resource).replace(' ', '')}@example.com`;
	const create = { node: 'space', resource, operation: 'create' } as const;
	await world.run({ ...create, parameters: { ...world.inSpace, ...person, email } });
	return { ...world.inSpace, [resource]: byId(email) };
}

/** These operations need no role (§4.1), so only the service itself can refuse them. */
const unavailable: Refusal = {
	prepare: (world) => {
		world.listen((request) =>
			request.path.includes('/users/') ? undefined : { kind: 'response', status: 404, body: '"not here"' },
		);
	},
	message: 'Resource not found: not here',
	description: 'Choose it again',
};

export const spaceCases: Cases = {
	accessKey: {
		create: {
			parameters: (world) => ({ name: world.fresh('Key'), role: 'reader' }),
			output: { role: 'reader', secret: expect.any(String) as unknown },
			refusal: forbidden,
		},
		delete: {
			parameters: async (world) => await world.newAccessKey(),
			output: { deleted: true },
			refusal: forbidden,
		},
		getMany: {
			parameters: () => ({ returnAll: true }),
			output: { name: expect.any(String) as unknown },
			refusal: unknownKey,
		},
	},
	invitation: {
		create: {
			parameters: (world) => ({
				...world.inSpace,
				...person,
				email: `${world.fresh('i').replace(' ', '')}@example.com`,
			}),
			output: { role: 'writer' },
			refusal: readsOnly('invite people to the space "Work"'),
		},
		delete: {
			parameters: async (world) => await shared(world, 'invitation'),
			output: { deleted: true, role: 'writer' },
			refusal: readsOnly('list the invitations to the space "Work"'),
		},
		getMany: {
			parameters: async (world) => {
				await shared(world, 'invitation');
				return { ...world.inSpace, returnAll: true };
			},
			output: { email: expect.any(String) as unknown },
			refusal: noSpace,
		},
	},
	notification: {
		send: {
			parameters: () => ({ sendTo: 'people', userIds: 'u1', title: 'New order', text: 'A-1 is ready' }),
			output: { sent: true },
			refusal: {
				prepare: (world) => {
					world.push.status = 401;
				},
				message: 'did not accept',
				description: 'credential',
				isSent: true,
			},
		},
	},
	service: {
		getBlockTypes: {
			parameters: () => ({ returnAll: true }),
			output: { type: expect.any(String) as unknown },
			refusal: unavailable,
		},
		getCurrentUser: {
			parameters: () => ({}),
			output: { id: expect.any(String) as unknown },
			refusal: unknownKey,
		},
		getFieldTypes: {
			parameters: () => ({ returnAll: true }),
			output: { name: 'string' },
			refusal: unavailable,
		},
		getFlowNodeTypes: {
			parameters: () => ({ returnAll: true }),
			output: { name: expect.any(String) as unknown },
			refusal: unavailable,
		},
		getVersion: { parameters: () => ({}), output: { version: '2.4.1348' }, refusal: unavailable },
	},
	share: {
		create: {
			parameters: (world) => ({
				...world.inSpace,
				...person,
				email: `${world.fresh('s').replace(' ', '')}@example.com`,
			}),
			output: { role: 'writer' },
			refusal: readsOnly('share the space "Work"'),
		},
		delete: {
			parameters: async (world) => await shared(world, 'share'),
			output: { deleted: true, role: 'writer' },
			refusal: readsOnly('list the shares of the space "Work"'),
		},
		getMany: {
			parameters: async (world) => {
				await shared(world, 'share');
				return { ...world.inSpace, returnAll: true };
			},
			output: { role: 'writer' },
			refusal: readsOnly('list the shares of the space "Work"'),
		},
	},
	space: {
		copy: {
			parameters: (world) => ({ ...world.inSpace, name: world.fresh('Copy'), includeEntities: false }),
			output: { includeEntities: false },
			refusal: noSpace,
		},
		create: {
			parameters: (world) => ({ name: world.fresh('Made') }),
			output: { id: expect.any(String) as unknown },
			refusal: forbidden,
		},
		delete: {
			parameters: async (world) => await world.newSpace(),
			output: { deleted: true },
			refusal: readsOnly('delete the space'),
		},
		get: { parameters: (world) => world.inSpace, output: { name: 'Work' }, refusal: noSpace },
		getMany: {
			parameters: () => ({ returnAll: true }),
			output: { name: expect.any(String) as unknown },
			refusal: unknownKey,
		},
		getResources: {
			parameters: (world) => ({ ...world.inSpace, types: ['grid'], returnAll: true }),
			output: { type: 'grid' },
			refusal: noSpace,
		},
		update: {
			parameters: async (world) => ({
				...(await world.newSpace()),
				updateFields: { key: '', name: world.fresh('Renamed') },
			}),
			output: { id: expect.any(String) as unknown },
			refusal: readsOnly('change the space'),
		},
	},
};
