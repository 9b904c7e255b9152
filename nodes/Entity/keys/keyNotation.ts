import { InvalidInput } from '../../../client/errors';
import { ownMember } from '../../../client/formats/json';
import type { Field } from '../../../client/resources/fields';
import { valueText } from '../../shared/display/valueText';
import { isComparable } from '../../shared/rows/equality';

/** Values of a key column, none of which can be compared so far. */
interface Unread {
	field: Field;
	/** The first of them. */
	value: unknown;
}

/**
 * Tests whether the cells of key columns can be compared with keys: the specification does not
 * define how a service writes them (§2.5), and a row that cannot be compared must not count as
 * missing. A column with one comparable cell passes: others may be left from an earlier type.
 */
export class KeyNotation {
	private open: readonly Field[];
	private readonly unread = new Map<string, Unread>();

	constructor(keys: readonly Field[]) {
		this.open = keys;
	}

	/** Takes a row of the grid. */
	see(row: Readonly<Record<string, unknown>>): void {
		if (this.open.length > 0) this.open = this.open.filter((field) => !this.isCompared(field, row));
	}

	/** @throws InvalidInput if a key column has values, but none that can be compared */
	end(): void {
		for (const { field, value } of this.unread.values())
			throw new InvalidInput(
				`The service writes the values of the key column "${field.name}" (type ${field.type.name}) as ${valueText(value)}, which cannot be compared`,
				'Choose another key column.',
			);
	}

	private isCompared(field: Field, row: Readonly<Record<string, unknown>>): boolean {
		const value = ownMember(row, field.id) ?? '';
		if (value === '') return false;
		if (isComparable(field, value)) return this.unread.delete(field.id) || true;
		if (!this.unread.has(field.id)) this.unread.set(field.id, { field, value });
		return false;
	}
}
