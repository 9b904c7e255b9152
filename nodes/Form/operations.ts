import type { Resource } from '../shared/runner/operation';
import { get } from './form/get';
import { getMany } from './form/getMany';
import { submit } from './form/submit';
import { get as getPublicForm } from './publicForm/get';
import { getRow } from './publicForm/getRow';
import { getRows } from './publicForm/getRows';
import { submit as submitPublicForm } from './publicForm/submit';
import { updateRow } from './publicForm/updateRow';

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
		name: 'Public Link',
		description: 'A form, shared view or row behind a public link; needs no account',
		operations: [getPublicForm, getRow, getRows, submitPublicForm, updateRow],
		preferred: submitPublicForm,
	},
];
