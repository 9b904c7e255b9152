import { writableGridFields } from '../../shared/inputs/chosenGrid';
import type { Operation } from '../../shared/runner/operation';
import { formPicker } from '../../shared/inputs/pickers/form';
import { formValueFields, submission, submitted } from '../formValues';
import { chosenForm } from './chosenForm';
import { accountProtection } from './protection';

const values = formValueFields({
	method: 'getFormFields',
	dependsOn: ['space.value', 'grid.value', 'form.value'],
});

export const submit: Operation = {
	value: 'submit',
	name: 'Submit',
	action: 'Submit a form',
	description: 'Fill in a form of a grid and submit it, which adds an entity (row) to the grid',
	fields: [accountProtection, ...writableGridFields, formPicker, ...values.fields],
	async run(context) {
		const { client, parameter } = context;
		const { open, fields } = await chosenForm(client, parameter);
		const body = submission(values.read(parameter), fields, context);
		return submitted(await client.forms.submit(open, body), body, fields);
	},
};
