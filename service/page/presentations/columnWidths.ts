import { z } from 'zod/v4-mini';
import { h } from '../elements/dom';
import { STEPS } from '../elements/tabStop';
import type { Column } from '../session/schemas';

/** Widths of columns, in em. */
const [NARROWEST, WIDEST] = [3, 60];
const LONG_TEXTS = ['string', 'richText', 'email', 'uri'];
const KEPT_AS = 'column-widths';
const schema = z.record(z.string(), z.number());

/** The widths that a person chose in this browser, by ids of columns. */
export function chosenWidths() {
	try {
		return schema.parse(JSON.parse(localStorage.getItem(KEPT_AS) ?? '{}'));
	} catch {
		// Another version of the page may have kept something else.
		return {};
	}
}

/** The width of a column, and whether it also takes room that is left. */
export function widthOf({ id, name, type }: Column, widths: Readonly<Record<string, number>>) {
	const chosen = widths[id];
	const usual = Math.max(Math.min(16, name.length * 0.7 + 4), LONG_TEXTS.includes(type.name) ? 13 : 8.5);
	return { width: chosen ?? usual, isChosen: chosen !== undefined };
}

/** Keeps the width of a column. @param width undefined for the usual one */
export function keepWidth({ id }: Column, width: number | undefined) {
	const kept = width === undefined ? undefined : Math.max(NARROWEST, Math.min(WIDEST, width));
	localStorage.setItem(KEPT_AS, JSON.stringify({ ...chosenWidths(), [id]: kept }));
}

/**
 * Lets a person drag the edge of a heading, or press Alt, Shift and an arrow key.
 * @param resize gets the width in em; undefined for the usual one
 */
export function makeResizable(heading: HTMLElement, resize: (width: number | undefined) => void) {
	const emOf = () => parseFloat(getComputedStyle(heading).fontSize);
	const edge = h('span', { className: 'edge', ariaHidden: 'true' });
	edge.addEventListener('mousedown', (event) => {
		// The heading is not dragged to another place.
		event.preventDefault();
	});
	edge.addEventListener('pointerdown', ({ pointerId, clientX: from }) => {
		const width = heading.offsetWidth;
		const end = new AbortController();
		const { signal } = end;
		edge.setPointerCapture(pointerId);
		const move = ({ clientX }: PointerEvent) => {
			resize((width + clientX - from) / emOf());
		};
		edge.addEventListener('pointermove', move, { signal });
		for (const name of ['pointerup', 'pointercancel'] as const)
			edge.addEventListener(name, () => { end.abort(); }, { signal }); // prettier-ignore
	});
	edge.addEventListener('dblclick', () => {
		resize(undefined);
	});
	heading.addEventListener('keydown', (event) => {
		const step = STEPS.get(event.key);
		if (step === undefined || !event.altKey || !event.shiftKey) return;
		event.preventDefault();
		resize(heading.offsetWidth / emOf() + step);
	});
	heading.append(edge);
}
