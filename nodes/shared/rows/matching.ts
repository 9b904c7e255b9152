import type { Filter } from '../../../client/resources/entities';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import { isJsonObject } from '../../../client/formats/json';
import { sameValue, valueOrder } from './equality';

type Row = Readonly<Record<string, unknown>>;
type Test = (row: Row) => boolean;

/**
 * Compares rows with a filter in the node itself: a service may
 * ignore what it does not know (§2.8 documents `$eq` only).
 * @param filter by field id, as it is sent
 * @returns whether a row meets the filter
 * @throws InvalidInput where the filter holds an operator that cannot be judged here
 */
export function rowTest(filter: Filter, fields: readonly Field[]): Test {
	const byId = new Map(fields.map((field) => [field.id, field]));
	const tests = Object.entries(filter).map(([name, given]): Test => {
		if (name === '$and' || name === '$or') {
			const parts = listOf(name, given).map((part) => rowTest(part, fields));
			return name === '$and'
				? (row) => parts.every((test) => test(row))
				: (row) => parts.some((test) => test(row));
		}
		if (name === '$not' && isJsonObject(given)) {
			const test = rowTest(given, fields);
			return (row) => !test(row);
		}
		const field = byId.get(name);
		if (!field || !isJsonObject(given)) throw unknownOperator(name);
		const operations = Object.entries(given).map(([operator, operand]) => cellTest(field, operator, operand));
		return (row) => operations.every((test) => test(row[name] ?? null));
	});
	return (row) => tests.every((test) => test(row));
}

/** The ids of the columns that a filter names. */
export function columnsIn(filter: Filter): string[] {
	return Object.entries(filter).flatMap(([name, given]) => {
		const parts = Array.isArray(given) ? given : [given];
		return name.startsWith('$') ? parts.filter(isJsonObject).flatMap(columnsIn) : [name];
	});
}

function cellTest(field: Field, operator: string, operand: unknown): (value: unknown) => boolean {
	const isEqual = (to: unknown) => (value: unknown) =>
		isBlank(to) ? isBlank(value) : sameValue(field, value, to);
	const compared = (holds: (order: number) => boolean) => (value: unknown) => {
		const order = isBlank(value) ? undefined : valueOrder(field, value, operand);
		return order !== undefined && holds(order);
	};
	switch (operator) {
		case '$eq':
			return isEqual(operand);
		case '$ne':
			return (value) => !isEqual(operand)(value);
		case '$in': {
			const tests = (Array.isArray(operand) ? operand : [operand]).map(isEqual);
			return (value) => tests.some((test) => test(value));
		}
		case '$contains':
			return (value) => textsIn(value).some((text) => text.includes(folded(String(operand))));
		case '$gt':
			return compared((order) => order > 0);
		case '$gte':
			return compared((order) => order >= 0);
		case '$lt':
			return compared((order) => order < 0);
		case '$lte':
			return compared((order) => order <= 0);
		default:
			throw unknownOperator(operator);
	}
}

/** Services differ in whether an empty text is a value. */
const isBlank = (value: unknown) => value === null || value === undefined || value === '';

/** Some services ignore case and some do not: what only one of them finds is accepted from both. */
const folded = (text: string) => text.toLowerCase();

function textsIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(textsIn);
	if (isJsonObject(value)) return Object.values(value).flatMap(textsIn);
	return isBlank(value) ? [] : [folded(String(value))];
}

function listOf(name: string, given: unknown): Filter[] {
	if (Array.isArray(given) && given.every(isJsonObject)) return given;
	throw unknownOperator(name);
}

function unknownOperator(name: string): InvalidInput {
	return new InvalidInput(
		`The filter uses "${name}", which this node cannot check again before it writes`,
		'Use $eq, $ne, $gt, $gte, $lt, $lte, $in, $contains, $and, $or and $not, or read the rows with Get Many and pass them on.',
	);
}
