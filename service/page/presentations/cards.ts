import type { Presentation } from '../rows/openGrid';
import type { Field, Row } from '../session/schemas';
import { textOf } from '../values/cells';
import { optionNodes } from '../values/options';
import { elementOf, h, type Child } from '../elements/dom';

const MAX_FACTS = 3;
const MAX_TEXT = 120;
const DRAGGED = 'application/x-row';
/** Changes within this time are shown together. */
const REST_MS = 150;

/** The title of a row: the text of its first column. */
export const titleOf = (columns: readonly Field[], row: Row) =>
	(columns[0] && textOf(columns[0], row[columns[0].id]).slice(0, MAX_TEXT)) || 'Row without a name';

interface DrawnCard {
	readonly content: string;
	readonly element: HTMLElement;
}

/** What a card shows and does. */
interface CardParts {
	/** The first one is the title. */
	readonly columns: readonly Field[];
	readonly open: (row: Row) => unknown;
	readonly key: (event: KeyboardEvent) => void;
	readonly drag: (row: Row) => void;
	readonly more?: readonly Child[];
}

/** A row as a card, which opens it and can be dragged. */
export function card(row: Row, { columns, open, key, drag, more = [] }: CardParts) {
	const title = h('button', {
		type: 'button',
		className: 'link',
		textContent: titleOf(columns, row),
		onclick: () => open(row),
	});
	const facts = columns.slice(1, MAX_FACTS + 1).map((field) => {
		const text = textOf(field, row[field.id]);
		return { name: field.name, text, nodes: optionNodes(field, row[field.id]) };
	});
	return h(
		'li',
		{
			className: 'card',
			'data-id': row._id,
			draggable: row._links.update !== undefined,
			ondragstart: (event) => {
				event.dataTransfer?.setData(DRAGGED, row._id);
				drag(row);
			},
			onkeydown: key,
		},
		title,
		...facts
			.filter(({ text }) => text !== '')
			.map(({ name, text, nodes = [text.slice(0, MAX_TEXT)] }) => h('small', { title: name }, ...nodes)),
		...more,
	);
}

/** Makes an element accept dropped rows. @param take receives the id of the row */
export const dropTarget = (take: (id: string) => void) => ({
	ondragover: (event: DragEvent) => {
		if (event.dataTransfer?.types.includes(DRAGGED)) event.preventDefault();
	},
	ondrop: (event: DragEvent) => {
		event.preventDefault();
		take(event.dataTransfer?.getData(DRAGGED) ?? '');
	},
});

/** A page of rows, of all that meet a condition. */
export interface RowPage {
	readonly items: Row[];
	readonly numberOfItems: number;
}

export interface CardActions {
	/** The column by which the rows are grouped. */
	readonly column: Field;
	/** Reads rows that meet a condition. */
	readonly load: (within: object, query: Readonly<Record<string, string | number>>) => Promise<RowPage>;
	readonly move: (row: Row, field: Field, read: () => unknown) => Promise<void>;
	readonly open: (row: Row) => unknown;
	readonly seen: (text: string) => void;
	readonly fail: (error: unknown) => void;
}

/**
 * Base class of boards and calendars, which are read again when a row changes; the focused row
 * keeps the focus. Subclasses implement `read()`, which loads, and `show()`, which draws.
 */
export abstract class Cards implements Presentation {
	protected readonly root: HTMLElement;
	protected fields: readonly Field[] = [];
	private version = 0;
	/** The cards that are drawn, and those that were drawn before, by the id of their row. */
	private drawn = new Map<string, DrawnCard>();
	private before = this.drawn;
	/** Whether something is pressed, so that nothing may be drawn; what keeps it. */
	private isHeld = false;
	private holding: AbortController | undefined;
	private isDragged = false;
	/** Whether something was not drawn meanwhile. */
	private isLate = false;
	private timer: number | undefined;
	private dragged: Row | undefined;
	/** Id of the moved row, which keeps the focus. */
	private moved: string | undefined;

