import type { INodeProperties } from 'n8n-workflow';
import { parameter, type Parameter, texts } from './parameter';

/** What an input for users calls the user of the credential. */
export const OWN_USER = 'me';

export const usersInput = (
	shown: Pick<INodeProperties, 'displayName' | 'name' | 'description'> & { default: string[] },
): Parameter<string[]> =>
	parameter(
		{
			...shown,
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add User' },
			placeholder: `e.g. ${OWN_USER}`,
		},
		texts.transform((ids) => ids.map((id) => id.trim()).filter((id) => id !== '')),
	);
