import { z } from 'zod/v4';
import { chosenSpace } from '../../shared/inputs/chosenSpace';
import { idOrAddress } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { spacePicker } from '../../shared/inputs/pickers/space';
import { spaceName } from './properties';

const name = spaceName({
	displayName: 'Name of the Copy',
	placeholder: 'e.g. Operations 2027',
	description: 'At most 80 characters, unique in the account. Empty: the service names it.',
});

const includeEntities = input(
	{
		displayName: 'Include Entities',
		name: 'includeEntities',
		type: 'boolean',
		default: false,
		description:
			'Whether to copy the entities (rows) too, and not only the structure: grids, columns and views',
	},
	z.boolean(),
);

export const copy: Operation = {
	value: 'copy',
	name: 'Copy',
	action: 'Copy a space',
	description: 'Make a new space like another one, with or without its entities',
	fields: [spacePicker, name, includeEntities],
	async run({ client, parameter }) {
		const options = { name: parameter(name), includeEntities: parameter(includeEntities) };
		const space = await chosenSpace(client, parameter);
		const made = await client.spaces.copy(space, options);
		return { ...(made ? idOrAddress(made) : {}), copyOf: space.id, ...options };
	},
};
