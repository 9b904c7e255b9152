import { gridFields } from '../../shared/inputs/chosenGrid';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { formPicker } from '../../shared/inputs/pickers/form';
import { representationRow } from '../../shared/rows/output';
import { fieldRows } from '../formValues';
import { Forbidden } from '../../../client/errors';
import { chosenForm } from './chosenForm';
import { accountProtection } from './protection';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a form',
	description:
		'Read a form of a grid: its name, and the fields it asks for with their labels, types and options',
	fields: [accountProtection, ...gridFields, formPicker, simplify],
	async run({ client, parameter }) {
		const { open, fields } = await chosenForm(client, parameter);
		if (!open.form || !fields) throw new Forbidden({ status: 403 });
		if (!parameter(simplify)) return representationRow(open.form, false);
		const { id, name, displayValue } = open.form;
		return { id, name: name ?? displayValue ?? null, fields: fieldRows(fields) };
	},
};
