import { button, h, labelled } from './dom.js';

/** Shows a dialog until it is closed. @returns the dialog */
function show(title, content, isWide) {
	const heading = h('h2', { textContent: title, id: `dialog-${document.querySelectorAll('dialog').length}` });
	const dialog = h(
		'dialog',
		{ className: isWide ? 'wide' : '', 'aria-labelledby': heading.id },
		heading,
		content,
	);
	dialog.addEventListener('close', () => {
		dialog.remove();
	});
	document.body.append(dialog);
	dialog.showModal();
	return dialog;
}

/** Shows something to read and to act on. @returns a function that closes it */
export function showPanel(title, ...content) {
	const close = () => {
		dialog.close();
	};
	const dialog = show(
		title,
		h('div', {}, ...content, h('p', { className: 'buttons' }, button('Close', close))),
		true,
	);
	return close;
}

/** The input of a field of a form. */
function inputOf({ type = 'text', name, value = '', options, ...more }) {
	if (type === 'select') {
		const choices = options.map((option) => {
			const [one, label] = Array.isArray(option) ? option : [option, option];
			return h('option', { value: one, textContent: label, selected: one === value });
		});
		return h('select', { name, ...more }, ...choices);
	}
	if (type === 'textarea') return h('textarea', { name, value, rows: 4, ...more });
	if (type === 'checkbox') return h('input', { name, type, checked: value === true, ...more });
	return type === 'file' ? h('input', { name, type, ...more }) : h('input', { name, type, value, ...more });
}

/**
 * Asks for values in a dialog.
 * @param fields `{ name, label, type, value, options, … }`, or a node that is shown as it is
 * @param run is given the values by name; what it throws is shown, and the dialog stays
 */
export function ask({ title, intro, fields = [], action, isDanger = false, run }) {
	const error = h('p', { role: 'alert' });
	const rows = fields.map((field) => {
		if (field instanceof Node) return field;
		const { label, hint, ...input } = field;
		return labelled(label, inputOf(input), hint);
	});
	const submit = h('button', {
		type: 'submit',
		textContent: action,
		className: isDanger ? 'danger' : 'main',
	});
	const form = h(
		'form',
		{ method: 'dialog' },
		...(intro ? [h('p', { textContent: intro })] : []),
		...rows.filter(Boolean),
		error,
		h(
			'p',
			{ className: 'buttons' },
			button('Cancel', () => dialog.close()),
			submit,
		),
	);
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		submit.disabled = true;
		error.textContent = '';
		try {
			await run(valuesOf(form));
			dialog.close();
		} catch (problem) {
			error.textContent = problem.message;
		}
		submit.disabled = false;
	});
	const dialog = show(title, form, false);
	return dialog;
}

/** The values of a form by name; of a file input the file. */
function valuesOf(form) {
	const inputs = [...form.elements].filter((input) => input.name);
	return Object.fromEntries(
		inputs.map((input) => {
			if (input.type === 'checkbox') return [input.name, input.checked];
			return [input.name, input.type === 'file' ? input.files[0] : input.value];
		}),
	);
}

/** Asks whether to do what cannot be undone. @param lost what is lost, by name */
export const confirmLoss = ({ title, lost, action, run }) =>
	ask({ title, intro: lost, action, isDanger: true, run });
