import { all, messageOf, read } from '../session/api';
import * as schemas from '../session/schemas';
import type { Column, Grid, RowEvent } from '../session/schemas';
import { accepts, isComputed, textOf } from '../values/cells';
import { $, button, h } from '../elements/dom';

const PAGE = schemas.pageOf(schemas.event);
const POLL_MS = 1000;
const MAX_SHOWN = 100;
/** Period of the list when a grid is opened; only its last page is read. */
const LOOK_BACK_MS = 24 * 3600 * 1000;

/** Who made a change. */
const nameOf = ({ userId, userName }: RowEvent, me: string) =>
	userId === me ? 'you' : userId.startsWith('link:') ? 'a public link' : (userName ?? 'another person');

/** Whether a former value can be restored. */
export function isRestorable(
	{ fieldId, oldValue }: Pick<RowEvent['changes'][number], 'fieldId' | 'oldValue'>,
	fields: readonly Column[],
) {
	const field = fields.find(({ id }) => id === fieldId);
	return field !== undefined && !isComputed(field) && accepts(field, oldValue);
}

type Handler = (event: RowEvent) => unknown;

/** What an item of a list of changes shows and does. */
interface ItemParts {
	readonly fields: readonly Column[];
	/** Id of the person at the page. */
	readonly me: string;
	/** Opens the row of the event. */
	readonly open?: Handler;
	/** Returns the row to those of its values before the change that still fit. */
	readonly restore?: Handler | undefined;
	/** Whether values that no longer fit are named. */
	readonly tellsLost?: boolean;
}

/** One change as an item of a list. */
export function changeItem(event: RowEvent, { fields, me, open, restore, tellsLost = false }: ItemParts) {
	const what = event.changes.map(({ fieldId, oldValue, newValue }) => {
		const field = fields.find(({ id }) => id === fieldId);
		const text = (value: unknown) => (field ? textOf(field, value) : JSON.stringify(value));
		const [before, after] = [text(oldValue), text(newValue)];
		const isLost = tellsLost && event.type === 'updated' && !isRestorable({ fieldId, oldValue }, fields);
		const note = isLost ? ` (“${before}” cannot be restored: it no longer fits)` : '';
		return `${field?.name ?? 'A former column'}: ${event.type === 'updated' ? `${before || 'empty'} → ` : ''}${after || 'empty'}${note}`;
	});
	const [first] = fields;
	const gone = event.changes.find(({ fieldId }) => event.type === 'deleted' && fieldId === first?.id);
	const title = gone?.oldValue ?? (first && event.entity?.[first.id]);
	const label = (first && textOf(first, title)) || `row …${event.entityId.slice(-6)}`;
	const row =
		open && event._links.entity
			? h('button', { type: 'button', className: 'link', textContent: label, onclick: () => open(event) })
			: h('b', { textContent: label });
	return h(
		'li',
		{},
		h('strong', { textContent: event.type, className: event.type }),
		' ',
		row,
		h('div', { textContent: event.type === 'deleted' ? '' : what.join(', ').slice(0, 500) }),
		h(
			'small',
			{ textContent: `${nameOf(event, me)}, ` },
			h('time', { dateTime: event.timestamp, textContent: new Date(event.timestamp).toLocaleString() }),
		),
		restore && event.type !== 'created'
			? button('Restore', () => restore(event), {
					'aria-label': `Restore ${label}, ${event.type} ${new Date(event.timestamp).toLocaleString()}`,
				})
			: undefined,
	);
}

interface Following extends Pick<ItemParts, 'me' | 'open'> {
	readonly grid: Grid;
	fields: readonly Column[];
	/** Brings back a deleted row. */
	readonly restore: Handler;
	/** Gets new events before they are shown. */
	readonly know: (events: readonly RowEvent[]) => Promise<void>;
	/** Gets new events when they are shown. */
	readonly changed: (events: readonly RowEvent[]) => void;
}

/** Follows the changes of a grid from now on. */
export class Changes {
	private stopped = false;
	/** The newest known time, and the events at this time. */
	private since = '';
	private seen = new Set<string>();

	constructor(readonly given: Following) {
		$('changes').replaceChildren();
		if (given.grid._links.updates) void this.run();
	}

	stop() {
		this.stopped = true;
	}

	private async run() {
		await this.begin().catch((error: unknown) => {
			this.tell(messageOf(error));
		});
		while (!this.stopped) {
			try {
				await this.poll();
				this.tell('live');
			} catch (error) {
				this.tell(messageOf(error));
			}
			await new Promise((resolve) => setTimeout(resolve, POLL_MS));
		}
	}

	private tell(text: string) {
		if (!this.stopped) $('live').textContent = text;
	}

	/** Reads only the end of the feed. */
	private async begin() {
		const now = Date.now();
		this.since = new Date(now).toISOString();
		const query = { since: new Date(now - LOOK_BACK_MS).toISOString(), pageSize: MAX_SHOWN };
		const first = await read(this.given.grid._links.updates, PAGE, { query });
		const last = first.numberOfPages > 1 ? await read(first._links.last, PAGE) : first;
		if (this.stopped) return;
		this.show(last.items);
		this.remember(last.items);
	}

	private remember(events: readonly RowEvent[]) {
		const last = events.at(-1)?.timestamp;
		if (last === undefined) return;
		// `since` includes its own millisecond, whose events must not be shown again.
		const same = events.filter(({ timestamp }) => timestamp === last).map(({ id }) => id);
		this.seen = new Set([...same, ...(last === this.since ? this.seen : [])]);
		this.since = last;
	}

	private async poll() {
		const query = { since: this.since, pageSize: 1000 };
		const listed = await all(this.given.grid._links.updates, schemas.event, { query });
		const events = listed.filter(({ id }) => !this.seen.has(id));
		if (this.stopped || events.length === 0) return;
		this.remember(events);
		await this.given.know(events);
		this.tellNew(events);
	}

	private tellNew(events: readonly RowEvent[]) {
		if (this.stopped) return;
		this.show(events);
		this.given.changed(events);
	}

	private show(events: readonly RowEvent[]) {
		const list = $('changes');
		const { restore, ...given } = this.given;
		for (const event of events.slice(-MAX_SHOWN))
			list.prepend(changeItem(event, { ...given, ...(event._links.restore ? { restore } : {}) }));
		while (list.children.length > MAX_SHOWN) list.lastElementChild?.remove();
	}
}
