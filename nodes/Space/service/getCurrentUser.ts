import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { representationRow } from '../../shared/rows/output';

export const getCurrentUser: Operation = {
	value: 'getCurrentUser',
	name: 'Get Current User',
	action: 'Get the current user',
	description:
		'Read the account that the credential stands for; its ID is what push notifications are addressed to',
	fields: [simplify],
	async run({ client, parameter }) {
		return representationRow(await client.users.me(), parameter(simplify));
	},
};
