import type { Condition, Order } from '../../rules/filter';
import { isStructured } from '../../rules/conversionCandidates';
import { traitsOf } from '../../rules/fieldTypeNames';
import type { Field, LinkedNames, Value } from '../../rules/fieldTypes';
import { composed, folded, isStorable } from '../../rules/text';
import type { SqlValue } from '../files/database';
import { firstKey } from '../keys';

/** An SQL fragment and the values of its placeholders. */
export interface Sql {
	readonly text: string;
	readonly values: readonly SqlValue[];
}

/** SQL expression for the value of a field. Field IDs are hexadecimal, so they need no escaping. */
function cell(field: Field): string {
	if (field.type.name === 'createdat') return 'at';
	if (field.type.name === 'createdby') return 'by';
	return `json_extract(v, '$."${field.id}"')`;
}

/**
 * SQL expression for a text as comparisons or searches regard it. SQLite itself converts ASCII,
 * which most texts are, and those that the function cannot read.
 */
function converted(name: 'composed' | 'folded', text: string): string {
	const plain = name === 'folded' ? `lower(${text})` : text;
	return `iif(length(${text}) <> octet_length(${text}), coalesce(${name}(${text}, octet_length(${text})), ${plain}), ${plain})`;
}

/** Whether cells hold texts that a person may have written in two ways. */
const isWritten = ({ type: { name } }: Field): boolean =>
	traitsOf[name].form === 'text' && name !== 'createdat' && name !== 'createdby';

/** SQL expression for the value of a field in comparisons. */
const column = (field: Field): string =>
	isWritten(field) ? converted('composed', cell(field)) : cell(field);

/** A value in the form of `column`: booleans as 1 and 0, lists and objects as JSON text. */
function operand(field: Field, value: Value): SqlValue {
	if (field.type.name === 'createdat' && typeof value === 'string') return Date.parse(value);
	if (isWritten(field) && typeof value === 'string') return composed(value);
	if (typeof value === 'boolean') return value ? 1 : 0;
	return value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
}

/** SQL expression for the value of a field as displayed text. */
function displayedText(field: Field): string {
	const { name } = field.type;
	if (name === 'createdat')
		return `strftime('%Y-%m-%dT%H:%M:%S', at / 1000, 'unixepoch') || printf('.%03dZ', at % 1000)`;
	const { form } = traitsOf[name];
	// The text of numbers and booleans in SQL differs from JSON.
	return form === 'number' || form === 'boolean' ? `(v -> '$."${field.id}"')` : cell(field);
}

const symbols = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** Translates a condition to SQL. */
export function toSql(condition: Condition): Sql {
	switch (condition.op) {
		case 'all':
			return join(condition.of, ' AND ', '1');
		case 'any':
			return join(condition.of, ' OR ', '0');
		case 'not':
			return negation(toSql(condition.of));
		case 'eq':
			return comparison(condition.field, 'IS', condition.value);
		case 'ne':
			return comparison(condition.field, 'IS NOT', condition.value);
		case 'in':
			return membership(condition.field, condition.values);
		case 'contains':
			if (traitsOf[condition.field.type.name].form === 'texts') {
				const member = bound(composed(condition.text));
				return {
					text: `EXISTS (SELECT 1 FROM json_each(v, '$."${condition.field.id}"') WHERE ${converted('composed', 'value')} = ${member.text})`,
					values: member.values,
				};
			}
			if (isStructured(condition.field.type.name)) {
				const inLeaf = contains('atom', condition.text);
				return {
					text: `EXISTS (SELECT 1 FROM json_tree(v, '$."${condition.field.id}"') WHERE ${inLeaf.text})`,
					values: inLeaf.values,
				};
			}
			return contains(displayedText(condition.field), condition.text);
		case 'begins':
			return contains(displayedText(condition.field), condition.text, '= 1');
		case 'linked':
			return linkedTo(condition.field, condition.names, condition.text);
		case 'search':
			return search(condition.fields, condition.text);
		case 'empty':
			return { text: `${cell(condition.field)} IS ${condition.empty ? '' : 'NOT '}NULL`, values: [] };
		case 'gt':
		case 'gte':
		case 'lt':
		case 'lte':
			return comparison(condition.field, symbols[condition.op], condition.value);
	}
}

