import { messageOf } from '../session/api';
import { button, h, labelled, nameOf, say, shown } from './dom';
import { whileShown } from './progress';

/** The element that had the focus when a dialog was opened. */
const openers = new WeakMap<Element, Element>();

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
		return requests === own && (activeElement === place || !activeElement?.matches(EDITORS));
	};
}

function focus(element: Element | undefined) {
	if (element instanceof HTMLElement) element.focus();
}

/** Returns the focus to the element that opened a dialog, or to the one that replaced it. */
function focusOpener(dialog: HTMLDialogElement) {
	if (document.activeElement !== document.body) return;
	let opener = openers.get(dialog);
	// The dialog may have been opened from another one that is now closed.
	for (let from = opener?.closest('dialog'); from && !from.isConnected; from = opener?.closest('dialog'))
		opener = openers.get(from);
	if (!opener || opener.isConnected) {
		focus(opener);
		return;
	}
	const name = nameOf(opener);
	const top = [...document.querySelectorAll('dialog')].at(-1);
	const buttons = [...(top ?? document).querySelectorAll('button')];
	const same = buttons.find((one) => nameOf(one) === name);
	(same ?? (top && buttons.at(-1)))?.focus();
}

/** Shows a dialog until it is closed. @returns the dialog */
function show(title: string, content: Node, isWide: boolean) {
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
	const opener = activeElement === document.body ? busy : activeElement;
	if (opener) openers.set(dialog, opener);
	document.body.append(dialog);
	abandonPending();
	dialog.showModal();
	return dialog;
}

/**
 * Shows content in a dialog with a button to close it.
 * @returns the dialog, `close()`, and `replace(…content)`, which does nothing once it is closed
 */
export function showPanel(title: string, ...content: Node[]) {
	const close = () => {
		dialog.close();
	};
	const body = h('div', {}, ...content);
	const closer = button('Close', close);
	const buttons = h('div', { className: 'end' }, h('p', { className: 'buttons' }, closer));
	const dialog = show(title, h('div', {}, body, buttons), true);
	const replace = (...next: Node[]) => {
		if (!dialog.open) return;
		const hadFocus = body.contains(document.activeElement);
		body.replaceChildren(...next);
		if (hadFocus) closer.focus();
	};
	return { dialog, close, replace };
}

/** An option of a list: its value with its label, or a value that is its own label. */
export type Choice = string | readonly [value: string, label: string];

/** An input of a dialog. The window tells the values of files and check boxes. */
export interface Question<Name extends string = string> {
	readonly name: Name;
	readonly label: string;
	readonly type?: 'text' | 'email' | 'password' | 'select' | 'checkbox' | 'file';
	/** The first value; of a check box, whether it is checked. */
	readonly value?: string | boolean;
	readonly options?: readonly Choice[];
	readonly hint?: string;
	/** Another input, and the values of it for which this one is shown. */
	readonly shownFor?: { readonly name: string; readonly values: readonly string[] };
	readonly required?: boolean;
	readonly readOnly?: boolean;
	readonly maxLength?: number;
	readonly minLength?: number;
	readonly accept?: string;
	readonly autocomplete?: AutoFill;
}

/** The input of a question. */
function inputOf({ type = 'text', name, value = '', options = [], ...more }: Omit<Question, 'label'>) {
	if (type === 'select') {
		const choices = options.map((option) => {
			const [one, label] = typeof option === 'string' ? [option, option] : option;
			return h('option', { value: one, textContent: label, selected: one === value });
		});
		return h('select', { name }, ...choices);
	}
	if (type === 'checkbox') return h('input', { name, type, checked: value === true });
	return h('input', { name, type, ...(type === 'file' ? {} : { value: String(value) }), ...more });
}

/** The open window of a question. */
export interface Asked {
	readonly isOpen: () => boolean;
	readonly isChecked: (name: string) => boolean;
	/** The chosen file of an input. */
	readonly file: (name: string) => File;
}

/** What `ask` shows and does. */
interface Asking<Name extends string> {
	readonly title: string;
	readonly intro?: string | undefined;
	readonly fields?: ReadonlyArray<Question<Name> | Node | undefined | false>;
	readonly action: string;
	readonly isDanger?: boolean;
	readonly run: (values: Readonly<Record<Name, string>>, window: Asked) => unknown;
}

const hasAll = <Name extends string>(
	values: object,
	names: readonly Name[],
): values is Readonly<Record<Name, string>> => names.every((name) => name in values);

/**
 * Asks for values in a dialog. An error of `run` is shown in the dialog, which stays open, or on
 * the page if the dialog was closed.
 */
