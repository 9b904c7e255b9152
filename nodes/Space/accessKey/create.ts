import { choice } from '../../shared/inputs/choice';
import { notice, requiredText, textInput } from '../../shared/inputs/parameter';
import { account } from '../../shared/inputs/target';
import { operation } from '../../shared/runner/operation';

const name = textInput(
	{
		displayName: 'Name',
		name: 'name',
		required: true,
		placeholder: 'e.g. n8n',
		description: 'A name that tells what the key is used for',
	},
	requiredText('a name is required'),
);

const role = choice(
	'role',
	'Role',
	{
		admin: { name: 'Admin', description: 'Full access to all spaces of the account' },
		reader: { name: 'Reader', description: 'Read access to all spaces of the account' },
	},
	{ default: 'reader', description: 'What the key may do' },
);

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create access key',
	description: 'Create an access key for integrations; only this output contains its secret',
	whenRejected: 'Check the name and the role of the key.',
	on: account,
	notice: notice(
		'secretNotice',
		'Only the output of this run contains the secret of the key; the service never shows it again. Let the next node store it, e.g. in a vault. Executions that n8n saves contain it, too.',
	),
	fields: [name, role],
	async run({ client, parameter, hint }) {
		const properties = { name: parameter(name), role: parameter(role) };
		const { key, secret } = await client.accessKeys.create(properties);
		const note = 'The secret is shown only once. If you lose it, delete the key and create a new one.';
		hint(`${note} Store it safely now. Executions that n8n saves contain it, too.`, 'warning');
		return { key, secret, ...properties, note };
	},
});
