import type { Row } from '../session/schemas';
import { textOf } from '../values/cells';
import { optionNodes, optionsOf, paintAs } from '../values/options';
import { card, Cards, dropTarget, titleOf } from './cards';
import { button, counted, h } from '../elements/dom';
import { STEPS } from '../elements/tabStop';

const LANE_SIZE = 50;
const MAX_LANE_SIZE = 1000;

interface Lane {
	/** The option; null for rows without one. */
	readonly value: string | null;
	readonly items: readonly Row[];
	readonly total: number;
}

/** A board with a lane for each option of a column; moving a card changes the cell. */
export class Board extends Cards {
	/** Number of rows to read per lane; increased on request. */
	private readonly sizes = new Map<string | null, number>();
	private lanes: readonly Lane[] = [];

	/** The options, and null for rows without one. */
	private get values() {
		return [...optionsOf(this.given.column), null];
	}

	protected async read(isCurrent: () => boolean) {
		const { column, load } = this.given;
		const readLane = async (value: string | null): Promise<Lane> => {
			const filter = { [column.id]: value === null ? { $empty: true } : { $eq: value } };
			const page = await load(filter, { pageIndex: 1, pageSize: this.sizes.get(value) ?? LANE_SIZE });
			return { value, items: page.items, total: page.numberOfItems };
		};
		const lanes = await Promise.all(this.values.map(readLane));
		if (isCurrent()) this.lanes = lanes;
	}

	protected show() {
		const [left, tops] = [this.root.scrollLeft, [...this.root.children].map((lane) => lane.lastElementChild?.scrollTop ?? 0)]; // prettier-ignore
		const lanes = this.lanes.filter(({ value, total }) => value !== null || total > 0);
		this.root.replaceChildren(...lanes.map((lane) => this.showLane(lane)));
		this.root.scrollLeft = left;
		for (const [index, lane] of [...this.root.children].entries())
			lane.lastElementChild?.scrollTo({ top: tops[index] ?? 0 });
		const total = this.lanes.reduce((sum, lane) => sum + lane.total, 0);
		this.given.seen(`${counted(total, 'row')} in ${counted(lanes.length, 'lane')}`);
	}

	private nameOf(value: string | null) {
		return value === null ? `No ${this.given.column.name}` : textOf(this.given.column, value);
	}

	private showLane({ value, items, total }: Lane) {
		const more = () => {
			this.sizes.set(value, Math.min(MAX_LANE_SIZE, items.length + LANE_SIZE));
			void this.reload();
		};
		const rest = Math.min(total, MAX_LANE_SIZE) - items.length;
		return h(
			'section',
			{
				className: 'lane',
				'aria-label': this.nameOf(value),
				...dropTarget((id) => {
					this.drop(id, value);
				}),
			},
			h(
				'h2',
				{},
				...(optionNodes(this.given.column, value) ?? [this.nameOf(value)]),
				' ',
				h('small', { textContent: total.toLocaleString() }),
			),
			h(
				'div',
				{ className: 'stack', tabIndex: 0, role: 'region', 'aria-label': `Rows: ${this.nameOf(value)}` },
				h('ul', {}, ...items.map((row) => this.drawCard(row, value, () => this.showCard(row, value)))),
				rest > 0 ? button(`${rest.toLocaleString()} more`, more) : undefined,
				total > MAX_LANE_SIZE ? h('small', { textContent: 'Filter the rows to see the others.' }) : undefined,
			),
		);
	}

	private showCard(row: Row, value: string | null) {
		const choice: HTMLSelectElement = h(
			'select',
			{
				'aria-label': `${this.given.column.name} of ${titleOf(this.fields, row)}`,
				'data-part': 'move',
				onchange: () => void this.move(row, choice.value === '' ? null : choice.value),
			},
			...this.values.map((one) => {
				const option = { value: one ?? '', textContent: this.nameOf(one), selected: one === value };
				return paintAs(h('option', option), this.given.column, one);
			}),
		);
		const key = (event: KeyboardEvent) => {
			const step = STEPS.get(event.key);
			if (!event.altKey || step === undefined || !row._links.update) return;
			event.preventDefault();
			const next = this.values[this.values.indexOf(value) + step];
			if (next !== undefined) void this.move(row, next);
		};
		const more = row._links.update ? [choice] : [];
		return card(row, { columns: this.fields, open: this.given.open, key, drag: this.drag, more });
	}

	private drop(id: string, value: string | null) {
		const row = this.dropped(id, this.lanes.flatMap(({ items }) => items)); // prettier-ignore
		if (row && (row[this.given.column.id] ?? null) !== value) void this.move(row, value);
	}
}
