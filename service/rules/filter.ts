import { z } from 'zod/v4';
import { LIMITS } from './limits';
import { plainObject, listOf, objectOf } from './jsonObject';
import { badRequest, ServiceError } from './errors';
import {
	checkValue,
	convertValue,
	isClearedLink,
	mismatch,
	type Field,
	type LinkedNames,
	type Value,
} from './fieldTypes';

/** A filter with resolved fields and validated values. `all` of nothing matches everything. */
export type Condition =
	| { readonly op: 'all' | 'any'; readonly of: readonly Condition[] }
	| { readonly op: 'not'; readonly of: Condition }
	| { readonly op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'; readonly field: Field; readonly value: Value }
	| { readonly op: 'in'; readonly field: Field; readonly values: readonly Value[] }
	| { readonly op: 'contains' | 'begins'; readonly field: Field; readonly text: string }
	| { readonly op: 'linked'; readonly field: Field; readonly names: LinkedNames; readonly text: string }
	| { readonly op: 'search'; readonly fields: readonly Field[]; readonly text: string }
	| { readonly op: 'empty'; readonly field: Field; readonly empty: boolean };

/** One level of a sorting. */
export interface Order {
	readonly field: Field;
	readonly descending: boolean;
	/** The names by which linked rows are sorted. */
	readonly names?: LinkedNames | undefined;
}

export const noCondition: Condition = { op: 'all', of: [] };

/**
 * `{ fieldId: { $eq: value } }` and the further operators of this service (see service/README.md).
 */
export const filterSchema = plainObject;
export const sortingSchema = objectOf(z.strictObject({ $order: z.enum(['ascending', 'descending']) }));
export type FilterJson = z.infer<typeof filterSchema>;
export type SortingJson = z.infer<typeof sortingSchema>;

/** Maximum number of values of one `$in`. */
const LISTED = 1000;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const operators = z.strictObject({
	$eq: z.unknown(),
	$ne: z.unknown(),
	$gt: z.unknown(),
	$gte: z.unknown(),
	$lt: z.unknown(),
	$lte: z.unknown(),
	$in: z.array(z.unknown()).max(LISTED),
	$contains: z.string(),
	$empty: z.boolean(),
}).partial(); // prettier-ignore

/** Operand of `$search`, which stands beside `$and`: a text in any of some fields. */
const searchOperand = z.strictObject({
	text: z.string().max(LIMITS.textLength),
	fields: z.array(z.string()).min(1).max(LIMITS.fields),
});

const comparisons = { $eq: 'eq', $ne: 'ne', $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' } as const;

/**
 * Parses a filter with the fields of the underlying grid (§4.5: it may name fields that a view
 * hides).
 * @throws ServiceError 400 for an unknown field or operator, or a value that does not match the
 *   field type
 */
export function parseFilter(filter: FilterJson, fields: readonly Field[]): Condition {
	return new FilterReader(fields, undefined).read(filter);
}

/**
 * Parses a stored filter. Conditions that no longer fit the fields never enlarge the result: they
 * match nothing, also within `$or` and `$not`. Values of a former type are converted as by
 * ColumnTypeChange.
 * @param onProblem called for each part that no longer fits
 */
export function parseStoredFilter(
	filter: FilterJson,
	fields: readonly Field[],
	onProblem: (problem: string) => void,
): Condition {
	return new FilterReader(fields, onProblem).read(filter);
}

/** Position of a part of a filter: its depth, and whether it is negated. */
interface Place {
	readonly depth: number;
	readonly negated: boolean;
}

class FilterReader {
	private readonly byId: ReadonlyMap<string, Field>;
	private count = 0;
	private listed = 0;
	private texts = 0;

	/** @param onProblem called for parts that do not fit; if omitted, they are refused */
	constructor(
		fields: readonly Field[],
		private readonly onProblem: ((problem: string) => void) | undefined,
	) {
		this.byId = new Map(fields.map((field) => [field.id, field]));
	}

	read(filter: FilterJson): Condition {
		return this.filter(filter, { depth: 0, negated: false });
	}

	private filter(part: FilterJson, place: Place): Condition {
		if (place.depth > LIMITS.filterDepth)
			throw badRequest(`The filter is nested deeper than ${LIMITS.filterDepth} levels`);
		const conditions: Condition[] = [];
		const members = Object.entries(part);
		// An empty group costs as much as a condition.
		this.addToCount(Math.max(1, members.length));
		for (const [name, operand] of members) conditions.push(...this.member(name, operand, place));
		const [only] = conditions;
		return conditions.length === 1 && only ? only : { op: 'all', of: conditions };
	}

	private addToCount(conditions: number): void {
		this.count += conditions;
		if (this.count > LIMITS.conditions)
			throw badRequest(`The filter has more than ${LIMITS.conditions} conditions`);
	}

	private member(name: string, operand: unknown, { depth, negated }: Place): Condition[] {
		if (name === '$not')
			return [
				{ op: 'not', of: this.filter(asFilter(operand, name), { depth: depth + 1, negated: !negated }) },
			];
		if (name === '$and' || name === '$or') {
			const list = listOf(filterSchema).safeParse(operand);
			if (!list.success) throw badRequest(`"${name}" must be a list of filters`);
			const parts = list.data.map((one) => this.filter(one, { depth: depth + 1, negated }));
			return [{ op: name === '$and' ? 'all' : 'any', of: parts }];
		}
		if (name === '$search') return [this.search(operand, negated)];
		const field = this.byId.get(name);
		if (!field) return [this.refuseOrReport(negated, unknownField(name))];
		return this.operators(field, operand, negated);
	}

	/** Reads each row once, whatever the number of fields, so it counts as one condition. */
	private search(operand: unknown, negated: boolean): Condition {
		const parsed = searchOperand.safeParse(operand);
		if (!parsed.success)
			throw badRequest('"$search" must be { "text": …, "fields": [ field ids ] }', {
				fields: `1 to ${LIMITS.fields}`,
				text: `up to ${LIMITS.textLength} characters`,
			});
		this.addText('$search');
		const fields: Field[] = [];
		for (const id of parsed.data.fields) {
			const field = this.byId.get(id);
			if (field) fields.push(field);
			else if (this.refuseOrReport(negated, unknownField(id)) === everything) return everything;
		}
		return searchIn(fields, parsed.data.text);
	}

	private operators(field: Field, operand: unknown, negated: boolean): Condition[] {
		const parsed = operators.safeParse(operand);
		if (!parsed.success || Object.keys(parsed.data).length === 0) {
			const isTooLong = parsed.error?.issues.some(({ code }) => code === 'too_big');
			const error = badRequest(
				isTooLong
					? `The filter on "${field.name}" lists more than ${LISTED} values`
					: `The filter on "${field.name}" must be an operator object such as { "$eq": … }`,
				{
					fieldId: field.id,
					operators: Object.keys(operators.shape),
				},
			);
			return [this.refuseOrReport(negated, error)];
		}
		// The first operator is counted with its field.
		this.addToCount(Object.keys(parsed.data).length - 1);
		const { $in, $contains, $empty } = parsed.data;
		const conditions: Condition[] = [];
		for (const name of ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'] as const) {
			if (name in parsed.data) conditions.push(this.comparison(field, name, parsed.data[name], negated));
		}
		if ($in) conditions.push(this.membership(field, $in, negated));
		if ($contains !== undefined) conditions.push(this.containment(field, $contains));
		if ($empty !== undefined) conditions.push({ op: 'empty', field, empty: $empty });
		return conditions;
	}

	private addText(operator: string): void {
		this.texts += 1;
		if (this.texts > LIMITS.textConditions)
			throw badRequest(`The filter has more than ${LIMITS.textConditions} ${operator}`);
	}

	private containment(field: Field, text: string): Condition {
		this.addText('$contains');
		return { op: 'contains', field, text };
	}

	private comparison(
		field: Field,
		name: keyof typeof comparisons,
		given: unknown,
		negated: boolean,
	): Condition {
		const value = this.value(field, given, name);
		if (value instanceof ServiceError) return this.refuseOrReport(negated, value);
		return { op: comparisons[name], field, value };
	}

	private membership(field: Field, given: readonly unknown[], negated: boolean): Condition {
		this.listed += given.length;
		if (this.listed > LIMITS.listedValues)
			throw badRequest(`The filter lists more than ${LISTED} values in $in`);
		const values: Value[] = [];
		for (const one of given) {
			const value = this.value(field, one, '$in');
			if (!(value instanceof ServiceError)) values.push(value);
			// Outside `$not`, values that nothing equals can be omitted.
			else if (this.refuseOrReport(negated, value) === everything) return everything;
		}
		return { op: 'in', field, values };
	}

	/** The operand, or why it does not fit. */
	private value(field: Field, given: unknown, name: string): Value | ServiceError {
		try {
			return checkOperand(field, given, name);
		} catch (error) {
			if (!(error instanceof ServiceError)) throw error;
			const json = jsonValue.safeParse(given);
			const exact = name === '$eq' || name === '$ne' || name === '$in';
			const isConvertible = this.onProblem && exact && json.success && !isClearedLink(given);
			const converted = isConvertible ? convertValue(field, json.data) : null;
			return converted ?? error;
		}
	}

	/** Condition for parts that do not fit: matches nothing, or within `$not` everything. */
	private refuseOrReport(negated: boolean, error: ServiceError): Condition {
		if (!this.onProblem) throw error;
		this.onProblem(error.message);
		return negated ? everything : nothing;
	}
}

/** A search: finds linked rows by their names, or by their addresses for a text with a slash. */
function searchIn(fields: readonly Field[], text: string): Condition {
	if (text.includes('/')) return { op: 'search', fields, text };
	const linked = fields.flatMap((field): Condition[] =>
		field.linkedNames ? [{ op: 'linked', field, names: field.linkedNames(), text }] : [],
	);
	if (linked.length === 0) return { op: 'search', fields, text };
	return {
		op: 'any',
		of: [{ op: 'search', fields: fields.filter(({ linkedNames }) => !linkedNames), text }, ...linked],
	};
}

const unknownField = (id: string) => badRequest(`Unknown field "${id}" in the filter`, { unknown: id });

const everything: Condition = { op: 'all', of: [] };
const nothing: Condition = { op: 'any', of: [] };
const jsonValue: z.ZodType<Value> = z.json();

function asFilter(operand: unknown, name: string): FilterJson {
	const parsed = filterSchema.safeParse(operand);
	if (!parsed.success) throw badRequest(`"${name}" must be a filter`);
	return parsed.data;
}

/** Only single values have an order. */
function checkOperand(field: Field, value: unknown, operator: string): Value {
	const checked = checkValue(field, value);
	const ordered = operator === '$gt' || operator === '$gte' || operator === '$lt' || operator === '$lte';
	if (ordered && (checked === null || !scalar.safeParse(checked).success)) {
		throw mismatch(field, value, `${operator} compares single values only`);
	}
	return checked;
}

/**
 * Parses a sorting; the order of its fields matters.
 * @throws ServiceError 400 for an unknown field
 */
export function parseSorting(sorting: SortingJson, fields: readonly Field[]): Order[] {
	return Object.entries(sorting).map(([id, { $order }]) => {
		const field = fields.find((one) => one.id === id);
		if (!field) throw badRequest(`Unknown field "${id}" in the sorting`, { unknown: id });
		return { field, descending: $order === 'descending', names: field.linkedNames?.() };
	});
}
