import { getLink } from '../session/addresses';
import { logIn, messageOf, read, Refusal, send, Unreachable } from '../session/api';
import * as schemas from '../session/schemas';
import type { Column, EntitySchema, Link, Row, SharedForm, SharedView } from '../session/schemas';
import { editorOf, textOf, valueFrom } from '../values/cells';
import { learnGuestNames } from './guestNames';
import { ask } from '../elements/dialog';
import { $, button, h, labelled, type Editor } from '../elements/dom';
import { inputsOf, saveRow } from '../rows/row';
import { isLink } from '../values/linkedRows';
import { optionNodes } from '../values/options';
import { worded } from '../values/writtenCells';

const ROWS_SHOWN = 100;
const ROWS = schemas.pageOf(schemas.row);

/** An input of a form (§2.9) as the column that it fills. */
function fieldOf({ formKey, options, _links, ...input }: SharedForm['inputs'][number]) {
	const { label, required, properties, type, visible, readonly } = schemas.formInput.parse(input[input.type]);
	const field: Column = {
		id: formKey,
		name: label,
		description: properties.description ?? null,
		type: { ...type, options: options ?? [] },
		offer: _links?.rows,
	};
	return { field, required, isAsked: visible && !readonly };
}

const MAYBE_ARRIVED =
	'The connection was lost before the service confirmed your answers. They may have arrived: sending them again may store them twice. Ask the person who gave you the link, or send them again if that does no harm.';

interface Submitting {
	readonly alert: HTMLElement;
	readonly editors: ReadonlyArray<{ readonly field: Column; readonly editor: Editor }>;
	readonly run: () => Promise<void>;
}

/** Runs a form, once at a time; what is typed meanwhile would be lost. An error marks its input. */
function onSubmit(form: HTMLFormElement, { alert, editors, run }: Submitting) {
	const submit = async (submitter: HTMLElement | null) => {
		if (form.inert) return;
		form.inert = true;
		alert.textContent = '';
		for (const { editor } of editors) editor.removeAttribute('aria-invalid');
		let wrong: Submitting['editors'][number] | undefined;
		try {
			await run();
		} catch (error) {
			const { message, fieldId } = worded(error, editors.map(({ field }) => field)); // prettier-ignore
			const isNamed = ({ field: { id, name } }: Submitting['editors'][number]) =>
				id === fieldId ||
				message.includes(`"${id}"`) ||
				message.includes(`"${name}"`) ||
				message.startsWith(`${name}: `);
			wrong = editors.find(isNamed);
			// To people without an account the service names a column by its id.
			alert.textContent = wrong
				? message.replaceAll(`"${wrong.field.id}"`, `“${wrong.field.name}”`)
				: message;
			wrong?.editor.setAttribute('aria-invalid', 'true');
			wrong?.editor.setAttribute('aria-errormessage', alert.id);
		}
		form.inert = false;
		const input = wrong?.editor.querySelector('input') ?? wrong?.editor;
		(input ?? submitter)?.focus();
	};
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		void submit(event.submitter);
	});
}

function showForm(form: SharedForm) {
	const editors = form.inputs
		.map(fieldOf)
		.filter(({ isAsked }) => isAsked)
		.map(({ field, required }) => ({ field, required, editor: editorOf(field, undefined, { required }) }));
	const error = h('p', { role: 'alert', id: 'wrong' });
	const labels = editors.map(({ field: { name, description }, required, editor }) =>
		labelled(required ? `${name} (required)` : name, editor, description),
	);
	const element = h(
		'form',
		{},
		...labels,
		error,
		h('button', { type: 'submit', className: 'main', textContent: 'Send' }),
	);
	const run = async () => {
		const blank = editors.find(({ required, editor }) => required && editor.value.trim() === '');
		if (blank) throw new Error(`${blank.field.name}: an answer is required`);
		const filled = editors.filter(({ editor }) => editor.value !== '');
		const values = filled.map(({ field, editor }) => [field.id, valueFrom(field, editor.value)] as const);
		await send(form._links.submit, { body: Object.fromEntries(values) }).catch((error: unknown) => {
			throw error instanceof Unreachable ? new Error(MAYBE_ARRIVED) : error;
		});
		const again = button('Send another', () => {
			showForm(form);
		});
		$('public').replaceChildren(
			h('h1', { textContent: form.name }),
			h('p', { role: 'status', textContent: 'Thank you. Your answers were saved.' }),
			again,
		);
	};
	onSubmit(element, { alert: error, editors, run });
	$('public').replaceChildren(h('h1', { textContent: form.name }), element);
}

