import type { Resource } from '../shared/runner/operation';
import { get as getForm } from './form/get';
import { submit } from './form/submit';
import { get as getRow } from './row/get';
import { update as updateRow } from './row/update';
import { getRows } from './view/getRows';

export const resources: readonly Resource[] = [
	{
		value: 'form',
		name: 'Form',
		description: 'A form that adds a row',
		operations: [getForm, submit],
		preferred: submit,
	},
	{
		value: 'row',
		name: 'Row',
		description: 'One row, to be read and changed',
		operations: [getRow, updateRow],
	},
	{
		value: 'view',
		name: 'View',
		description: 'Rows that are shared read-only',
		operations: [getRows],
	},
];
