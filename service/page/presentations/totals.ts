import { counted } from '../elements/dom';
import type { Field, Row } from '../session/schemas';
import { isNumber } from '../values/cells';
import { numberText, sumOf } from '../values/numbers';

/**
 * What selected cells hold, as a text.
 * @param rows undefined for those that were not read, without which a sum would be wrong
 */
export function totals(rows: ReadonlyArray<Row | undefined>, fields: readonly Field[]) {
	const size = `${counted(rows.length, 'row')}, ${counted(fields.length, 'column')}`;
	const known = rows.flatMap((row) => row ?? []);
	if (known.length < rows.length) return size;
	const filled = known.flatMap((row) => fields.filter(({ id }) => (row[id] ?? null) !== null)).length;
	const numeric = fields.filter(isNumber);
	const values = numeric.flatMap(({ id }) => known.map((row) => row[id])).filter((one) => typeof one === 'number'); // prettier-ignore
	const text = `${size}, ${counted(filled, 'filled cell')}`;
	if (values.length === 0) return text;
	const type = numeric.every((field) => field.type.name === 'currency') ? 'currency' : 'decimal';
	return `${text}, sum ${numberText(sumOf(values), type)}`;
}
