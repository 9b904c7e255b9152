import { forbidden, gone, readsOnly, unknownKey, type Cases, type Refusal } from './case';
import type { SampleWorld } from '../../../testbed/world/sampleWorld';
import { byId } from '../../../testbed/world/parameters';

const noSpace = gone('Space', () => ({ space: byId('nowhere') }));
const person = { email: 'ada@example.com', role: 'writer' };

/** Creates a share. @returns parameters that choose it by email address */
async function shared(world: SampleWorld) {
	const email = `${world.fresh('share').replace(' ', '')}@example.com`;
	const create = { node: 'space', resource: 'share', operation: 'create' } as const;
	await world.run({ ...create, parameters: { ...world.inSpace, ...person, email } });
	return { ...world.inSpace, share: byId(email) };
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
	service: {
		getInfo: {
			parameters: () => ({ include: ['user', 'version', 'fieldTypes', 'blockTypes', 'nodeTypes'] }),
			output: {
				user: { id: expect.any(String) as unknown },
				version: '2.4.1348',
				fieldTypes: expect.any(Array) as unknown,
				nodeTypes: expect.any(Array) as unknown,
			},
			refusal: { ...unavailable, parameters: () => ({ include: ['version'] }) },
		},
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
			parameters: async (world) => await shared(world),
			output: { deleted: true, role: 'writer' },
			refusal: readsOnly('list the shares of the space "Work"'),
		},
		getMany: {
			parameters: async (world) => {
				await shared(world);
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
		get: {
			parameters: (world) => ({ ...world.inSpace, includeContents: ['grid'] }),
			output: { name: 'Work', contents: expect.any(Array) as unknown },
			refusal: noSpace,
		},
		getMany: {
			parameters: () => ({ returnAll: true }),
			output: { name: expect.any(String) as unknown },
			refusal: unknownKey,
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
