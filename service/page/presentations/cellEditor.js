import { editorOf, valueFrom } from '../values/cells';
import { say } from '../elements/dom';

/** Whether a key adds a line to a text of several lines, as in spreadsheets. */
const isBreak = ({ altKey, shiftKey, ctrlKey }, editor) =>
	editor.tagName === 'TEXTAREA' && (altKey || shiftKey || ctrlKey);

/**
 * Shows an editor in a cell until it loses the focus. It stays with its text while the value cannot
 * be saved, because it is invalid or the service cannot be reached.
 * @param given `field`; `value`; `save(read)`, whose `read` may throw, and whose error is final if
 * it `isConflict`; `end(step)`, whose step is 1 for the next column, -1 for the preceding one, 0 to
 * stay, undefined if the focus moved away
 */
export function editCell(cell, { field, value, save, end }) {
	const editor = editorOf(field, value, { 'aria-label': field.name, className: 'editor' });
	// The service says what is wrong with an address; the type only chooses a keyboard.
	if (['email', 'url'].includes(editor.type)) Object.assign(editor, { inputMode: editor.type, type: 'text' });
	const before = editor.value;
	let isOpen = true;
	const leave = (step) => {
		editor.closest('[data-tall]')?.removeAttribute('data-tall');
		// A cell that contains an input has no text, like the empty one that it must become.
		editor.remove();
		end(step);
	};
	const close = async (isKept, step) => {
		if (!isOpen) return;
		isOpen = false;
		editor.readOnly = true;
		say();
		try {
			// A half typed date has no value, but must not count as empty.
			if (!editor.validity.valid && isKept) throw new Error(`${field.name}: ${editor.validationMessage}`);
			if (isKept && editor.value !== before) await save(() => valueFrom(field, editor.value));
		} catch (error) {
			const { message } = error;
			say(
				editor.isConnected
					? error
					: new Error(`${field.name}: “${editor.value}” was not written: ${message}`),
			);
			if (editor.isConnected && !error.isConflict) {
				isOpen = true;
				editor.readOnly = false;
				editor.setAttribute('aria-invalid', 'true');
				if (!document.querySelector('dialog')) editor.focus();
				return;
			}
		}
		const { activeElement } = document;
		leave(activeElement === editor || activeElement === document.body ? step : undefined);
	};
	cell.replaceChildren(editor);
	cell.parentElement.toggleAttribute('data-tall', editor.tagName === 'TEXTAREA');
	editor.focus();
	editor.select?.();
	editor.addEventListener('blur', () => close(true));
	editor.addEventListener('keydown', (event) => {
		event.stopPropagation();
		if (event.key === 'Enter') {
			event.preventDefault();
			if (!isBreak(event, editor)) return void close(true, 0);
			editor.setRangeText('\n', editor.selectionStart, editor.selectionEnd, 'end');
		}
		if (event.key === 'Escape') void close(false, 0);
		if (event.key === 'Tab') {
			event.preventDefault();
			void close(true, event.shiftKey ? -1 : 1);
		}
	});
}
