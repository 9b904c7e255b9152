import { choices } from '../../shared/inputs/choice';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { account } from '../../shared/inputs/target';
import { operation } from '../../shared/runner/operation';

const include = choices(
	'include',
	'Include',
	{
		blockTypes: { name: 'Block Types', description: 'Blocks and form inputs, each with a sample definition' },
		fieldTypes: { name: 'Column Types', description: 'With the JSON schemas of their values' },
		nodeTypes: { name: 'Flow Node Types', description: 'Names of the nodes that a flow can contain' },
		user: { name: 'User', description: 'The account of the credential; its ID addresses push notifications' },
		version: { name: 'Version', description: 'The version of the service' },
	},
	{ default: ['user', 'version'], description: 'What to read; at least one' },
);

export const getInfo = operation({
	value: 'getInfo',
	name: 'Get Info',
	action: 'Get info about service',
	description:
		'Get your account, the version of the service, and the types of columns, blocks and flow nodes',
	on: account,
	fields: [include, simplify],
	async run({ client, parameter, represent }) {
		const wanted = new Set(parameter(include));
		const { meta } = client;
		return {
			...(wanted.has('user') ? { user: represent(await client.session.currentUser.me()) } : {}),
			...(wanted.has('version') ? { version: await meta.version() } : {}),
			...(wanted.has('fieldTypes') ? { fieldTypes: await meta.fieldTypes() } : {}),
			...(wanted.has('blockTypes') ? { blockTypes: await meta.blockTypes() } : {}),
			...(wanted.has('nodeTypes') ? { nodeTypes: await meta.flowNodeTypes() } : {}),
		};
	},
});
