import type { Operation } from '../../shared/runner/operation';

export const getVersion: Operation = {
	value: 'getVersion',
	name: 'Get Version',
	action: 'Get the version of the service',
	description: 'Read the version of the Data-Grid Service',
	fields: [],
	async run({ client }) {
		return { version: await client.meta.version() };
	},
};
