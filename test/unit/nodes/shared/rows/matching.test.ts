import { fieldSchema, type Field } from '../../../../../client/resources/fields';
import { rowTest } from '../../../../../nodes/shared/rows/matching';

const fields: Field[] = [
	['s', 'string'],
	['i', 'integer'],
	['d', 'decimal'],
	['b', 'boolean'],
	['t', 'date-time'],
	['day', 'date'],
	['e', 'enumcollection'],
].map(([id, name]) => fieldSchema.parse({ id, name: id, type: { name } }));

const meets = (filter: object, row: object) => rowTest({ ...filter }, fields)({ ...row, _id: 'r' });

describe('a row is compared with a filter according to the type of the column', () => {
	test.each<[object, object, boolean]>([
		[{}, {}, true],
		[{ s: { $eq: 'a' } }, { s: 'a' }, true],
		[{ s: { $eq: 'a' } }, { s: 'A' }, false],
		[{ s: { $eq: 'a' } }, {}, false],
		[{ s: { $eq: null } }, { s: '' }, true],
		[{ s: { $eq: '' } }, {}, true],
		[{ s: { $ne: 'a' } }, {}, true],
		[{ s: { $ne: 'a' } }, { s: 'a' }, false],
		[{ s: { $contains: 'LDE' } }, { s: 'Alder' }, true],
		[{ s: { $contains: 'x' } }, { s: 'Alder' }, false],
		[{ s: { $contains: 'x' } }, {}, false],
		[{ i: { $eq: 3 } }, { i: '3' }, true],
		[{ i: { $gt: 9 } }, { i: 10 }, true],
		[{ i: { $gt: 9 } }, { i: null }, false],
		[{ i: { $lte: 9 } }, { i: 9 }, true],
		[{ i: { $gte: 1, $lt: 5 } }, { i: 5 }, false],
		[{ d: { $gt: 9.5 } }, { d: '10.25' }, true],
		[{ b: { $eq: false } }, { b: false }, true],
		[{ b: { $eq: false } }, {}, false],
		[{ t: { $gt: '2026-01-01T00:00:00Z' } }, { t: '2026-01-01T00:30:00+01:00' }, false],
		[{ t: { $eq: '2026-01-01T00:00:00Z' } }, { t: '2026-01-01T01:00:00+01:00' }, true],
		[{ day: { $lt: '2026-02-01' } }, { day: '2026-01-31' }, true],
		[{ e: { $contains: 'red' } }, { e: ['Red', 'blue'] }, true],
		[{ s: { $in: ['a', 'b'] } }, { s: 'b' }, true],
		[{ s: { $in: [] } }, { s: 'b' }, false],
		[{ $or: [{ s: { $eq: 'a' } }, { i: { $eq: 1 } }] }, { s: 'b', i: 1 }, true],
		[{ $and: [{ s: { $eq: 'a' } }, { i: { $eq: 1 } }] }, { s: 'b', i: 1 }, false],
		[{ $not: { s: { $eq: 'a' } } }, { s: 'a' }, false],
		[{ $not: { i: { $gt: 1 } } }, {}, true],
		[{ s: { $empty: true } }, { s: null }, true],
		[{ s: { $empty: false } }, { s: null }, false],
		[{ s: { $empty: true } }, { s: 'a' }, false],
	])('%j of %j: %s', (filter, row, expected) => {
		expect(meets(filter, row)).toBe(expected);
	});

	test.each<[object, object, boolean]>([
		[{ s: { $ne: null } }, { s: '' }, true],
		[{ s: { $ne: '' } }, {}, true],
		[{ s: { $ne: null } }, {}, false],
		[{ $not: { s: { $contains: 'A' } } }, { s: 'a' }, true],
		[{ $not: { s: { $contains: 'A' } } }, { s: 'A' }, false],
		[{ $not: { e: { $contains: 're' } } }, { e: ['red'] }, true],
		[{ $not: { e: { $contains: 'red' } } }, { e: ['red'] }, false],
		[{ e: { $eq: ['a', 'b'] } }, { e: ['b', 'a'] }, true],
		[{ e: { $ne: ['a', 'b'] } }, { e: ['b', 'a'] }, true],
		[{ e: { $ne: ['a', 'b'] } }, { e: ['a', 'b'] }, false],
		[{ e: { $empty: true } }, { e: [] }, true],
		[{ e: { $empty: false } }, { e: [] }, true],
		[{ t: { $eq: '2026-01-01T00:00:00.123456Z' } }, { t: '2026-01-01T00:00:00.123Z' }, true],
		[{ t: { $ne: '2026-01-01T00:00:00.123Z' } }, { t: '2026-01-01T01:00:00.123+01:00' }, false],
		[{ s: { $gt: '\uff61' } }, { s: '😀' }, true],
		[{ s: { $gt: 'b' } }, { s: 'C' }, true],
		[{ s: { $gt: 'c' } }, { s: 'B' }, false],
	])('%j of %j under any interpretation: %s', (filter, row, expected) => {
		expect(meets(filter, row)).toBe(expected);
	});

	test('the whole filter uses one interpretation', () => {
		const filter = { $and: [{ s: { $contains: 'a' } }, { $not: { s: { $contains: 'a' } } }] };
		expect(meets(filter, { s: 'A' })).toBe(false);
	});

	test.each<[object, string]>([
		[{ s: { $regex: 'a' } }, '$regex'],
		[{ $nor: [] }, '$nor'],
		[{ $or: {} }, '$or'],
		[{ gone: { $eq: 1 } }, 'gone'],
	])('%j cannot be evaluated', (filter, name) => {
		expect(() => meets(filter, {})).toThrow(`The filter uses "${name}"`);
	});

	test('a value without an operator cannot be evaluated', () => {
		expect(() => meets({ s: 'a' }, {})).toThrow('The filter gives a value for "s", but no operator');
	});
});
