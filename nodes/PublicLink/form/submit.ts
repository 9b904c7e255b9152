import { withFieldNames } from '../../../client';
import { accountlessOperation } from '../../shared/runner/operation';
import { allowEmptyRow } from '../../shared/inputs/columns/emptyRow';
import { fieldsOfForm, formValueFields, submission, submitted } from '../../shared/inputs/formValues';
import { chosenPublicForm, linkFields } from '../link';

const values = formValueFields({ method: 'getPublicFormFields', dependsOn: ['access', 'link'] });

export const submit = accountlessOperation({
	value: 'submit',
	name: 'Submit',
	action: 'Submit form behind link',
	description: 'Submit a form behind a public link, which adds a row',
	fields: [...linkFields, ...values.fields],
	options: [allowEmptyRow],
	async run(context) {
		const { node, parameter } = context;
		const forms = await chosenPublicForm(node, parameter);
		const form = await forms.getIfReadable();
		const ofForm = form ? fieldsOfForm(form, []) : [];
		const fields = ofForm.length > 0 ? ofForm : undefined;
		const body = submission(values.read(context), fields, context);
		return submitted(await withFieldNames(fields, forms.submit(form, body)), body, fields, 'submissionId');
	},
});
