import type { Resource } from '../shared/operation';
import { get } from './form/get';
import { getMany } from './form/getMany';
import { submit } from './form/submit';
import { get as getPublicForm } from './publicForm/get';
import { submit as submitPublicForm } from './publicForm/submit';

export const resources: readonly Resource[] = [
	{ value: 'form', name: 'Form', operations: [get, getMany, submit] },
	{ value: 'publicForm', name: 'Public Form', operations: [getPublicForm, submitPublicForm] },
];
