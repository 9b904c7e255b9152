import { send } from '../session/api';
import { accepts, isComputed, textOf } from '../values/cells';
import { $, button, h } from '../elements/dom';

const POLL_MS = 1000;
const MAX_SHOWN = 100;
/** Period of the list when a grid is opened; only its last page is read. */
const LOOK_BACK_MS = 24 * 3600 * 1000;

/** Who made a change. */
const nameOf = ({ userId, userName }, me) =>
	userId === me ? 'you' : userId.startsWith('link:') ? 'a public link' : (userName ?? 'another person');

/** Whether a former value can be restored. */
export function isRestorable({ fieldId, oldValue }, fields) {
	const field = fields.find(({ id }) => id === fieldId);
	return field !== undefined && !isComputed(field) && accepts(field, oldValue);
}

/**
 * One change as an item of a list.
 * @param given `open(event)` opens its row; `restore(event)`, if any, returns the row to those of
 * its values before the change that still fit; `tellsLost`: whether the others are named
 */
export function changeItem(event, { fields, me, open, restore, tellsLost = false }) {
	const what = event.changes.map(({ fieldId, oldValue, newValue }) => {
		const field = fields.find(({ id }) => id === fieldId);
		const [before, after] = [oldValue, newValue].map((value) =>
			field ? textOf(field, value) : JSON.stringify(value),
		);
		const isLost = tellsLost && event.type === 'updated' && !isRestorable({ fieldId, oldValue }, fields);
		const note = isLost ? ` (“${before}” cannot be restored: it no longer fits)` : '';
		return `${field?.name ?? 'A former column'}: ${event.type === 'updated' ? `${before || 'empty'} → ` : ''}${after || 'empty'}${note}`;
	});
	const [first] = fields;
	const gone = event.changes.find(({ fieldId }) => event.type === 'deleted' && fieldId === first?.id);
	const title = gone?.oldValue ?? event.entity?.[first?.id];
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

/** Follows the changes of a grid from now on. */
export class Changes {
	stopped = false;
	seen = new Set();

	/**
	 * @param given `grid`, `fields`, `me`, `open`, `restore(event)`, which brings back a deleted row,
	 * `know`, which is given new events before they are shown, and `changed`, which receives them
	 */
	constructor(given) {
		this.given = given;
		$('changes').replaceChildren();
		if (given.grid._links.updates) void this.run();
	}

	stop() {
		this.stopped = true;
	}

	async run() {
		await this.begin().catch((error) => this.tell(error.message));
		while (!this.stopped) {
			try {
				await this.poll();
				this.tell('live');
			} catch (error) {
				this.tell(error.message);
			}
			await new Promise((resolve) => setTimeout(resolve, POLL_MS));
		}
	}

	tell(text) {
		if (!this.stopped) $('live').textContent = text;
	}

	/** Reads only the end of the feed. */
	async begin() {
		const now = Date.now();
		this.since = new Date(now).toISOString();
		const query = { since: new Date(now - LOOK_BACK_MS).toISOString(), pageSize: MAX_SHOWN };
		const first = await send(this.given.grid._links.updates, { query });
		const last = first.numberOfPages > 1 ? await send(first._links.last) : first;
		if (this.stopped) return;
		this.show(last.items);
		this.remember(last.items);
	}

	remember(events) {
		const last = events.at(-1)?.timestamp;
		if (last === undefined) return;
		// `since` includes its own millisecond, whose events must not be shown again.
		const same = events.filter(({ timestamp }) => timestamp === last).map(({ id }) => id);
		this.seen = new Set([...same, ...(last === this.since ? this.seen : [])]);
		this.since = last;
	}

	async poll() {
		const events = [];
		const query = { since: this.since, pageSize: 1000 };
		for (
			let page = await send(this.given.grid._links.updates, { query });
			;
			page = await send(page._links.next)
		) {
			events.push(...page.items.filter(({ id }) => !this.seen.has(id)));
			if (!page._links.next) break;
		}
		if (this.stopped || events.length === 0) return;
		this.remember(events);
		await this.given.know(events);
		if (this.stopped) return;
		this.show(events);
		this.given.changed(events);
	}

	show(events) {
		const list = $('changes');
		const { restore, ...given } = this.given;
		for (const event of events.slice(-MAX_SHOWN))
			list.prepend(changeItem(event, { ...given, ...(event._links.restore ? { restore } : {}) }));
		while (list.children.length > MAX_SHOWN) list.lastElementChild.remove();
	}
}
