import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/rows/output';
import { recordOf } from '../../shared/rows/representation';

export const getCurrentUser: Operation = {
	value: 'getCurrentUser',
	name: 'Get Current User',
	action: 'Get the current user',
	description:
		'Read the account that the credential stands for; its ID is what push notifications are addressed to',
	fields: [simplify],
	async run({ client, parameter }) {
		return recordOf(await client.users.me(), parameter(simplify));
	},
};
