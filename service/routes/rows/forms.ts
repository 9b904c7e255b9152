import { allows } from '../../rules/access';
import * as responses from '../../http/responseSchemas';
import { inputFor } from '../../rules/blockTypes';
import { badRequest, notFound } from '../../rules/errors';
import type { Field } from '../../rules/fieldTypes';
import { readBody, recordBody } from '../../rules/layouts';
import type { Links } from '../../http/links';
import { parseInput } from '../../http/input';
import { collectionOf, plainPage } from '../../http/paging';
import type { Form } from '../../store/structure/presentation';
import { createEntity, entityPath } from './rowAccess';
import { created } from '../../http/route';
import { inGrid, linksFor, type GridCall } from '../scopes';

/** The fields of a form, limited to those that the grid shows. */
function inputFields(form: Form, shown: readonly Field[]): readonly Field[] {
	const { inputs } = form;
	return inputs === null ? shown : inputs.flatMap((id) => shown.filter((field) => field.id === id));
}

/** A form with its inputs. That of a view has its name, because the grid's may be hidden. */
export function formView(
	form: Form,
	{ grid, fields: shown }: Pick<GridCall, 'grid' | 'fields'>,
	full: boolean,
	links: Links,
) {
	const name = grid.definition ? grid.name : form.name;
	return {
		_representation: full ? 'full' : 'summary',
		id: form.id,
		name,
		type: 'form',
		metaType: 'form',
		displayValue: name,
		...(full ? { inputs: inputFields(form, shown).map(inputFor) } : {}),
		_links: links,
	};
}

/** The values of a submission, with field IDs as keys in any layout (§4.4). */
export function readSubmission(form: Form, shown: readonly Field[], body: unknown, hideFields: boolean) {
	if (body === undefined)
		throw badRequest('The body is missing. For a form without values, send an empty object');
	return readBody('field', inputFields(form, shown), body, { hideFields });
}

function formOf(call: GridCall): Form {
	const found = call.store.presentation.form(call.base.no, call.params['formId'] ?? '');
	if (!found) throw notFound('Form');
	return found;
}

const linksOf = (call: GridCall, form: Form) => linksFor(call, 'form', { formId: form.id });

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
		return {
			...list,
			items: list.items.map((form) => formView(form, call, false, linksOf(call, form))),
		};
	},
);

forms.get('/:formId', 'reader', { on: { form: 'self' }, response: responses.form }, (call) => {
	const form = formOf(call);
	return formView(form, call, true, linksOf(call, form));
});

forms.post(
	'/:formId',
	'creator',
	{ on: { form: 'submit' }, body: recordBody, response: 'created' },
	(call) => {
		const values = readSubmission(formOf(call), call.fields, call.body, !allows(call.role, 'reader'));
		const entity = createEntity(call, values, call.identity.userId);
		return created(entityPath(call, entity.id));
	},
);

export const formRoutes = forms.routes;
