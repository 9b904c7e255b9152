import { withFieldNames } from '../../../client';
import { allowEmptyRow } from '../../shared/inputs/columns/emptyRow';
import { operation } from '../../shared/runner/operation';
import { formValueFields, submission, submitted } from '../../shared/inputs/formValues';
import { formToSubmit } from './chosenForm';

const values = formValueFields({
	method: 'getFormFields',
	dependsOn: ['space.value', 'grid.value', 'form.value'],
});

export const submit = operation({
	value: 'submit',
	name: 'Submit',
	action: 'Submit form',
	description: 'Submit a form of a grid, which adds a row to the grid',
	on: formToSubmit,
	fields: values.fields,
	options: [allowEmptyRow],
	async run(context) {
		const { client, open, formFields } = context;
		const body = submission(values.read(context), formFields, context);
		const submitting = client.forms.submit(open, body);
		return submitted(await withFieldNames(formFields, submitting), body, formFields);
	},
});
