import { Forbidden } from '../../../client';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { operation } from '../../shared/runner/operation';
import { fieldRows } from '../../shared/inputs/formValues';
import { chosenForm } from './chosenForm';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get form',
	description: 'Get a form of a grid: its name and its fields with labels, types and options',
	on: chosenForm,
	fields: [simplify],
	run({ form, formFields, parameter, represent }) {
		if (!form || !formFields) throw new Forbidden({ status: 403 });
		if (!parameter(simplify)) return represent(form);
		const { id, name, displayValue } = form;
		return { id, name: name ?? displayValue ?? null, fields: fieldRows(formFields) };
	},
});
