import type { Resource } from '../shared/runner/operation';
import { get } from './form/get';
import { getMany } from './form/getMany';
import { submit } from './form/submit';

export const resources: readonly Resource[] = [
	{
		value: 'form',
		name: 'Form',
		description: 'A form of a grid; submitting it adds a row',
		operations: [get, getMany, submit],
		preferred: submit,
	},
];
