import { z } from 'zod/v4';
import { choice } from './choice';
import { textInput } from './parameter';

/** The person that something is shared with. */
export const emailOf = (description: string) =>
	textInput(
		{
			displayName: 'Email',
			name: 'email',
			required: true,
			placeholder: 'e.g. nathan@example.com',
			description,
		},
		z.string().trim().pipe(z.email('it is not an email address')),
	);

/** What the person may do (§5). */
export const roleOf = (description: string) =>
	choice(
		'role',
		'Role',
		{
			admin: { name: 'Admin', description: 'Everything, including structure and sharing' },
			creator: { name: 'Creator', description: 'Add rows without reading any' },
			reader: { name: 'Reader', description: 'Read rows' },
			writer: { name: 'Writer', description: 'Read and change rows' },
		},
		{ default: 'reader', description },
	);
