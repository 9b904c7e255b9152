import { forbidden, gone, readsOnly, unknownKey, type Cases, type Refusal } from './case';
import { byId } from '../../fixtures/account';

const noSpace = gone('Space', () => ({ space: byId('nowhere') }));
const person = { email: 'ada@example.com', role: 'writer' };

/** §4.1: these are open to everybody, so only the service itself can refuse them. */
const unavailable: Refusal = {
	prepare: (stage) => {
		stage.listen((request) =>
			request.path.includes('/users/') ? undefined : { kind: 'response', status: 404, body: '"not here"' },
		);
	},
	says: 'Resource not found: not here',
	advises: 'Choose it again',
};

export const spaceCases: Cases = {
	accessKey: {
		create: {
			parameters: (stage) => ({ name: stage.fresh('Key'), role: 'reader' }),
			answers: { role: 'reader', secret: expect.any(String) as unknown },
			refusal: forbidden,
		},
		delete: {
			parameters: async (stage) => await stage.accessKey(),
			answers: { deleted: true },
			refusal: forbidden,
		},
		getMany: {
			parameters: () => ({ returnAll: true }),
			answers: { name: expect.any(String) as unknown },
			refusal: unknownKey,
		},
	},
	invitation: {
		create: {
			parameters: (stage) => ({
				...stage.inSpace,
				...person,
				email: `${stage.fresh('i').replace(' ', '')}@example.com`,
			}),
			answers: { role: 'writer' },
			refusal: readsOnly('invite people to the space "Operations"'),
		},
		getMany: {
			parameters: async (stage) => {
				const create = { node: 'space', resource: 'invitation', operation: 'create' } as const;
				const email = `${stage.fresh('i').replace(' ', '')}@example.com`;
				await stage.run(create, { ...stage.inSpace, ...person, email });
				return { ...stage.inSpace, returnAll: true };
			},
			answers: { email: expect.any(String) as unknown },
			refusal: noSpace,
		},
	},
	notification: {
		send: {
			parameters: () => ({ sendTo: 'people', userIds: 'u1', title: 'New order', text: 'A-1 is ready' }),
			answers: { sent: true },
			refusal: {
				prepare: (stage) => {
					stage.push.status = 401;
				},
				says: 'did not accept',
				advises: 'credential',
				asked: true,
			},
		},
	},
	service: {
		getBlockTypes: {
			parameters: () => ({ returnAll: true }),
			answers: { type: expect.any(String) as unknown },
			refusal: unavailable,
		},
		getCurrentUser: {
			parameters: () => ({}),
			answers: { id: expect.any(String) as unknown },
			refusal: unknownKey,
		},
		getFieldTypes: {
			parameters: () => ({ returnAll: true }),
			answers: { name: 'string' },
			refusal: unavailable,
		},
		getFlowNodeTypes: {
			parameters: () => ({ returnAll: true }),
			answers: { name: expect.any(String) as unknown },
			refusal: unavailable,
		},
		getVersion: { parameters: () => ({}), answers: { version: '2.4.1348' }, refusal: unavailable },
	},
	share: {
		create: {
			parameters: (stage) => ({
				...stage.inSpace,
				...person,
				email: `${stage.fresh('s').replace(' ', '')}@example.com`,
			}),
			answers: { role: 'writer' },
			refusal: readsOnly('share the space "Operations"'),
		},
		getMany: {
			parameters: async (stage) => {
				const create = { node: 'space', resource: 'share', operation: 'create' } as const;
				const email = `${stage.fresh('s').replace(' ', '')}@example.com`;
				await stage.run(create, { ...stage.inSpace, ...person, email });
				return { ...stage.inSpace, returnAll: true };
			},
			answers: { role: 'writer' },
			refusal: readsOnly('list the shares of the space "Operations"'),
		},
	},
	space: {
		copy: {
			parameters: (stage) => ({ ...stage.inSpace, name: stage.fresh('Copy'), includeEntities: false }),
			answers: { includeEntities: false },
			refusal: noSpace,
		},
		create: {
			parameters: (stage) => ({ name: stage.fresh('Made') }),
			answers: { id: expect.any(String) as unknown },
			refusal: forbidden,
		},
		delete: {
			parameters: async (stage) => await stage.ownSpace(),
			answers: { deleted: true },
			refusal: readsOnly('delete the space'),
		},
		get: { parameters: (stage) => stage.inSpace, answers: { name: 'Operations' }, refusal: noSpace },
		getMany: {
			parameters: () => ({ returnAll: true }),
			answers: { name: expect.any(String) as unknown },
			refusal: unknownKey,
		},
		getResources: {
			parameters: (stage) => ({ ...stage.inSpace, types: ['grid'], returnAll: true }),
			answers: { type: 'grid' },
			refusal: noSpace,
		},
		update: {
			parameters: async (stage) => ({
				...(await stage.ownSpace()),
				updateFields: { key: '', name: stage.fresh('Renamed') },
			}),
			answers: { id: expect.any(String) as unknown },
			refusal: readsOnly('change the space'),
		},
	},
};
