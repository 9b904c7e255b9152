import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { representationRow } from '../../shared/rows/output';
import { fieldRows, fieldsOfForm } from '../formValues';
import { chosenPublicForm, linkFields } from './link';

export const get: Operation = {
	value: 'get',
	name: 'Get Form',
	action: 'Get a public form',
	description: 'Open a public link to a form and read the fields it asks for; needs no account',
	fields: [...linkFields, simplify],
	async runWithoutAccount({ node, parameter }) {
		const form = await (await chosenPublicForm(node, parameter)).get();
		if (!parameter(simplify)) return representationRow(form, false);
		const { id, name, displayValue } = form;
		return { id: id ?? null, name: name ?? displayValue ?? null, fields: fieldRows(fieldsOfForm(form, [])) };
	},
};
