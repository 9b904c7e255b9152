import { aspect, type Settings } from '../aspect';
import { isJsonObject, withJson, without, type Json, type JsonObject, type Step } from '../exchange';

/** §2.9 shows blocks and inputs; its gaps: where they stand in a form is not shown. */
export const forms = aspect({
	inputs: ['a list', 'nested blocks', 'by field', 'nowhere'],
	members: ['all', 'few'],
});
type Forms = Settings<typeof forms.dials>;

/**
 * An input with its `formKey` and the member that is named
 * like its type, of which only the label is left.
 */
function withFewMembers(input: Json): Json {
	if (!isJsonObject(input)) return input;
	const { type, formKey } = input;
	if (typeof type !== 'string') return input;
	const member = input[type];
	const label = isJsonObject(member) && member['label'] !== undefined ? { label: member['label'] } : {};
	return { type, ...(formKey === undefined ? {} : { formKey }), [type]: label };
}

const block = (type: string, children: Json[]): JsonObject => ({
	type,
	metaType: 'block',
	has_children: true,
	children,
});

function placed(inputs: readonly Json[], how: Forms['inputs']): JsonObject {
	switch (how) {
		case 'a list':
			return { inputs: [...inputs] };
		case 'nested blocks':
			return {
				page: block('page', [
					{ type: 'header', metaType: 'block', header: { text: 'Fill in', label: 'Title' } },
					block('layout', inputs.slice(0, 2)),
					block('layout', [block('layout', inputs.slice(2))]),
				]),
			};
		case 'by field':
			return {
				content: Object.fromEntries(
					inputs.map((input, index) => [
						isJsonObject(input) && typeof input['formKey'] === 'string' ? input['formKey'] : `part ${index}`,
						input,
					]),
				),
			};
		case 'nowhere':
			return {};
	}
}

export function formsStep({ inputs: how, members }: Forms): Step {
	return {
		response(response, { endpoint }) {
			if (endpoint !== 'form' && endpoint !== 'publicForm') return response;
			// A person without an account knows the fields of a form by nothing else.
			if (endpoint === 'publicForm' && how === 'nowhere') return response;
			return withJson(response, (form) => {
				if (!isJsonObject(form) || !Array.isArray(form['inputs'])) return form;
				const inputs = members === 'few' ? form['inputs'].map(withFewMembers) : form['inputs'];
				return { ...without(form, 'inputs'), ...placed(inputs, how) };
			});
		},
	};
}
