import { allows } from '../../rules/access';
import * as responses from '../../http/responseSchemas';
import { inputFor } from '../../rules/blockTypes';
import { badRequest, notFound } from '../../rules/errors';
import { formFields, missingIn, type FormField } from '../../rules/formDesign';
import { readBody, recordBody, type Values } from '../../rules/layouts';
import { parseInput } from '../../http/input';
import type { Links } from '../../http/links';
import { collectionOf, plainPage } from '../../http/paging';
import type { Entity } from '../../store/rows/entities';
import type { Form } from '../../store/structure/presentation';
import { createEntity, entityPath } from './rowAccess';
import { created } from '../../http/route';
import { inGrid, linksFor, type EntitiesCall } from '../scopes';

/** The inputs of a form, limited to the fields that the grid shows. */
function inputsOf({ base, fields }: EntitiesCall, { inputs }: Form): readonly FormField[] {
	const shown = inputs === null ? fields : inputs.flatMap((id) => fields.filter((field) => field.id === id));
	return formFields(base.properties, shown);
}

/** A form. That of a view has the name of the view, because that of the grid may be hidden. */
function formView(call: EntitiesCall, form: Form, inputs?: readonly unknown[]) {
	const name = call.grid.definition ? call.grid.name : form.name;
	return {
		_representation: inputs ? 'full' : 'summary',
		id: form.id,
		name,
		type: 'form',
		metaType: 'form',
		displayValue: name,
		...(inputs ? { inputs } : {}),
		_links: linksFor(call, call.kinds.form, { formId: form.id }),
	};
}

/** The addressed form. @throws ServiceError 404 */
function formOf({ store, base, params }: EntitiesCall): Form {
	const found = store.presentation.form(base.no, params['formId'] ?? '');
	if (!found) throw notFound('Form');
	return found;
}

/** The inputs of the addressed form. @throws ServiceError 404 */
export const formInputs = (call: EntitiesCall) => inputsOf(call, formOf(call));

/** The form with its inputs. @param linksOf links of an input; undefined for none */
export const getForm = (call: EntitiesCall, linksOf?: (input: FormField) => Links | undefined) =>
	formView(
		call,
		formOf(call),
		formInputs(call).map((input) => {
			const _links = linksOf?.(input);
			return { ...inputFor(input), ...(_links ? { _links } : {}) };
		}),
	);

/**
 * Adds an entity with the values of a submission: field IDs are keys in any layout (§4.4).
 * @param checked returns the values to store of those that fit their fields, or refuses them
 */
export function submitForm(
	call: EntitiesCall,
	checked = (_: readonly FormField[], values: Values): Values => values,
): Entity {
	const inputs = formInputs(call);
	if (call.body === undefined)
		throw badRequest('The body is missing. For a form without values, send an empty object');
	const fields = inputs.map(({ field }) => field);
	const values = readBody('field', fields, call.body, { hideFields: !allows(call.role, 'reader') });
	const missing = missingIn(inputs, values);
	if (missing) throw badRequest(`A value for "${missing.field.id}" is required`);
	return createEntity(call, checked(inputs, values));
}

const forms = inGrid('/forms');

forms.get(
	'',
	'reader',
	{
		on: { grid: 'forms', virtualGrid: 'forms' },
		query: plainPage,
		response: responses.pageOf(responses.form),
	},
	(call) => {
		const page = parseInput(plainPage, call.query, 'Query');
		const list = collectionOf(call.store.presentation.forms(call.base.no), page, call.url);
		return { ...list, items: list.items.map((form) => formView(call, form)) };
	},
);

forms.get('/:formId', 'reader', { on: { form: 'self' }, response: responses.form }, (call) => getForm(call));

forms.post('/:formId', 'creator', { on: { form: 'submit' }, body: recordBody, response: 'created' }, (call) =>
	created(entityPath(call, submitForm(call).id)),
);

export const formRoutes = forms.routes;
