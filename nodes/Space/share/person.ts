import { z } from 'zod/v4';
import { ROLES } from '../../../client/resources/shares';
import { parameter } from '../../shared/inputs/parameter';

/** Whom a space is shared with. */
export const email = parameter(
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. nathan@example.com',
		description: 'The email address of the person',
	},
	z.string().trim().pipe(z.email('it is not an email address')),
);

/** What the person may do (§5). */
export const role = parameter(
	{
		displayName: 'Role',
		name: 'role',
		type: 'options',
		options: [
			{ name: 'Admin', value: 'admin', description: 'Everything, including structure and sharing' },
			{ name: 'Creator', value: 'creator', description: 'Add entities, without reading any' },
			{ name: 'Reader', value: 'reader', description: 'Read only' },
			{ name: 'Writer', value: 'writer', description: 'Read and change entities' },
		],
		default: 'reader',
		description: 'What the person may do in the space',
	},
	z.enum(ROLES),
);
