import { accountlessOperation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { fieldRows, fieldsOfForm } from '../../shared/inputs/formValues';
import { chosenPublicForm, linkFields } from '../link';

export const get = accountlessOperation({
	value: 'get',
	name: 'Get',
	action: 'Get form behind link',
	description: 'Get the fields of a form behind a public link',
	fields: [...linkFields, simplify],
	async run({ node, parameter, represent }) {
		const form = await (await chosenPublicForm(node, parameter)).get();
		if (!parameter(simplify)) return represent(form);
		const { id, name, displayValue } = form;
		return { id: id ?? null, name: name ?? displayValue ?? null, fields: fieldRows(fieldsOfForm(form, [])) };
	},
});
