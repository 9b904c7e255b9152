import { textIn, type Row } from '../session/schemas';
import { card, Cards, dropTarget } from './cards';
import { showPanel } from '../elements/dialog';
import { button, counted, elementOf, h, labelled, shown } from '../elements/dom';

const MAX_ROWS = 1000;
const MAX_OF_DAY = 4;
const DAYS_OF_WEEK = 7;

const STEPS = new Map([
	['ArrowLeft', -1],
	['ArrowRight', 1],
	['ArrowUp', -DAYS_OF_WEEK],
	['ArrowDown', DAYS_OF_WEEK],
]);

const two = (number: number) => String(number).padStart(2, '0');
/** A local day as `2026-03-31`. */
const dayOf = (date: Date) =>
	`${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
const monthOf = (date: Date) => dayOf(date).slice(0, 7);
const plus = (date: Date, days: number) =>
	new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

/** The numbers of a day or month as `2026-03-31`; the day is 1 if it is missing. */
function numbersOf(text: string): [year: number, month: number, day: number] {
	const [year = 0, month = 1, day = 1] = text.split('-').map(Number);
	return [year, month, day];
}

/** The days of the weeks of a month, starting on Monday. */
function daysOf(month: string) {
	const [year, number] = numbersOf(month);
	const first = new Date(year, number - 1, 1);
	const start = plus(first, -((first.getDay() + 6) % DAYS_OF_WEEK));
	const weeks = Math.ceil(
		(((first.getDay() + 6) % DAYS_OF_WEEK) + new Date(year, number, 0).getDate()) / DAYS_OF_WEEK,
	);
	return Array.from({ length: weeks * DAYS_OF_WEEK }, (_, index) => plus(start, index));
}

/** A month with the rows on their days; moving a row changes its day but not its time. */
export class Calendar extends Cards {
	private month = monthOf(new Date());
	private rows: readonly Row[] = [];
	private total = 0;
	private undated = 0;
	/** The input of the month. */
	private input: HTMLInputElement | undefined;
	private readonly page = h('div', { className: 'month', tabIndex: 0, role: 'region' });

	private get hasTime() {
		return this.given.column.type.name === 'date-time';
	}

	private dayOfRow(row: Row) {
		const value = textIn(row[this.given.column.id]);
		return this.hasTime ? dayOf(new Date(value)) : value;
	}

	/** The value of a row that is moved to a day. */
	private valueAt(row: Row, day: string) {
		if (!this.hasTime) return day;
		const moment = new Date(textIn(row[this.given.column.id]));
		const [year, month, date] = numbersOf(day);
		moment.setFullYear(year, month - 1, date);
		return moment.toISOString();
	}

	protected async read(isCurrent: () => boolean) {
		const { column, load } = this.given;
		const days = daysOf(this.month);
		const [year, month] = numbersOf(this.month);
		const from = days[0] ?? new Date(year, month - 1, 1);
		const to = plus(from, days.length);
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

	private async go(month: string) {
		if (!/^\d{4}-\d\d$/.test(month)) return;
		this.month = month;
		await this.reload();
	}

	/** @param step months, forwards or back */
	private turn(step: number) {
		const [year, month] = numbersOf(this.month);
		return this.go(monthOf(new Date(year, month - 1 + step, 1)));
	}

	private bar() {
		const field: HTMLInputElement = h('input', { type: 'month', value: this.month, 'data-part': 'month', onchange: () => this.go(field.value) });
		this.input = field;
		return h(
			'div',
			{ className: 'actions' },
			button('‹', () => this.turn(-1), { 'aria-label': 'Previous month' }),
			button('Today', () => this.go(monthOf(new Date()))),
			button('›', () => this.turn(1), { 'aria-label': 'Next month' }),
			labelled('Month', field),
		);
	}

	protected show() {
		const days = daysOf(this.month);
		const byDay = Map.groupBy(this.rows, (row) => this.dayOfRow(row));
		const weekdays = days.slice(0, DAYS_OF_WEEK).map((day) =>
			h('li', { textContent: day.toLocaleDateString(undefined, { weekday: 'short' }) }),
		);
		if (!this.input) this.root.replaceChildren(this.bar(), this.page);
		// Half typed, it has no value yet.
		if (this.input && this.input !== document.activeElement) this.input.value = this.month;
		const [year, month] = numbersOf(this.month);
		const title = new Date(year, month - 1, 1).toLocaleDateString(undefined, { month: 'long', year: 'numeric' });
		this.page.setAttribute('aria-label', title);
		this.page.replaceChildren(
			h('ol', { className: 'weekdays', 'aria-hidden': 'true' }, ...weekdays),
			h('ol', { className: 'days' }, ...days.map((day) => this.showDay(dayOf(day), byDay.get(dayOf(day)) ?? []))),
		);
		const { name } = this.given.column;
		const unseen = this.total - this.rows.length;
		this.given.seen(
			shown([
				`${counted(this.total, 'row')} around ${title}`,
				unseen > 0 && `${counted(unseen, 'row')} of them not shown: filter the rows`,
				this.undated > 0 && `${counted(this.undated, 'row')} without “${name}”`,
			]).join(', '),
		);
	}

	private showDay(day: string, rows: readonly Row[]) {
		const date = new Date(`${day}T12:00:00`);
		const isOther = !day.startsWith(this.month);
		const first = rows.slice(0, MAX_OF_DAY).map((row) => this.drawCard(row, day, () => this.showCard(row)));
		const long = date.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
		const all = () => {
			const list = h('ul', {}, ...rows.map((row) => this.showCard(row)));
			const { close } = showPanel(long, list);
			list.addEventListener('click', ({ target }) => {
				if (elementOf(target)?.closest('button')) close();
			});
		};
		const more = rows.length - first.length;
		return h(
			'li',
			{
				className: `day${isOther ? ' other' : ''}${rows.length === 0 ? ' free' : ''}${day === dayOf(new Date()) ? ' today' : ''}`,
				'data-day': day,
				...dropTarget((id) => { this.drop(id, day); }),
			},
			h('h2', { 'aria-label': long }, h('span', { className: 'short', textContent: String(date.getDate()) }), h('span', { className: 'long', textContent: long })),
			h('ul', {}, ...first),
			more > 0 ? button(`${more} more`, all) : undefined,
		);
	}

	private showCard(row: Row) {
		const key = (event: KeyboardEvent) => {
			const step = STEPS.get(event.key);
			if (!event.altKey || step === undefined || !row._links.update) return;
			event.preventDefault();
			const day = dayOf(plus(new Date(`${this.dayOfRow(row)}T12:00:00`), step));
			if (!this.page.querySelector(`[data-day="${day}"]`)) this.month = day.slice(0, 7);
			void this.move(row, this.valueAt(row, day));
		};
		return card(row, { columns: this.fields.slice(0, 1), open: this.given.open, key, drag: this.drag });
	}

	private drop(id: string, day: string) {
		const row = this.dropped(id, this.rows);
		if (row && this.dayOfRow(row) !== day) void this.move(row, this.valueAt(row, day));
	}
} // prettier-ignore
