import type { Cases } from './case';

export const pushNotificationCases: Cases = {
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
};
