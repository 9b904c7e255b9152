import { choice } from '../../shared/inputs/choice';

/** How to find the rows of many items. */
export const findRows = choice(
	'findRows',
	'Find Rows',
	{
		allAtOnce: {
			name: 'All at Once',
			description: 'Reads the whole grid once. Rows that others add meanwhile are not found.',
		},
		automatic: { name: 'Automatic', description: 'What takes fewer requests' },
		oneByOne: { name: 'One by One', description: 'One request for each different key' },
	},
	{ default: 'automatic', description: 'How to find the rows of the items' },
);

export type FindRows = 'allAtOnce' | 'automatic' | 'oneByOne';
