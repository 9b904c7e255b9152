import { elementOf } from '../elements/dom';
import type { Selection, Place } from './selection';

/** A table, as far as cells are selected by dragging. */
interface Dragged {
	readonly root: HTMLElement;
	readonly body: HTMLElement;
	readonly selection: Selection;
	select(row: number, column: number, isExtended?: boolean): void;
	isBusy(event: Event): boolean;
}

/** Selects the cells of a table over which a mouse or pen is dragged. */
export function dragSelect(table: Dragged) {
	const placeOf = (element: Element | null | undefined): Place | undefined => {
		const cell = element?.closest<HTMLElement>('[data-column]');
		const row = cell?.closest<HTMLElement>('[data-row]');
		return cell && row && table.body.contains(row)
			? [Number(row.dataset.row), Number(cell.dataset.column)]
			: undefined;
	};
	table.body.addEventListener('pointerdown', (event) => {
		const from = placeOf(elementOf(event.target));
		// A finger scrolls.
		if (event.pointerType === 'touch' || event.button !== 0 || !from || table.isBusy(event)) return;
		if (!event.shiftKey) table.select(...from);
		const dragged = new AbortController();
		const { signal } = dragged;
		const end = () => {
			dragged.abort();
		};
		addEventListener('pointerup', end, { signal });
		addEventListener('pointercancel', end, { signal });
		const move = (moved: PointerEvent) => {
			extend(moved, from);
		};
		addEventListener('pointermove', move, { signal });
	});

	/** Extends the selection to the pointer; beyond an edge, by one row at a time. */
	function extend({ clientX, clientY }: PointerEvent, from: Place) {
		const [row, column] = table.selection.at;
		const { top, bottom } = table.root.getBoundingClientRect();
		const beyond = clientY > bottom ? 1 : clientY < top ? -1 : 0;
		const to: Place | undefined = beyond
			? [row + beyond, column]
			: placeOf(document.elementFromPoint(clientX, clientY));
		if (!to || (to[0] === row && to[1] === column)) return;
		// A pointer that trembles within its first cell selects nothing more.
		if (!table.selection.isRange && to[0] === from[0] && to[1] === from[1]) return;
		table.select(...to, true);
	}
}