export function ask<Name extends string = never>({
	title,
	intro,
	fields = [],
	action,
	isDanger = false,
	run,
}: Asking<Name>) {
	const error = h('p', { role: 'alert' });
	const names: Name[] = [];
	const conditional: Array<{ row: HTMLElement; name: string; values: readonly string[] }> = [];
	const rows = shown(fields).map((field) => {
		if (field instanceof Node) return field;
		const { label, hint, shownFor, ...input } = field;
		names.push(field.name);
		const row = labelled(label, inputOf(input), hint);
		if (shownFor) conditional.push({ row, ...shownFor });
		return row;
	});
	const submit = h('button', {
		type: 'submit',
		textContent: action,
		className: isDanger ? 'danger' : 'main',
	});
	const cancel = button('Cancel', () => {
		dialog.close();
	});
	const form = h(
		'form',
		{ method: 'dialog' },
		...(intro ? [h('p', { textContent: intro })] : []),
		...rows,
		h('div', { className: 'end' }, error, h('p', { className: 'buttons' }, cancel, submit)),
	);
	const showFitting = () => {
		const now = textsOf(form);
		for (const { row, name, values } of conditional) row.hidden = !values.includes(now[name] ?? '');
	};
	form.addEventListener('change', showFitting);
	showFitting();
	const send = async () => {
		submit.disabled = true;
		error.textContent = '';
		try {
			const values: object = textsOf(form);
			if (!hasAll(values, names)) throw new Error('The form lacks an input');
			await whileShown(error, Promise.resolve(run(values, { isOpen: () => dialog.open, ...othersOf(form) })));
			dialog.close();
		} catch (problem) {
			if (dialog.open) error.textContent = messageOf(problem);
			else say(new Error(`${title}: ${messageOf(problem)}`));
		}
		submit.disabled = false;
	};
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		void send();
	});
	const dialog = show(title, form, false);
	keepTyped(dialog, () => submit.disabled);
	return dialog;
}

/** Marks dialogs in which something was typed that Escape would lose. */
const TYPED = 'data-typed';

/** Asks before Escape, or the gesture for it, closes a dialog in which something was typed. */
function keepTyped(dialog: HTMLDialogElement, isSending: () => boolean) {
	dialog.addEventListener('input', () => {
		dialog.setAttribute(TYPED, '');
	});
	const leave = (event: Event) => {
		if (event.target !== dialog && event.type === 'cancel') return;
		if (!dialog.hasAttribute(TYPED) || isSending()) return;
		event.preventDefault();
		askToDiscard(() => {
			dialog.close();
		});
	};
	dialog.addEventListener('cancel', leave);
	dialog.addEventListener('keydown', (event) => {
		// A browser asks only once with the event "cancel".
		if (event.key === 'Escape' && !event.defaultPrevented) leave(event);
	});
}

function askToDiscard(discard: () => void) {
	confirmLoss({
		title: 'Discard what you typed?',
		lost: 'It has not been saved.',
		action: 'Discard',
		run: discard,
	});
}

/** Closes all dialogs, after a question if something was typed. @param then what follows */
export function leaveDialogs(then: () => void) {
	const leave = () => {
		for (const dialog of document.querySelectorAll('dialog')) dialog.close();
		then();
	};
	if (document.querySelector(`dialog[${TYPED}]`)) askToDiscard(leave);
	else leave();
}

/** The texts of a form by name. */
function textsOf(form: HTMLFormElement): Record<string, string> {
	const texts: Record<string, string> = {};
	for (const one of form.elements)
		if ((one instanceof HTMLInputElement || one instanceof HTMLSelectElement || one instanceof HTMLTextAreaElement) && one.name !== '') texts[one.name] = one.value; // prettier-ignore
	return texts;
}

/** The values of a form that are no texts. */
function othersOf(form: HTMLFormElement): Omit<Asked, 'isOpen'> {
	const input = (name: string) => {
		const one = form.elements.namedItem(name);
		if (!(one instanceof HTMLInputElement)) throw new Error(`The form has no input “${name}”`);
		return one;
	};
	return {
		isChecked: (name) => input(name).checked,
		file: (name) => {
			const file = input(name).files?.[0];
			if (!file) throw new Error('Choose a file');
			return file;
		},
	};
}

interface Loss {
	readonly title: string;
	readonly lost: string;
	readonly action: string;
	readonly run: () => unknown;
}

/** Asks to confirm an action that cannot be undone. @param lost describes what is lost */
export const confirmLoss = ({ title, lost, action, run }: Loss) =>
	ask({ title, intro: lost, action, isDanger: true, run });