/** The page of rows that was asked for last. */
let wanted: Link | undefined;

async function showRows(view: SharedView, link = view._links.entities, isFirst = true) {
	wanted = link;
	const page = await read(link, ROWS, isFirst ? { query: { pageSize: ROWS_SHOWN } } : {});
	await learnGuestNames({
		rows: page.items,
		fields: view.fields,
		names: view._links.names,
		page: page._links.self,
	});
	if (wanted !== link) return;
	const head = h('tr', {}, ...view.fields.map(({ name }) => h('th', { textContent: name, scope: 'col' })));
	const cell = (field: Column, value: unknown) =>
		h('td', {}, ...(optionNodes(field, value) ?? [textOf(field, value)]));
	const rows = page.items.map((row) =>
		h('tr', {}, ...view.fields.map((field) => cell(field, row[field.id]))),
	);
	const table = h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows));
	const turnTo = (to: Link) =>
		showRows(view, to, false).catch((error: unknown) => {
			$('public').append(h('p', { role: 'alert', textContent: messageOf(error) }));
		});
	const go = (name: string, text: string) => {
		const to = page._links[name];
		return to && button(text, () => turnTo(to));
	};
	$('public').replaceChildren(
		h('h1', { textContent: view.name }),
		h(
			'p',
			{ className: 'buttons' },
			go('prev', 'Previous'),
			`Page ${page.page} of ${Math.max(1, page.numberOfPages)}`,
			go('next', 'Next'),
		),
		h('div', { className: 'wide', tabIndex: 0, role: 'region', 'aria-label': view.name }, table),
	);
}

/** The fields that a schema of entities describes (§4.4). */
const fieldsOf = ({ properties }: EntitySchema) =>
	Object.entries(properties).map(
		([id, one]): Column => ({
			id,
			name: one.title,
			description: one.description ?? null,
			type: one['x-type'],
		}),
	);

/** Shows one row; its values can be changed if the link allows it. */
async function showRecord(row: Row) {
	const schema = await read(row._links.schema, schemas.entitySchema);
	const fields = fieldsOf(schema);
	await learnGuestNames({ rows: [row], fields, names: row._links.names });
	// A link is not written by hand.
	const canWrite = (field: Column) => row._links.update !== undefined && !isLink(field);
	const { editors, nodes } = inputsOf(fields, row, canWrite);
	const message = h('p', { role: 'alert', id: 'wrong' });
	const save = h('button', { type: 'submit', className: 'main', textContent: 'Save' });
	const element = h('form', {}, ...nodes, message, ...(row._links.update ? [save] : []));
	const run = async () => {
		let after = row;
		const done = (entity: Row | undefined) => {
			after = entity ?? after;
		};
		await saveRow(row, { editors, done });
		if (after._links.schema) await showRecord(after);
		else element.replaceChildren();
		$('public').append(h('p', { role: 'status', textContent: 'Saved.' }));
	};
	const inputs = [...editors].map(([field, { editor }]) => ({ field, editor }));
	onSubmit(element, { alert: message, editors: inputs, run });
	$('public').replaceChildren(h('h1', { textContent: schema.title }), element);
}

async function show(link: Link) {
	const shared = await read(link, schemas.shared);
	if (shared._links.submit) showForm(schemas.sharedForm.parse(shared));
	else if (shared._links.schema) await showRecord(schemas.row.parse(shared));
	else await showRows(schemas.sharedView.parse(shared));
}

/** Opens a public link; asks for a login if it is protected. @param href address of the link */
export async function openPublicLink(href: string) {
	const link = getLink(href);
	$('entry').hidden = true;
	$('public').hidden = false;
	try {
		if (!/^\/api\/[ar]\/\w+\/\w+$/.test(href)) throw new Error('This is not the address of a public link');
		await show(link);
	} catch (error) {
		const retry = () => {
			ask({
				title: 'This link is protected',
				fields: [
					{ name: 'user', label: 'User name or key', required: true },
					{ name: 'password', label: 'Password or secret', type: 'password', required: true },
				],
				action: 'Open',
				run: async ({ user, password }) => {
					logIn(user, password);
					await show(link).catch((problem: unknown) => {
						if (!(problem instanceof Refusal) || problem.status !== 401) throw problem;
						throw new Error('The name or the password of this link is wrong');
					});
				},
			});
		};
		$('public').replaceChildren(
			h('h1', { textContent: 'Public link' }),
			h('p', { role: 'alert', textContent: messageOf(error) }),
			button('Log in to this link', retry),
		);
	}
}
