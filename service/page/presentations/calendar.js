import { card, Cards, dropTarget } from './cards';
import { showPanel } from '../elements/dialog';
import { button, counted, h, labelled } from '../elements/dom';

const MAX_ROWS = 1000;
const MAX_OF_DAY = 4;
const DAYS_OF_WEEK = 7;

const two = (number) => String(number).padStart(2, '0');
/** A local day as `2026-03-31`. */
const dayOf = (date) =>
	`${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
const monthOf = (date) => dayOf(date).slice(0, 7);
const plus = (date, days) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

/** The days of the weeks of a month, starting on Monday. */
function daysOf(month) {
	const [year, number] = month.split('-').map(Number);
	const first = new Date(year, number - 1, 1);
	const start = plus(first, -((first.getDay() + 6) % DAYS_OF_WEEK));
	const weeks = Math.ceil(
		(((first.getDay() + 6) % DAYS_OF_WEEK) + new Date(year, number, 0).getDate()) / DAYS_OF_WEEK,
	);
	return Array.from({ length: weeks * DAYS_OF_WEEK }, (_, index) => plus(start, index));
}

/** A month with the rows on their days; moving a row changes its day but not its time. */
export class Calendar extends Cards {
	month = monthOf(new Date());
	rows = [];
	total = 0;
	undated = 0;

	get hasTime() {
		return this.given.column.type.name === 'date-time';
	}

	dayOfRow(row) {
		const value = row[this.given.column.id];
		return this.hasTime ? dayOf(new Date(value)) : value;
	}

	/** The value of a row that is moved to a day. */
	valueAt(row, day) {
		if (!this.hasTime) return day;
		const moment = new Date(row[this.given.column.id]);
		const [year, month, date] = day.split('-').map(Number);
		moment.setFullYear(year, month - 1, date);
		return moment.toISOString();
	}

	/** @param isCurrent whether this month is still to be shown */
	async read(isCurrent) {
		const { column, load } = this.given;
		const days = daysOf(this.month);
		const [from, to] = [days[0], plus(days.at(-1), 1)];
		const range = this.hasTime ? { $gte: from.toISOString(), $lt: to.toISOString() } : { $gte: dayOf(from), $lt: dayOf(to) };
		const sorting = JSON.stringify({ [column.id]: { $order: 'ascending' } });
		const [page, without] = await Promise.all([
			load({ [column.id]: range }, { pageIndex: 1, pageSize: MAX_ROWS, sorting }),
			load({ [column.id]: { $empty: true } }, { pageIndex: 1, pageSize: 1 }),
		]);
		if (!isCurrent()) return;
		this.rows = page.items;
		this.total = page.numberOfItems;
		this.undated = without.numberOfItems;
	}

	async go(month) {
		if (!/^\d{4}-\d\d$/.test(month)) return;
		this.month = month;
		await this.reload();
	}

	/** @param step months, forwards or back */
	turn(step) {
		const [year, month] = this.month.split('-').map(Number);
		return this.go(monthOf(new Date(year, month - 1 + step, 1)));
	}

	bar() {
		const field = h('input', { type: 'month', value: this.month, 'data-part': 'month', onchange: () => this.go(field.value) });
		return h(
			'div',
			{ className: 'actions' },
			button('‹', () => this.turn(-1), { 'aria-label': 'Previous month' }),
			button('Today', () => this.go(monthOf(new Date()))),
			button('›', () => this.turn(1), { 'aria-label': 'Next month' }),
			labelled('Month', field),
		);
	}

	show() {
		const days = daysOf(this.month);
		const byDay = Map.groupBy(this.rows, (row) => this.dayOfRow(row));
		const weekdays = days.slice(0, DAYS_OF_WEEK).map((day) =>
			h('li', { textContent: day.toLocaleDateString(undefined, { weekday: 'short' }) }),
		);
		if (!this.top) {
			this.top = this.bar();
			this.page = h('div', { className: 'month', tabIndex: 0, role: 'region' });
			this.root.replaceChildren(this.top, this.page);
		}
		const month = this.top.querySelector('input');
		// Half typed, it has no value yet.
		if (month !== document.activeElement) month.value = this.month;
		const title = days[10].toLocaleDateString(undefined, { month: 'long', year: 'numeric' });
		this.page.setAttribute('aria-label', title);
		this.page.replaceChildren(
			h('ol', { className: 'weekdays', 'aria-hidden': 'true' }, ...weekdays),
			h('ol', { className: 'days' }, ...days.map((day) => this.showDay(dayOf(day), byDay.get(dayOf(day)) ?? []))),
		);
		const { name } = this.given.column;
		const unseen = this.total - this.rows.length;
		this.given.seen(
			[
				`${counted(this.total, 'row')} around ${title}`,
				unseen > 0 && `${counted(unseen, 'row')} of them not shown: filter the rows`,
				this.undated > 0 && `${counted(this.undated, 'row')} without “${name}”`,
			].filter(Boolean).join(', '),
		);
	}

	showDay(day, rows) {
		const date = new Date(`${day}T12:00:00`);
		const isOther = !day.startsWith(this.month);
		const shown = rows.slice(0, MAX_OF_DAY).map((row) => this.drawCard(row, day, () => this.showCard(row)));
		const long = date.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
		const all = () => {
			const list = h('ul', {}, ...rows.map((row) => this.showCard(row)));
			const { close } = showPanel(long, list);
			list.addEventListener('click', (event) => event.target.closest('button') && close());
		};
		const more = rows.length - shown.length;
		return h(
			'li',
			{
				className: `day${isOther ? ' other' : ''}${rows.length === 0 ? ' free' : ''}${day === dayOf(new Date()) ? ' today' : ''}`,
				'data-day': day,
				...dropTarget((id) => this.drop(id, day)),
			},
			h('h2', { 'aria-label': long }, h('span', { className: 'short', textContent: String(date.getDate()) }), h('span', { className: 'long', textContent: long })),
			h('ul', {}, ...shown),
			more > 0 ? button(`${more} more`, all) : undefined,
		);
	}

	showCard(row) {
		const key = (event) => {
			const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -DAYS_OF_WEEK, ArrowDown: DAYS_OF_WEEK }[event.key];
			if (!event.altKey || step === undefined || !row._links.update) return;
			event.preventDefault();
			const day = dayOf(plus(new Date(`${this.dayOfRow(row)}T12:00:00`), step));
			if (!this.page.querySelector(`[data-day="${day}"]`)) this.month = day.slice(0, 7);
			void this.move(row, this.valueAt(row, day));
		};
		return card(row, { columns: this.fields.slice(0, 1), open: this.given.open, key, drag: this.drag });
	}

	drop(id, day) {
		const row = this.dropped(id, this.rows);
		if (row && this.dayOfRow(row) !== day) void this.move(row, this.valueAt(row, day));
	}
} // prettier-ignore
