import type { ShowHint } from '../../shared/display/hints';
import { valueText } from '../../shared/display/shownText';
import type { StoredValue } from './differences';

/** Values that the service stored otherwise than they were sent, by column. */
export class StoredValues {
	private readonly columns = new Map<string, { count: number; example: StoredValue }>();

	add(values: readonly StoredValue[] = []): void {
		for (const value of values) {
			const column = this.columns.get(value.field.id) ?? { count: 0, example: value };
			column.count++;
			this.columns.set(value.field.id, column);
		}
	}

	/** One hint for each column. @param where such as `in new rows` */
	showHints(hint: ShowHint, where = ''): void {
		for (const { count, example } of this.columns.values()) {
			const { field, sent, stored } = example;
			const values = `${count === 1 ? '1 value' : `${count} values`} of "${field.name}"`;
			hint(
				`The service stored ${values}${where} otherwise than sent, e.g. ${valueText(sent)} as ${valueText(stored)}: the next run writes them again. Send them as they are stored, or set "Compare As" where it is an option.`,
				'warning',
			);
		}
	}
}
