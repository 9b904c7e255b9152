import type { Operation } from '../../shared/runner/operation';
import { fieldsOfForm, formValueFields, submission, submitted } from '../formValues';
import { chosenPublicForm, linkFields } from './link';

const values = formValueFields({ method: 'getPublicFormFields', dependsOn: ['linkProtection', 'link'] });

export const submit: Operation = {
	value: 'submit',
	name: 'Submit Form',
	action: 'Submit a public form',
	description: 'Fill in a form behind a public link and submit it; needs no account',
	fields: [...linkFields, ...values.fields],
	async runWithoutAccount(context) {
		const { node, parameter } = context;
		const forms = await chosenPublicForm(node, parameter);
		const form = await forms.getIfReadable();
		const told = form ? fieldsOfForm(form, []) : [];
		const fields = told.length > 0 ? told : undefined;
		const body = submission(values.read(parameter), fields, context);
		return submitted(await forms.submit(form, body), body, fields);
	},
};
