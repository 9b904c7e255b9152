import { z } from 'zod/v4';
import { idOrAddress } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { chosenStatefulView, changeableStatefulViewFields } from './chosenStatefulView';

const email = input(
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. ada@example.com',
		description: 'The email address of the person to share the stateful view with',
	},
	z.string().trim().pipe(z.email('it is not an email address')),
);

const role = input(
	{
		displayName: 'Role',
		name: 'role',
		type: 'options',
		options: [
			{ name: 'Admin', value: 'admin', description: 'Everything, including structure and sharing' },
			{ name: 'Creator', value: 'creator', description: 'Add rows, without reading any' },
			{ name: 'Reader', value: 'reader', description: 'Read rows' },
			{ name: 'Writer', value: 'writer', description: 'Read and change rows' },
		],
		default: 'reader',
		description: 'What the person may do',
	},
	z.enum(['admin', 'creator', 'reader', 'writer']),
);

export const share: Operation = {
	value: 'share',
	name: 'Share',
	action: 'Share a stateful view',
	description: 'Give a person a role in a stateful view, by email address',
	fields: [...changeableStatefulViewFields, email, role],
	async run({ client, parameter }) {
		const given = { email: parameter(email), role: parameter(role) };
		const { grid, statefulView } = await chosenStatefulView(client, parameter);
		const created = await client.statefulViews.share(grid, statefulView, given);
		return {
			...(created ? idOrAddress(created) : {}),
			statefulViewId: statefulView.id,
			gridId: grid.id,
			...given,
		};
	},
};