/**
 * A value as an SQL expression, passed as JSON: the driver truncates texts at NUL and replaces lone
 * surrogates, and SQLite parses some numbers differently from JSON.
 */
function bound(value: SqlValue): Sql {
	const isExact = typeof value === 'string' ? isStorable(value) : Number.isSafeInteger(value);
	if (isExact) return { text: '?', values: [value] };
	return { text: `json_extract(?, '$')`, values: [JSON.stringify(value)] };
}

/** A comparison with an empty cell is NULL in SQL, but must be false. */
const negation = ({ text, values }: Sql): Sql => ({ text: `NOT coalesce(${text}, 0)`, values });

function comparison(field: Field, operator: string, value: Value): Sql {
	const { text, values } = bound(operand(field, value));
	return { text: `${column(field)} ${operator} ${text}`, values };
}

/** Membership in a list, because alternatives joined by OR would nest deeper than SQLite parses. */
function membership(field: Field, values: readonly Value[]): Sql {
	const present = values.filter((value) => value !== null).map((value) => operand(field, value));
	const list = {
		text: `${column(field)} IN (SELECT value FROM json_each(?))`,
		values: [JSON.stringify(present)],
	};
	const empty = { text: `${column(field)} IS NULL`, values: [] };
	return either([...(present.length > 0 ? [list] : []), ...(values.includes(null) ? [empty] : [])]);
}

const either = (parts: readonly Sql[]): Sql => ({
	text: parts.length === 0 ? '0' : `(${parts.map(({ text }) => text).join(' OR ')})`,
	values: parts.flatMap(({ values }) => values),
});

/** Searches the cells of these fields, including members of structured values. */
function search(fields: readonly Field[], text: string): Sql {
	// Numbers and booleans as JSON, whose text in SQL differs.
	const shown = `iif(c.type IN ('text', 'null'), c.value, v -> c.fullkey)`;
	const [inCell, inLeaf] = [contains(shown, text), contains('atom', text)];
	const leaves = `EXISTS (SELECT 1 FROM json_tree(c.value) WHERE ${inLeaf.text})`;
	return {
		text: `EXISTS (SELECT 1 FROM json_each(v) AS c WHERE c.key IN (SELECT value FROM json_each(?))
			AND CASE WHEN c.type IN ('array', 'object') THEN ${leaves} ELSE ${inCell.text} END)`,
		values: [JSON.stringify(fields.map((field) => field.id)), ...inLeaf.values, ...inCell.values],
	};
}

/** SQL expression for the ID of a linked row, by the address in `l.atom`. */
const linkedId = `substr(l.atom, instr(l.atom, '/entities/') + length('/entities/'))`;

/** SQL expression for the links of a field, as `l`. */
const linksOf = (field: Field): string => `json_tree(v, '$."${field.id}"') AS l WHERE l.key = 'uri'`;

/** Selects the name of the row to which `l` links; nothing for rows of other grids. */
function linkedName(names: LinkedNames): string {
	const paths = JSON.stringify(Object.fromEntries([...names].map(([grid, id]) => [grid, `$."${id}"`])));
	const path = `json_extract('${paths}', '$."' || (rows.pos / ${firstKey(1)}) || '"')`;
	return `SELECT json_extract(rows.v, ${path}) AS name FROM rows WHERE rows.id = ${linkedId}`;
}

/** Whether a row links to one whose name contains a text. */
function linkedTo(field: Field, names: LinkedNames, text: string): Sql {
	const inName = contains('name', text);
	return {
		text: `EXISTS (SELECT 1 FROM ${linksOf(field)} AND EXISTS (SELECT 1 FROM (${linkedName(names)}) WHERE ${inName.text}))`,
		values: inName.values,
	};
}

/**
 * Substring test that regards neither case nor composition of letters.
 * @param place of the substring; anywhere if omitted
 */