	constructor(
		container: HTMLElement,
		protected readonly given: CardActions,
	) {
		this.root = h('div', { className: 'cards' });
		this.root.addEventListener('pointerdown', (event) => {
			this.hold(event);
		});
		this.root.addEventListener('keydown', ({ target, key }) => {
			if (target instanceof HTMLSelectElement && (key === ' ' || key.startsWith('Arrow')))
				this.holdList(target);
		});
		container.replaceChildren(this.root);
	}

	/** Loads the rows. @param isCurrent whether they are still the ones to be shown */
	protected abstract read(isCurrent: () => boolean): Promise<void>;

	/** Draws the rows. */
	protected abstract show(): void;

	/** A list of options that is open stays in place: drawn anew, it would close. */
	private holdList(list: HTMLSelectElement) {
		this.holding?.abort();
		const released = new AbortController();
		const release = () => {
			released.abort();
			this.isHeld = false;
			if (this.isLate) this.draw();
		};
		const { signal } = released;
		this.isHeld = true;
		this.holding = released;
		list.addEventListener('change', release, { signal });
		list.addEventListener('blur', release, { signal });
		const end = ({ key }: KeyboardEvent) => {
			if (key === 'Escape' || key === 'Enter') release();
		};
		list.addEventListener('keyup', end, { signal });
	}

	/** A card that is pressed or dragged stays where it is: one drawn anew would take no click. */
	private hold(event: PointerEvent) {
		const target = elementOf(event.target);
		if (target instanceof HTMLSelectElement) this.holdList(target);
		if (!target?.closest('button, .card') || target.closest('select')) return;
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
		this.isHeld = true;
		this.isDragged = false;
		this.holding = released;
		const drag = () => {
			this.isDragged = true;
		};
		this.root.addEventListener('dragstart', drag, { signal });
		addEventListener('pointerup', release, { signal });
		addEventListener('dragend', release, { signal });
		// A pointer is cancelled when a drag begins, too.
		const cancel = () => {
			if (!this.isDragged) release();
		};
		addEventListener('pointercancel', cancel, { signal });
	}

	columns(columns: readonly Field[]) {
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
		const focusedCard = activeElement?.closest<HTMLElement>('.card');
		const focused = isElsewhere ? undefined : (focusedCard?.dataset.id ?? this.moved);
		const place = activeElement?.getAttribute('data-part');
		this.before = this.drawn;
		this.drawn = new Map();
		this.show();
		this.moved = undefined;
		const next = focused && this.root.querySelector(`[data-id="${CSS.escape(focused)}"]`);
		if (next) next.querySelector<HTMLElement>(place ? `[data-part="${place}"]` : 'button')?.focus();
	}

	/**
	 * The card of a row. The card of an unchanged row keeps its element.
	 * @param place where it is shown @param make creates the card
	 */
	protected drawCard(row: Row, place: string | null, make: () => HTMLElement) {
		const content = JSON.stringify([row, place]);
		const known = this.before.get(row._id);
		const element = known?.content === content ? known.element : make();
		this.drawn.set(row._id, { content, element });
		return element;
	}

	/** Keeps a row that is dragged, because it may leave the rows that are shown meanwhile. */
	protected drag = (row: Row) => {
		this.dragged = row;
	};

	/** The row that was dropped, as it was when it was taken. @param rows those that are shown */
	protected dropped(id: string, rows: readonly Row[]) {
		if (this.dragged?._id === id) return this.dragged;
		const row = rows.find((one) => one._id === id);
		if (!row) this.given.fail(new Error('The card was not moved: its row is not shown here'));
		return row;
	}

	/** Writes the new value of a moved row, which keeps the focus. */
	protected async move(row: Row, value: string | null) {
		this.moved = row._id;
		await this.given.move(row, this.given.column, () => value);
	}
}
