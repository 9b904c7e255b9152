import { account } from '../../shared/inputs/target';
import { operation } from '../../shared/runner/operation';

export const getVersion = operation({
	value: 'getVersion',
	name: 'Get Version',
	action: 'Get version',
	description: 'Get the version of the Data-Grid Service',
	on: account,
	fields: [],
	run: async ({ client }) => ({ version: await client.meta.version() }),
});
