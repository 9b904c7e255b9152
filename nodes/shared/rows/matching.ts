import type { Filter } from '../../../client/resources/entities';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import { isJsonObject, ownMember } from '../../../client/formats/json';
import { toTimestamp } from '../../../client/formats/moment';
import { isExactly, sameValue, TEXT_ORDERS, valueOrder, type TextOrder } from './equality';
import { valueTypeOf } from './valueTypes';

type Row = Readonly<Record<string, unknown>>;
type Test = (row: Row) => boolean;

/** One interpretation of the gaps of §2.8. */
interface Reading {
	/** Whether an empty text and an empty list are values. */
	readonly keepsBlank: boolean;
	/** Whether `$contains` compares whole list members and is case-sensitive. */
	readonly containsExactly: boolean;
	/** Whether `$eq` compares the order of options, null members and fractions of a millisecond. */
	readonly equalsExactly: boolean;
	readonly textOrder: TextOrder;
	/**
	 * Whether texts are compared without case, a list equals each of its members, moments are
	 * compared by the second, and an empty cell satisfies every order.
	 */
	readonly isLoose: boolean;
}

const BOTH = [false, true];
const READINGS: readonly Reading[] = BOTH.flatMap((keepsBlank) =>
	BOTH.flatMap((containsExactly) =>
		BOTH.flatMap((equalsExactly) =>
			TEXT_ORDERS.map((textOrder) => ({
				keepsBlank,
				containsExactly,
				equalsExactly,
				textOrder,
				isLoose: false,
			})),
		),
	),
);

const LOOSE_READINGS = [...READINGS, ...READINGS.map((reading) => ({ ...reading, isLoose: true }))];

/**
 * Compares rows with a filter in the node itself, because a service may ignore operators that it
 * does not know (§2.8 documents `$eq` only).
 * @param filter keyed by field id, as it is sent
 * @returns whether a row meets the filter in at least one interpretation
 * @throws InvalidInput if the filter contains an unknown operator
 */
export function rowTest(filter: Filter, fields: readonly Field[]): Test {
	return anyOf(READINGS, filter, fields);
}

/**
 * Like `rowTest`, for rows that are only read: also accepts looser interpretations of equality and
 * order, and every row if the filter contains an unknown operator.
 */
export function looseRowTest(filter: Filter, fields: readonly Field[]): Test {
	try {
		return anyOf(LOOSE_READINGS, filter, fields);
	} catch {
		return () => true;
	}
}

function anyOf(readings: readonly Reading[], filter: Filter, fields: readonly Field[]): Test {
	const byId = new Map(fields.map((field) => [field.id, field]));
	const tests = readings.map((reading) => filterTest(filter, byId, reading));
	return (row) => tests.some((test) => test(row));
}

