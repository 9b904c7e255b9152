import { simplify } from '../../shared/inputs/output/outputOptions';
import { account } from '../../shared/inputs/target';
import { operation } from '../../shared/runner/operation';

export const getCurrentUser = operation({
	value: 'getCurrentUser',
	name: 'Get Current User',
	action: 'Get current user',
	description: 'Get the account of the credential; push notifications are addressed to its ID',
	on: account,
	fields: [simplify],
	run: async ({ client, represent }) => represent(await client.users.me()),
});
