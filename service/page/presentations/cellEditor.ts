import { messageOf } from '../session/api';
import type { Column } from '../session/schemas';
import { editorOf, valueFrom } from '../values/cells';
import { say } from '../elements/dom';

/** The value of a cell was not written, because somebody changed it; to write it again is wrong. */
export class Conflict extends Error {}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Where the selection goes after an edit: by how many rows, and by how many columns. */
export type Step = readonly [down: number, right: number];
const STAY: Step = [0, 0];

/** Whether a key adds a line to a text of several lines, as in spreadsheets. */
const isBreak = ({ altKey, ctrlKey }: KeyboardEvent) => altKey || ctrlKey;

interface CellEditing {
	readonly field: Column;
	readonly value: unknown;
	/** Writes what `read` returns, which may throw. A `Conflict` is final. */
	readonly save: (read: () => unknown) => Promise<void>;
	/** @param step undefined if the focus moved away */
	readonly end: (step: Step | undefined) => void;
}

/** The editor of a column that is edited in place. */
function inputFor(field: Column, value: unknown): Input {
	const editor = editorOf(field, value, { 'aria-label': field.name, className: 'editor' });
	if (editor instanceof HTMLSelectElement || editor instanceof HTMLTextAreaElement) return editor;
	if (!(editor instanceof HTMLInputElement)) throw new Error(`${field.name} is not edited in its cell`);
	// The service says what is wrong with an address; the type only chooses a keyboard.
	if (['email', 'url'].includes(editor.type)) Object.assign(editor, { inputMode: editor.type, type: 'text' });
	return editor;
}

/**
 * Shows an editor in a cell until it loses the focus. It stays with its text while the value cannot
 * be saved, because it is invalid or the service cannot be reached.
 */
export function editCell(cell: HTMLElement, { field, value, save, end }: CellEditing) {
	const editor = inputFor(field, value);
	const setReadOnly = (isReadOnly: boolean) => {
		if (!(editor instanceof HTMLSelectElement)) editor.readOnly = isReadOnly;
	};
	const before = editor.value;
	let isOpen = true;
	const leave = (step: Step | undefined) => {
		editor.closest('[data-tall]')?.removeAttribute('data-tall');
		// A cell that contains an input has no text, like the empty one that it must become.
		editor.remove();
		end(step);
	};
	const close = async (isKept: boolean, step?: Step) => {
		if (!isOpen) return;
		isOpen = false;
		setReadOnly(true);
		say();
		try {
			// A half typed date has no value, but must not count as empty.
			if (!editor.validity.valid && isKept) throw new Error(`${field.name}: ${editor.validationMessage}`);
			if (isKept && editor.value !== before) await save(() => valueFrom(field, editor.value));
		} catch (error) {
			say(
				editor.isConnected
					? error
					: new Error(`${field.name}: “${editor.value}” was not written: ${messageOf(error)}`),
			);
			if (editor.isConnected && !(error instanceof Conflict)) {
				isOpen = true;
				setReadOnly(false);
				editor.setAttribute('aria-invalid', 'true');
				if (!document.querySelector('dialog')) editor.focus();
				return;
			}
		}
		const { activeElement } = document;
		leave(activeElement === editor || activeElement === document.body ? step : undefined);
	};
	cell.replaceChildren(editor);
	cell.parentElement?.toggleAttribute('data-tall', editor instanceof HTMLTextAreaElement);
	editor.focus();
	if (!(editor instanceof HTMLSelectElement)) editor.select();
	editor.addEventListener('blur', () => void close(true));
	const type = (event: KeyboardEvent) => {
		event.stopPropagation();
		const direction = event.shiftKey ? -1 : 1;
		if (event.key === 'Enter') {
			event.preventDefault();
			if (editor instanceof HTMLTextAreaElement && isBreak(event))
				editor.setRangeText('\n', editor.selectionStart, editor.selectionEnd, 'end');
			else void close(true, [direction, 0]);
		}
		if (event.key === 'Escape') void close(false, STAY);
		if (event.key === 'Tab') {
			event.preventDefault();
			void close(true, [0, direction]);
		}
	};
	const element: HTMLElement = editor;
	element.addEventListener('keydown', type);
}
