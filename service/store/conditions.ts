import type { Condition, Order } from '../filter';
import type { Field, Value } from '../fieldTypes';
import type { SqlValue } from './database';

/** A piece of SQL and the values of its placeholders. */
export interface Sql {
	readonly text: string;
	readonly values: readonly SqlValue[];
}

/**
 * The value of a field as SQL sees it. Field ids are this service's own hexadecimal ids, so they are safe within the text.
 * @param row `NEW.` or `OLD.` within a trigger
 */
export function column(field: Field, row = ''): string {
	if (field.type.name === 'createdat') return `${row}at`;
	if (field.type.name === 'createdby') return `${row}by`;
	return `json_extract(${row}v, '$."${field.id}"')`;
}

/** A value in the form `column` has it: JSON truth values are 1 and 0, lists and objects their JSON text. */
function operand(field: Field, value: Value): SqlValue {
	if (field.type.name === 'createdat' && typeof value === 'string') return Date.parse(value);
	if (typeof value === 'boolean') return value ? 1 : 0;
	return value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
}

const collections = new Set(['enumcollection', 'stringcollection', 'attachments', 'references']);
const symbols = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** Translates a condition. */
export function toSql(condition: Condition): Sql {
	switch (condition.op) {
		case 'all':
			return join(condition.of, ' AND ', '1');
		case 'any':
			return join(condition.of, ' OR ', '0');
		case 'not': {
			const { text, values } = toSql(condition.of);
			// A comparison with an empty cell is NULL in SQL; for a person it simply does not match.
			return { text: `NOT coalesce(${text}, 0)`, values };
		}
		case 'eq':
			if (condition.value === null) return { text: `${column(condition.field)} IS NULL`, values: [] };
			return { text: `${column(condition.field)} = ?`, values: [operand(condition.field, condition.value)] };
		case 'ne':
			return {
				text: `${column(condition.field)} IS NOT ?`,
				values: [operand(condition.field, condition.value)],
			};
		case 'in':
			return toSql({
				op: 'any',
				of: condition.values.map((value) => ({ op: 'eq', field: condition.field, value })),
			});
		case 'contains':
			if (collections.has(condition.field.type.name)) {
				return {
					text: `EXISTS (SELECT 1 FROM json_each(v, '$."${condition.field.id}"') WHERE value = ?)`,
					values: [condition.text],
				};
			}
			return contains(column(condition.field), condition.text);
		case 'search': {
			const inValue = contains('value', condition.text);
			const ids = JSON.stringify(condition.fields.map((field) => field.id));
			return {
				text: `EXISTS (SELECT 1 FROM json_each(v) WHERE key IN (SELECT value FROM json_each(?)) AND ${inValue.text})`,
				values: [ids, ...inValue.values],
			};
		}
		case 'empty':
			return { text: `${column(condition.field)} IS ${condition.empty ? '' : 'NOT '}NULL`, values: [] };
		case 'gt':
		case 'gte':
		case 'lt':
		case 'lte':
			return {
				text: `${column(condition.field)} ${symbols[condition.op]} ?`,
				values: [operand(condition.field, condition.value)],
			};
	}
}

/** Whether a text holds another, whatever their case. SQLite itself knows the case of ASCII letters only, but is quicker. */
function contains(expression: string, text: string): Sql {
	const fold = Buffer.byteLength(text) === text.length ? 'lower' : 'fold';
	return { text: `instr(${fold}(${expression}), ?) > 0`, values: [text.toLowerCase()] };
}

function join(conditions: readonly Condition[], operator: string, none: string): Sql {
	const parts = conditions.map(toSql);
	if (parts.length === 0) return { text: none, values: [] };
	return {
		text: `(${parts.map((part) => part.text).join(operator)})`,
		values: parts.flatMap((part) => part.values),
	};
}

/**
 * `ORDER BY` of a sorting. Entities that tie follow their creation order, in the direction of the first field: so one index
 * serves both directions.
 */
export function orderBy(orders: readonly Order[]): string {
	const direction = (descending: boolean | undefined) => (descending ? 'DESC' : 'ASC');
	const terms = orders.map(({ field, descending }) => `${column(field)} ${direction(descending)}`);
	return [...terms, `pos ${direction(orders[0]?.descending)}`].join(', ');
}

/** An empty cell in an index: JSON has no such number, and SQLite puts it before all others. */
export const EMPTY = '-9e999';

/** A condition that an index on its field answers. */
export type Indexable = Extract<Condition, { value: Value }> & { op: 'eq' | 'gt' | 'gte' | 'lt' | 'lte' };

const isIndexable = (part: Condition): part is Indexable =>
	(part.op === 'eq' && part.value !== null) ||
	part.op === 'gt' ||
	part.op === 'gte' ||
	part.op === 'lt' ||
	part.op === 'lte';

/**
 * What within `condition` an index answers best, on one field, and every match must meet: an equality, else the comparisons with a field (from
 * and to, for instance).
 */
export function indexable(condition: Condition): readonly Indexable[] {
	const candidates = (condition.op === 'all' ? condition.of : [condition]).filter(isIndexable);
	const equality = candidates.find((part) => part.op === 'eq');
	return equality ? [equality] : candidates.filter((part) => part.field.id === candidates[0]?.field.id);
}

/** The same conditions on the first column of an index. */
export function onIndex(parts: readonly Indexable[]): Sql {
	const texts = parts.map(({ op }) => (op === 'eq' ? 'k0 = ?' : `k0 > ${EMPTY} AND k0 ${symbols[op]} ?`));
	return { text: texts.join(' AND '), values: parts.map(({ field, value }) => operand(field, value)) };
}
