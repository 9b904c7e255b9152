import { type Entity, type Field, InvalidInput, ownMember, type Values } from '../../../client';
import { valueText } from '../../shared/display/shownText';
import { canonicalKey, comparedPart, type ComparedField, hasOneSpelling } from '../../shared/rows/equality';

/** Maximum number of rows that a message lists. */
const MAX_NAMED_ROWS = 20;

/** The key of an item, computed once. */
export interface RowKey {
	/** One text for all spellings of the values. */
	readonly text: string;
	/** Values of the key columns, by field id; others are ignored. */
	readonly values: Values;
}

/** The columns that identify the rows of a grid. */
export class KeyColumns {
	constructor(readonly columns: readonly ComparedField[]) {}

	get ids(): string[] {
		return this.columns.map(({ id }) => id);
	}

	/** The key of a row. @throws InvalidInput if a key column has no value */
	keyOf(values: Values): RowKey {
		const field = this.emptyKeyOf(values);
		if (!field) return { text: this.textOf(values), values };
		throw new InvalidInput(
			`The key column "${field.name}" has no value`,
			`Provide a value for "${field.name}" in each item, or choose other key columns.`,
		);
	}

	/**
	 * The first key column without a value. A text that is empty or of blanks only counts as a value
	 * if another key column has one.
	 */
	emptyKeyOf(values: Values): Field | undefined {
		const isBlankText = (value: unknown) => typeof value === 'string' && value.trim() === '';
		const isBlank = this.columns.every((field) =>
			isBlankText(comparedPart(field, ownMember(values, field.id))),
		);
		return this.columns.find(({ id }) => isBlank || (ownMember(values, id) ?? null) === null);
	}

	/** The text of the key of a row. */
	textOf(row: Values): string {
		return canonicalKey(this.columns, row);
	}

	hasKey(row: Values, { text }: RowKey): boolean {
		return this.textOf(row) === text;
	}

	/** Those by which `$eq` finds all rows with a key: their values have one spelling. */
	withOneSpelling({ values }: RowKey): Field[] {
		return this.columns.filter((field) => hasOneSpelling(field, ownMember(values, field.id)));
	}

	/** Describes a key for messages, e.g. `Order "A-1"`. */
	describe(values: Values): string {
		return this.columns.map((field) => `${field.name} ${valueText(ownMember(values, field.id))}`).join(', ');
	}

	/** A key with the ids of its rows, for errors about ambiguous keys. */
	describeRows({ values }: Pick<RowKey, 'values'>, rows: readonly Entity[]): string {
		const ids = rows.slice(0, MAX_NAMED_ROWS).map(({ _id }) => _id);
		return `${this.describe(values)}: ${ids.join(', ')}${rows.length > ids.length ? ' …' : ''}`;
	}
}
