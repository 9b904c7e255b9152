import { textOf } from '../values/cells';
import { h } from '../elements/dom';

const MAX_FACTS = 3;
const MAX_TEXT = 120;
const DRAGGED = 'application/x-row';
/** Changes within this time are shown together. */
const REST_MS = 150;

/** The title of a row: the text of its first column. */
export const titleOf = (columns, row) =>
	(columns[0] && textOf(columns[0], row[columns[0].id]).slice(0, MAX_TEXT)) || 'Row without a name';

/**
 * A row as a card, which opens it and can be dragged.
 * @param given `columns`: the first one is the title; `open(row)`; `key(event, row)`; `drag(row)`;
 * `more`: further nodes
 */
export function card(row, { columns, open, key, drag, more = [] }) {
	const title = h('button', {
		type: 'button',
		className: 'link',
		textContent: titleOf(columns, row),
		onclick: () => open(row),
	});
	const facts = columns.slice(1, MAX_FACTS + 1).map((field) => [field.name, textOf(field, row[field.id])]);
	return h(
		'li',
		{
			className: 'card',
			'data-id': row._id,
			draggable: row._links.update !== undefined,
			ondragstart: (event) => {
				event.dataTransfer.setData(DRAGGED, row._id);
				drag(row);
			},
			onkeydown: (event) => key(event, row),
		},
		title,
		...facts
			.filter(([, text]) => text !== '')
			.map(([name, text]) => h('small', { title: name, textContent: text.slice(0, MAX_TEXT) })),
		...more,
	);
}

/** Makes an element accept dropped rows. @param take receives the id of the row */
export const dropTarget = (take) => ({
	ondragover: (event) => {
		if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault();
	},
	ondrop: (event) => {
		event.preventDefault();
		take(event.dataTransfer.getData(DRAGGED));
	},
});

/**
 * Base class of boards and calendars, which are read again when a row changes; the focused row
 * keeps the focus. Subclasses implement `read()`, which loads, and `show()`, which draws.
 */
export class Cards {
	version = 0;
	/** The cards that are drawn, by the id of their row. */
	drawn = new Map();

	/**
	 * @param given `column`, `load(within, query)`, `move(row, field, read)`, `open`, `seen` and
	 * `fail`
	 */
	constructor(container, given) {
		this.given = given;
		this.root = h('div', { className: 'cards' });
		this.root.addEventListener('pointerdown', (event) => this.hold(event));
		this.root.addEventListener('keydown', ({ target, key }) => {
			if (target.matches('select') && (key === ' ' || key.startsWith('Arrow'))) this.holdList(target);
		});
		container.replaceChildren(this.root);
	}

	/** A list of options that is open stays in place: drawn anew, it would close. */
	holdList(list) {
		this.holding?.abort();
		const released = new AbortController();
		const release = () => {
			released.abort();
			this.isHeld = false;
			if (this.isLate) this.draw();
		};
		const { signal } = released;
		Object.assign(this, { isHeld: true, holding: released });
		list.addEventListener('change', release, { signal });
		list.addEventListener('blur', release, { signal });
		list.addEventListener('keyup', ({ key }) => (key === 'Escape' || key === 'Enter') && release(), {
			signal,
		});
	}

	/** A card that is pressed or dragged stays where it is: one drawn anew would take no click. */
	hold({ target }) {
		if (target.matches('select')) this.holdList(target);
		if (!target.closest('button, .card') || target.closest('select')) return;
		this.holding?.abort();
		const released = new AbortController();
		const release = () => {
			released.abort();
			// The click comes after the pointer is released.
			setTimeout(() => {
				if (this.holding !== released) return;
				this.isHeld = false;
				if (this.isLate) this.draw();
			});
		};
		const { signal } = released;
		Object.assign(this, { isHeld: true, isDragged: false, holding: released });
		this.root.addEventListener('dragstart', () => (this.isDragged = true), { signal });
		addEventListener('pointerup', release, { signal });
		addEventListener('dragend', release, { signal });
		// A pointer is cancelled when a drag begins, too.
		addEventListener('pointercancel', () => this.isDragged || release(), { signal });
	}

	columns(columns) {
		this.fields = columns.filter(({ id }) => id !== this.given.column.id);
		this.drawn.clear();
		this.draw();
	}

	async reload() {
		this.version += 1;
		const { version } = this;
		try {
			await this.read(() => version === this.version);
			if (version === this.version) this.draw();
		} catch (error) {
			if (version === this.version && this.root.isConnected) this.given.fail(error);
		}
	}

	update() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => void this.reload(), REST_MS);
	}

	draw() {
		if (!this.root.isConnected) return;
		this.isLate = this.isHeld;
		if (this.isHeld) return;
		const { activeElement } = document;
		const isElsewhere = activeElement !== document.body && !this.root.contains(activeElement);
		const focused = isElsewhere ? undefined : (activeElement.closest('.card')?.dataset.id ?? this.moved);
		const place = activeElement.dataset.part;
		this.before = this.drawn;
		this.drawn = new Map();
		this.show();
		this.moved = undefined;
		const next = focused && this.root.querySelector(`[data-id="${CSS.escape(focused)}"]`);
		(next?.querySelector(place ? `[data-part="${place}"]` : 'button') ?? undefined)?.focus();
	}

	/**
	 * The card of a row. The card of an unchanged row keeps its element.
	 * @param place where it is shown @param make creates the card
	 */
	drawCard(row, place, make) {
		const content = JSON.stringify([row, place]);
		const known = this.before.get(row._id);
		const element = known?.content === content ? known.element : make();
		this.drawn.set(row._id, { content, element });
		return element;
	}

	/** Keeps a row that is dragged, because it may leave the rows that are shown meanwhile. */
	drag = (row) => {
		this.dragged = row;
	};

	/** The row that was dropped, as it was when it was taken. @param rows those that are shown */
	dropped(id, rows) {
		if (this.dragged?._id === id) return this.dragged;
		const row = rows.find((one) => one._id === id);
		if (!row) this.given.fail(new Error('The card was not moved: its row is not shown here'));
		return row;
	}

	/** Writes the new value of a moved row, which keeps the focus. */
	async move(row, value) {
		this.moved = row._id;
		await this.given.move(row, this.given.column, () => value);
	}
}
