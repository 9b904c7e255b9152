import { editorOf, valueFrom } from '../values/cells.js';

/**
 * Puts an editor into a cell until it is left.
 * @param given `field`, `value`, `save(read)`, where `read` may throw, and `end(step)`, which is
 * told where to go on: 1 to the next column, -1 to the one before, 0 to stay; nothing if somebody
 * went elsewhere
 */
export function editCell(cell, { field, value, save, end }) {
	const editor = editorOf(field, value, { 'aria-label': field.name, className: 'editor' });
	const before = editor.value;
	let isOpen = true;
	const close = async (isKept, step) => {
		if (!isOpen) return;
		isOpen = false;
		editor.readOnly = true;
		if (isKept && editor.value !== before) await save(() => valueFrom(field, editor.value));
		const { activeElement } = document;
		end(activeElement === editor || activeElement === document.body ? step : undefined);
	};
	cell.replaceChildren(editor);
	editor.focus();
	editor.select?.();
	editor.addEventListener('blur', () => close(true));
	editor.addEventListener('keydown', (event) => {
		event.stopPropagation();
		if (event.key === 'Enter' && editor.tagName !== 'TEXTAREA') void close(true, 0);
		if (event.key === 'Escape') void close(false, 0);
		if (event.key === 'Tab') {
			event.preventDefault();
			void close(true, event.shiftKey ? -1 : 1);
		}
	});
}
