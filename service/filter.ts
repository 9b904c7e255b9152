import { z } from 'zod/v4';
import { jsonObject, recordOf } from './jsonObject';
import { badRequest } from './errors';
import { checkValue, mismatch, type Field, type Value } from './fieldTypes';

/** A filter with its fields resolved and its values checked. `all` of nothing matches everything. */
export type Condition =
	| { readonly op: 'all' | 'any'; readonly of: readonly Condition[] }
	| { readonly op: 'not'; readonly of: Condition }
	| { readonly op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'; readonly field: Field; readonly value: Value }
	| { readonly op: 'in'; readonly field: Field; readonly values: readonly Value[] }
	| { readonly op: 'contains'; readonly field: Field; readonly text: string }
	| { readonly op: 'search'; readonly fields: readonly Field[]; readonly text: string }
	| { readonly op: 'empty'; readonly field: Field; readonly empty: boolean };

/** One level of a sorting. */
export interface Order {
	readonly field: Field;
	readonly descending: boolean;
}

export const noCondition: Condition = { op: 'all', of: [] };

/** A list longer or deeper than this is no filter a person made, and would cost everyone else their answer. */
const MAX_CONDITIONS = 200;
const MAX_DEPTH = 10;

/** `{ fieldId: { $eq: value } }` and the further operators of this service (see service/README.md). */
export const filterSchema = jsonObject;
export const sortingSchema = recordOf(z.strictObject({ $order: z.enum(['ascending', 'descending']) }));
export type FilterJson = z.infer<typeof filterSchema>;
export type SortingJson = z.infer<typeof sortingSchema>;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const operators = z.strictObject({
	$eq: z.unknown(),
	$ne: z.unknown(),
	$gt: z.unknown(),
	$gte: z.unknown(),
	$lt: z.unknown(),
	$lte: z.unknown(),
	$in: z.array(z.unknown()).max(1000),
	$contains: z.string(),
	$empty: z.boolean(),
}).partial(); // prettier-ignore

const comparisons = { $eq: 'eq', $ne: 'ne', $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' } as const;

/**
 * Reads a filter against the fields of the underlying grid (§4.5: it may name fields that a view hides).
 * @throws ServiceError 400 for an unknown field or operator, or a value that is not of the field's type
 */
export function parseFilter(filter: FilterJson, fields: readonly Field[]): Condition {
	const byId = new Map(fields.map((field) => [field.id, field]));
	let count = 0;
	const parse = (part: FilterJson, depth: number): Condition => {
		if (depth > MAX_DEPTH) throw badRequest(`The filter is nested deeper than ${MAX_DEPTH} levels`);
		const conditions: Condition[] = [];
		for (const [name, operand] of Object.entries(part)) {
			if (++count > MAX_CONDITIONS) throw badRequest(`The filter has more than ${MAX_CONDITIONS} conditions`);
			conditions.push(...parseMember(name, operand, depth));
		}
		const [only] = conditions;
		return conditions.length === 1 && only ? only : { op: 'all', of: conditions };
	};
	const parseMember = (name: string, operand: unknown, depth: number): Condition[] => {
		if (name === '$not') return [{ op: 'not', of: parse(asFilter(operand, name), depth + 1) }];
		if (name === '$and' || name === '$or') {
			const list = z.array(filterSchema).safeParse(operand);
			if (!list.success) throw badRequest(`"${name}" takes a list of filters`);
			return [{ op: name === '$and' ? 'all' : 'any', of: list.data.map((one) => parse(one, depth + 1)) }];
		}
		const field = byId.get(name);
		if (!field) throw badRequest(`Unknown field "${name}" in the filter`, { unknown: name });
		return parseOperators(field, operand);
	};
	return parse(filter, 0);
}

function asFilter(operand: unknown, name: string): FilterJson {
	const parsed = filterSchema.safeParse(operand);
	if (!parsed.success) throw badRequest(`"${name}" takes a filter`);
	return parsed.data;
}

function parseOperators(field: Field, operand: unknown): Condition[] {
	const parsed = operators.safeParse(operand);
	if (!parsed.success || Object.keys(parsed.data).length === 0) {
		throw badRequest(`The filter on "${field.name}" must be an operator object such as { "$eq": … }`, {
			fieldId: field.id,
			operators: Object.keys(operators.shape),
		});
	}
	const { $in, $contains, $empty } = parsed.data;
	const conditions: Condition[] = [];
	for (const name of ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'] as const) {
		if (!(name in parsed.data)) continue;
		conditions.push({ op: comparisons[name], field, value: comparable(field, parsed.data[name], name) });
	}
	if ($in) conditions.push({ op: 'in', field, values: $in.map((value) => comparable(field, value, '$in')) });
	if ($contains !== undefined) conditions.push({ op: 'contains', field, text: $contains });
	if ($empty !== undefined) conditions.push({ op: 'empty', field, empty: $empty });
	return conditions;
}

/** Order comparisons make sense between single values only. */
function comparable(field: Field, value: unknown, operator: string): Value {
	const checked = checkValue(field, value);
	const ordered = operator === '$gt' || operator === '$gte' || operator === '$lt' || operator === '$lte';
	if (ordered && (checked === null || !scalar.safeParse(checked).success)) {
		throw mismatch(field, value, `${operator} compares single values`);
	}
	return checked;
}

/** Reads a sorting; its fields count in the order given. @throws ServiceError 400 for an unknown field */
export function parseSorting(sorting: SortingJson, fields: readonly Field[]): Order[] {
	return Object.entries(sorting).map(([id, { $order }]) => {
		const field = fields.find((one) => one.id === id);
		if (!field) throw badRequest(`Unknown field "${id}" in the sorting`, { unknown: id });
		return { field, descending: $order === 'descending' };
	});
}