function filterTest(filter: Filter, fields: ReadonlyMap<string, Field>, reading: Reading): Test {
	const tests = Object.entries(filter).map(([name, given]): Test => {
		if (name === '$and' || name === '$or') {
			const parts = listOf(name, given).map((part) => filterTest(part, fields, reading));
			return name === '$and'
				? (row) => parts.every((test) => test(row))
				: (row) => parts.some((test) => test(row));
		}
		if (name === '$not' && isJsonObject(given)) {
			const test = filterTest(given, fields, reading);
			return (row) => !test(row);
		}
		const field = fields.get(name);
		if (!field) throw unknownOperator(name);
		if (!isJsonObject(given)) throw withoutOperator(field);
		const comparison = new Comparison(field, reading);
		const operations = Object.entries(given).map(([operator, operand]) => comparison.test(operator, operand));
		return (row) => operations.every((test) => test(ownMember(row, name) ?? null));
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

/** The number of comparisons in a filter; a service may ignore each of them separately. */
export function comparisonsIn(filter: Filter): number {
	return Object.entries(filter)
		.map(([name, given]) => {
			const parts = (Array.isArray(given) ? given : [given]).filter(isJsonObject);
			return parts
				.map((part) => (name.startsWith('$') ? comparisonsIn(part) : Object.keys(part).length))
				.reduce((sum, count) => sum + count, 0);
		})
		.reduce((sum, count) => sum + count, 0);
}

/** Compares the values of a column. */
class Comparison {
	constructor(
		private readonly field: Field,
		private readonly reading: Reading,
	) {}

	test(operator: string, operand: unknown): (value: unknown) => boolean {
		switch (operator) {
			case '$eq':
				return (value) => this.isEqual(value, operand);
			case '$ne':
				return (value) => !this.isEqual(value, operand);
			case '$in': {
				const listed = Array.isArray(operand) ? operand : [operand];
				return (value) => listed.some((one) => this.isEqual(value, one));
			}
			case '$contains':
				return (value) => this.contains(value, String(operand));
			case '$empty':
				return (value) => this.isBlank(value) === (operand === true);
			case '$gt':
				return (value) => this.order(value, operand, (order) => order > 0);
			case '$gte':
				return (value) => this.order(value, operand, (order) => order >= 0);
			case '$lt':
				return (value) => this.order(value, operand, (order) => order < 0);
			case '$lte':
				return (value) => this.order(value, operand, (order) => order <= 0);
			default:
				throw unknownOperator(operator);
		}
	}

	private isEqual(value: unknown, to: unknown): boolean {
		if (this.isBlank(to) || this.isBlank(value)) return this.isBlank(to) && this.isBlank(value);
		if (this.reading.isLoose && (this.isSameSecond(value, to) || hasText(value, to))) return true;
		return this.reading.equalsExactly ? isExactly(this.field, value, to) : sameValue(this.field, value, to);
	}

	private order(value: unknown, operand: unknown, holds: (order: number) => boolean): boolean {
		if (this.reading.isLoose && (this.isBlank(value) || this.isSameSecond(value, operand))) return true;
		const order = this.isBlank(value)
			? undefined
			: valueOrder(this.field, value, operand, this.reading.textOrder);
		return order !== undefined && holds(order);
	}

	/** Whether two moments differ by less than a second. */
	private isSameSecond(value: unknown, other: unknown): boolean {
		if (valueTypeOf(this.field) !== 'date-time') return false;
		const [one, two] = [value, other].map((moment) => toTimestamp(moment, 'UTC'));
		return one !== undefined && two !== undefined && Math.abs(one - two) < 1000;
	}

	private contains(value: unknown, wanted: string): boolean {
		if (!this.reading.containsExactly)
			return textsIn(value).some((text) => text.toLowerCase().includes(wanted.toLowerCase()));
		return Array.isArray(value) && value.every((member) => !isJsonObject(member))
			? value.includes(wanted)
			: textsIn(value).some((text) => text.includes(wanted));
	}

	private isBlank(value: unknown): boolean {
		if (value === null || value === undefined) return true;
		return !this.reading.keepsBlank && (value === '' || (Array.isArray(value) && value.length === 0));
	}
}

/** Whether a value is, or a list contains, a text in any case. */
const hasText = (value: unknown, wanted: unknown): boolean =>
	textsIn(value).some((text) => text.toLowerCase() === String(wanted).toLowerCase());

function textsIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(textsIn);
	if (isJsonObject(value)) return Object.values(value).flatMap(textsIn);
	return value === null || value === undefined ? [] : [String(value)];
}

function listOf(name: string, given: unknown): Filter[] {
	if (Array.isArray(given) && given.every(isJsonObject)) return given;
	throw unknownOperator(name);
}

function withoutOperator({ name }: Field): InvalidInput {
	return new InvalidInput(
		`The filter gives a value for "${name}", but no operator`,
		`Write the value with an operator, e.g. { "${name}": { "$eq": "new" } }.`,
	);
}

function unknownOperator(name: string): InvalidInput {
	return new InvalidInput(
		`The filter uses "${name}", which this node cannot verify before it writes`,
		'Use $eq, $ne, $gt, $gte, $lt, $lte, $in, $contains, $empty, $and, $or and $not, or read the rows with Get Many and pass them on.',
	);
}
