import type { Resource } from '../shared/operation';
import { get } from './form/get';
import { getMany } from './form/getMany';
import { submit } from './form/submit';
import { get as getPublicForm } from './publicForm/get';
import { submit as submitPublicForm } from './publicForm/submit';

export const resources: readonly Resource[] = [
	{
		value: 'form',
		name: 'Form',
		description: 'A form of a grid; submitting it adds a row',
		operations: [get, getMany, submit],
		preferred: submit,
	},
	{
		value: 'publicForm',
		name: 'Public Form',
		description: 'A form behind a public link, for which no account is needed',
		operations: [getPublicForm, submitPublicForm],
		preferred: submitPublicForm,
	},
];
