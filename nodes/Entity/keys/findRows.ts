import { choice } from '../../shared/inputs/choice';

/** How to find the rows of many items. */
export const findRows = choice(
	'findRows',
	'Find Rows',
	{
		allAtOnce: {
			name: 'All at Once',
			description: 'Reads the whole grid once. Rows that others add in the meantime are not found.',
		},
		automatic: { name: 'Automatic', description: 'The way that takes fewer requests' },
		oneByOne: { name: 'One by One', description: 'One request for each distinct key' },
	},
	{ default: 'automatic', description: 'How to find the rows of the items' },
);

export type FindRows = 'allAtOnce' | 'automatic' | 'oneByOne';
