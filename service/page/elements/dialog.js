import { button, h, labelled, nameOf, say } from './dom';

/** The element that had the focus when a dialog was opened. */
const openers = new WeakMap();

/** Grows with each window that is asked for or opened, and with each grid that is opened. */
let requests = 0;

const EDITORS = 'input, textarea, select';

/** Abandons the windows that were asked for and have not opened yet. */
export function abandonPending() {
	requests += 1;
}

/**
 * Call before a request whose response opens a window.
 * @returns a function that tells whether the person still waits for it. If not, the window would
 * cover what they do now, and take what they type
 */
export function waiting() {
	abandonPending();
	const [own, place] = [requests, document.activeElement];
	return () => {
		const { activeElement } = document;
		return requests === own && (activeElement === place || !activeElement.matches(EDITORS));
	};
}

/** Returns the focus to the element that opened a dialog, or to the one that replaced it. */
function focusOpener(dialog) {
	if (document.activeElement !== document.body) return;
	let opener = openers.get(dialog);
	// The dialog may have been opened from another one that is now closed.
	for (let from = opener?.closest('dialog'); from && !from.isConnected; from = opener?.closest('dialog'))
		opener = openers.get(from);
	if (!opener || opener.isConnected) return void opener?.focus();
	const top = [...document.querySelectorAll('dialog')].at(-1);
	const buttons = [...(top ?? document).querySelectorAll('button')];
	const same = buttons.find((one) => nameOf(one) === nameOf(opener));
	(same ?? (top && buttons.at(-1)))?.focus();
}

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
		focusOpener(dialog);
	});
	const { activeElement } = document;
	// While a dialog is busy, its button is disabled and has lost the focus.
	const busy = [...document.querySelectorAll('dialog')].at(-1);
	openers.set(dialog, activeElement === document.body ? busy : activeElement);
	document.body.append(dialog);
	abandonPending();
	dialog.showModal();
	return dialog;
}

/**
 * Shows content in a dialog with a button to close it.
 * @returns `close()`, and `replace(…content)`, which does nothing once the dialog is closed
 */
export function showPanel(title, ...content) {
	const close = () => dialog.close();
	const body = h('div', {}, ...content);
	const buttons = h('p', { className: 'buttons' }, button('Close', close));
	const dialog = show(title, h('div', {}, body, buttons), true);
	const replace = (...next) => {
		if (!dialog.open) return;
		const hadFocus = body.contains(document.activeElement);
		body.replaceChildren(...next);
		if (hadFocus) buttons.lastElementChild.focus();
	};
	return { close, replace };
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
 * @param fields `{ name, label, type, value, options, … }`, a node to show, or nothing; `shownFor`
 * names another input and the values for which this one is shown
 * @param run receives the values by name and `isOpen()`: whether the dialog is still open. Its
 * error is shown in the dialog, which stays open, or on the page if the dialog was closed
 */
export function ask({ title, intro, fields = [], action, isDanger = false, run }) {
	const error = h('p', { role: 'alert' });
	const conditional = [];
	const rows = fields.filter(Boolean).map((field) => {
		if (field instanceof Node) return field;
		const { label, hint, shownFor, ...input } = field;
		const row = labelled(label, inputOf(input), hint);
		if (shownFor) conditional.push({ row, ...shownFor });
		return row;
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
		...rows,
		error,
		h(
			'p',
			{ className: 'buttons' },
			button('Cancel', () => dialog.close()),
			submit,
		),
	);
	const showFitting = () => {
		for (const { row, name, values } of conditional) row.hidden = !values.includes(form.elements[name].value);
	};
	form.addEventListener('change', showFitting);
	showFitting();
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		submit.disabled = true;
		error.textContent = '';
		try {
			await run(valuesOf(form), () => dialog.open);
			dialog.close();
		} catch (problem) {
			if (dialog.open) error.textContent = problem.message;
			else say(new Error(`${title}: ${problem.message}`));
		}
		submit.disabled = false;
	});
	const dialog = show(title, form, false);
	return dialog;
}

/** The values of a form by name; for a file input, the file. */
function valuesOf(form) {
	const inputs = [...form.elements].filter((input) => input.name);
	return Object.fromEntries(
		inputs.map((input) => {
			if (input.type === 'checkbox') return [input.name, input.checked];
			return [input.name, input.type === 'file' ? input.files[0] : input.value];
		}),
	);
}

/** Asks to confirm an action that cannot be undone. @param lost describes what is lost */
export const confirmLoss = ({ title, lost, action, run }) =>
	ask({ title, intro: lost, action, isDanger: true, run });
