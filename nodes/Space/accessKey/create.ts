import { z } from 'zod/v4';
import type { Operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { notice } from '../../shared/inputs/notice';

const secretNotice = notice(
	'secretNotice',
	'The secret is in the output of this run and nowhere else: the service never shows it again. Executions that n8n saves hold it too.',
);

const name = input(
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. n8n',
		description: 'What the key is for, so that it is recognised in the list of keys',
	},
	z.string().trim().min(1, 'a name is needed'),
);

const role = input(
	{
		displayName: 'Role',
		name: 'role',
		type: 'options',
		options: [
			{ name: 'Admin', value: 'admin', description: 'Full access to all spaces of the account' },
			{ name: 'Reader', value: 'reader', description: 'Read access to all spaces of the account' },
		],
		default: 'reader',
		description: 'What the key may do',
	},
	z.enum(['admin', 'reader']),
);

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create an access key',
	description: 'Make a key for integrations; its secret is in the output and is never shown again',
	fields: [secretNotice, name, role],
	async run({ client, parameter, hint }) {
		const given = { name: parameter(name), role: parameter(role) };
		const { key, secret } = await client.accessKeys.create(given);
		const note = 'The secret is shown only this once. If it is lost, delete the key and make a new one.';
		hint(`${note} Store it safely now: executions that n8n saves hold it too.`);
		return { key, secret, ...given, note };
	},
};
