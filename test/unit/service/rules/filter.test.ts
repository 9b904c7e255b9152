import fc from 'fast-check';
import type { Field } from '../../../../service/rules/fieldTypes';
import { parseFilter, parseSorting } from '../../../../service/rules/filter';
import { orderBy, toSql } from '../../../../service/store/rows/conditions';

const field = (id: string, name: Field['type']['name']): Field => ({
	id,
	name: id,
	key: id,
	description: null,
	type: { name },
});
const fields = [
	field('aa', 'string'),
	field('bb', 'integer'),
	field('cc', 'stringcollection'),
	field('dd', 'createdat'),
];

test('values of a filter are always placeholders, never part of the SQL', () => {
	fc.assert(
		fc.property(fc.string(), fc.constantFrom('$eq', '$ne', '$gt', '$contains'), (value, operator) => {
			const sql = toSql(parseFilter({ aa: { [operator]: value } }, fields));
			expect(sql.text.split('?')).toHaveLength(sql.values.length + 1);
			expect(sql.text).toBe(
				toSql(parseFilter({ aa: { [operator]: 'x' } }, fields)).text.replace(
					'lower(json',
					sql.text.includes('fold(json') ? 'fold(json' : 'lower(json',
				),
			);
		}),
	);
});

test('an empty filter, and an empty list of alternatives', () => {
	expect(toSql(parseFilter({}, fields)).text).toBe('1');
	expect(toSql(parseFilter({ $or: [] }, fields)).text).toBe('0');
	expect(toSql(parseFilter({ bb: { $in: [] } }, fields)).text).toBe('0');
});

test('createdat is compared as a point in time, whatever the offset', () => {
	const utc = toSql(parseFilter({ dd: { $gte: '2026-03-01T10:00:00Z' } }, fields));
	const other = toSql(parseFilter({ dd: { $gte: '2026-03-01T12:00:00+02:00' } }, fields));
	expect(utc).toEqual({ text: 'at >= ?', values: [Date.parse('2026-03-01T10:00:00Z')] });
	expect(other).toEqual(utc);
});

test('a filter that is too deep or too long is refused', () => {
	const deep = (levels: number): Record<string, unknown> =>
		levels === 0 ? { aa: { $eq: 'x' } } : { $not: deep(levels - 1) };
	expect(() => parseFilter(deep(10), fields)).not.toThrow();
	expect(() => parseFilter(deep(11), fields)).toThrow('deeper than 10');
	const long = { $or: Array.from({ length: 201 }, () => ({ aa: { $eq: 'x' } })) };
	expect(() => parseFilter(long, fields)).toThrow('more than 200');
});

test.each<[Record<string, unknown>, string]>([
	[{ $and: 7 }, '"$and" must be a list of filters'],
	[{ $or: [7] }, '"$or" must be a list of filters'],
	[{ $not: 7 }, '"$not" must be a filter'],
	[{ $not: [] }, '"$not" must be a filter'],
	[{ zz: { $eq: 1 } }, 'Unknown field "zz" in the filter'],
])('the filter %j is refused: %s', (filter, message) => {
	expect(() => parseFilter(filter, fields)).toThrow(message);
});

test('order comparisons take single values only', () => {
	expect(() => parseFilter({ cc: { $gt: ['a'] } }, fields)).toThrow('$gt compares single values');
	expect(() => parseFilter({ bb: { $lt: null } }, fields)).toThrow('$lt compares single values');
});

test('ties follow the direction of the first field', () => {
	const sorting = { bb: { $order: 'descending' }, aa: { $order: 'ascending' } } as const;
	const orders = parseSorting(sorting, fields);
	expect(orderBy(orders)).toMatch(
		/^json_extract\(v, '\$\."bb"'\) DESC, [^?]*json_extract\(v, '\$\."aa"'\)[^?]* ASC, pos DESC$/,
	);
	expect(orderBy([])).toBe('pos ASC');
});