function contains(expression: string, text: string, place: '> 0' | '= 1' = '> 0'): Sql {
	const part = bound(folded(text));
	const isFound = `instr(${converted('folded', expression)}, ${part.text}) ${place}`;
	const isAscii = Buffer.byteLength(text) === text.length;
	if (!isAscii) return { text: isFound, values: part.values };
	// Most cells fail the faster test, which takes a letter without its accent for a letter.
	const isLikely = `instr(lower(${expression}), ${part.text}) > 0`;
	return { text: `(${isLikely} AND ${isFound})`, values: [...part.values, ...part.values] };
}

function join(conditions: readonly Condition[], operator: string, empty: string): Sql {
	const parts = conditions.map(toSql);
	if (parts.length === 0) return { text: empty, values: [] };
	return {
		text: `(${parts.map((part) => part.text).join(operator)})`,
		values: parts.flatMap((part) => part.values),
	};
}

/** SQL expression for what a sorting compares: of linked rows, the name of the first one. */
function sortedBy({ field, names }: Order): string {
	if (!names) return column(field);
	return `coalesce((SELECT (${linkedName(names)}) FROM ${linksOf(field)} LIMIT 1), ${column(field)})`;
}

/**
 * `ORDER BY` of a sorting. Ties follow the creation order in the direction of the first field, so
 * that one index serves both directions.
 */
export function orderBy(orders: readonly Order[]): string {
	const direction = (descending: boolean | undefined) => (descending ? 'DESC' : 'ASC');
	const terms = orders.map((order) => `${sortedBy(order)} ${direction(order.descending)}`);
	return [...terms, `pos ${direction(orders[0]?.descending)}`].join(', ');
}

/** Empty cell in an index: not a JSON number, and sorted before all others. */
const EMPTY = '-9e999';

/** SQL expression for the key of a field in an index. */
export const keyOf = (field: Field): string => `coalesce(${column(field)}, ${EMPTY})`;

/** SQL expression for the key of a row in a sorting. */
export const sortKeyOf = (order: Order): string => `coalesce(${sortedBy(order)}, ${EMPTY})`;

/** A condition that an index on its field can evaluate. */
export type Indexable = Extract<Condition, { value: Value }> & { op: 'eq' | 'gt' | 'gte' | 'lt' | 'lte' };

const isIndexable = (part: Condition): part is Indexable =>
	(part.op === 'eq' && part.value !== null) ||
	part.op === 'gt' ||
	part.op === 'gte' ||
	part.op === 'lt' ||
	part.op === 'lte';

/**
 * The most selective part of `condition` that every match must satisfy and an index on one field
 * can evaluate: an equality, else the comparisons of a field (e.g. from and to).
 */
export function indexableParts(condition: Condition): readonly Indexable[] {
	const candidates = (condition.op === 'all' ? condition.of : [condition]).filter(isIndexable);
	const equality = candidates.find((part) => part.op === 'eq');
	return equality ? [equality] : candidates.filter((part) => part.field.id === candidates[0]?.field.id);
}

/** The same conditions on the first column of an index. */
export function toIndexSql(parts: readonly Indexable[]): Sql {
	const terms = parts.map(({ op, field, value }): Sql => {
		const { text, values } = bound(operand(field, value));
		if (op === 'eq') return { text: `k0 = ${text}`, values };
		return { text: `k0 > ${EMPTY} AND k0 ${symbols[op]} ${text}`, values };
	});
	return { text: terms.map(({ text }) => text).join(' AND '), values: terms.flatMap(({ values }) => values) };
}

/** Number of conditions to evaluate per entity. */
export function countConditions(condition: Condition): number {
	if (condition.op === 'not') return countConditions(condition.of);
	if (condition.op === 'search') return Math.max(1, condition.fields.length);
	if (condition.op === 'all' || condition.op === 'any')
		return Math.max(1, condition.of.reduce((sum, part) => sum + countConditions(part), 0)); // prettier-ignore
	return 1;
}
