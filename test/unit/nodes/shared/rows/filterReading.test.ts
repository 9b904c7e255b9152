import { fieldSchema, type Field } from '../../../../../client/resources/fields';
import {
	columnsIn,
	filterReading,
	looseFilterReading,
	operatorsIn,
	type Answer,
} from '../../../../../nodes/shared/rows/filterReading';

const fields: Field[] = [
	['s', 'string'],
	['i', 'integer'],
	['d', 'decimal'],
	['b', 'boolean'],
	['t', 'date-time'],
	['day', 'date'],
	['e', 'enumcollection'],
].map(([id, name]) => fieldSchema.parse({ id, name: id, type: { name } }));

const composed = 'caf\u00e9';
const decomposed = 'cafe\u0301';

const answerTo = (filter: object, row: object, isExact = false) =>
	filterReading({ ...filter }, fields)({ ...row, _id: 'r' }, isExact);

describe('a row is compared with a filter according to the type of the column', () => {
	test.each<[object, object, Answer]>([
		[{}, {}, 'meets'],
		[{ s: { $eq: 'a' } }, { s: 'a' }, 'meets'],
		[{ s: { $eq: 'a' } }, { s: 'b' }, 'fails'],
		[{ s: { $eq: 'a' } }, {}, 'fails'],
		[{ s: { $eq: null } }, {}, 'meets'],
		[{ s: { $ne: 'a' } }, {}, 'meets'],
		[{ s: { $ne: 'a' } }, { s: 'a' }, 'fails'],
		[{ s: { $ne: null } }, {}, 'fails'],
		[{ s: { $contains: 'lde' } }, { s: 'Alder' }, 'meets'],
		[{ s: { $contains: 'x' } }, { s: 'Alder' }, 'fails'],
		[{ s: { $contains: 'x' } }, {}, 'fails'],
		[{ i: { $eq: 3 } }, { i: 3 }, 'meets'],
		[{ i: { $gt: 9 } }, { i: 10 }, 'meets'],
		[{ i: { $gt: 9 } }, { i: 9 }, 'fails'],
		[{ i: { $lte: 9 } }, { i: 9 }, 'meets'],
		[{ i: { $gte: 1, $lt: 5 } }, { i: 5 }, 'fails'],
		[{ d: { $gt: 9.5 } }, { d: '10.25' }, 'meets'],
		[{ b: { $eq: false } }, { b: false }, 'meets'],
		[{ b: { $eq: false } }, {}, 'fails'],
		[{ t: { $gt: '2026-01-01T00:00:00Z' } }, { t: '2026-01-01T00:30:00+01:00' }, 'fails'],
		[{ t: { $eq: '2026-01-01T00:00:00Z' } }, { t: '2026-01-01T01:00:00+01:00' }, 'meets'],
		[{ day: { $lt: '2026-02-01' } }, { day: '2026-01-31' }, 'meets'],
		[{ e: { $contains: 'red' } }, { e: ['red', 'blue'] }, 'meets'],
		[{ e: { $eq: ['a', 'b'] } }, { e: ['a', 'c'] }, 'fails'],
		[{ s: { $in: ['a', 'b'] } }, { s: 'b' }, 'meets'],
		[{ s: { $in: [] } }, { s: 'b' }, 'fails'],
		[{ $or: [{ s: { $eq: 'a' } }, { i: { $eq: 1 } }] }, { s: 'b', i: 1 }, 'meets'],
		[{ $and: [{ s: { $eq: 'a' } }, { i: { $eq: 1 } }] }, { s: 'b', i: 1 }, 'fails'],
		[{ $not: { s: { $eq: 'a' } } }, { s: 'a' }, 'fails'],
		[{ $not: { s: { $eq: 'a' }, i: { $eq: 1 } } }, { s: 'a', i: 2 }, 'meets'],
		[{ s: { $empty: true } }, { s: null }, 'meets'],
		[{ s: { $empty: false } }, { s: null }, 'fails'],
		[{ s: { $empty: true } }, { s: 'a' }, 'fails'],
		[{ s: { $gt: 'c' } }, { s: 'b' }, 'fails'],
	])('%j of %j: %s, in any reading', (filter, row, expected) => {
		expect(answerTo(filter, row)).toBe(expected);
		expect(answerTo(filter, row, true)).toBe(expected);
	});

	test.each<[object, object, Answer]>([
		[{ s: { $eq: 'a' } }, { s: 'A' }, 'fails'],
		[{ s: { $ne: 'a' } }, { s: 'A' }, 'meets'],
		[{ s: { $in: ['a'] } }, { s: 'A' }, 'fails'],
		[{ e: { $eq: 'a' } }, { e: ['a', 'b'] }, 'fails'],
		[{ i: { $gt: 9 } }, { i: null }, 'fails'],
		[{ $not: { i: { $gt: 1 } } }, {}, 'meets'],
		[{ s: { $eq: null } }, { s: '' }, 'unknown'],
		[{ s: { $eq: '' } }, {}, 'unknown'],
		[{ s: { $ne: '' } }, {}, 'unknown'],
		[{ e: { $empty: true } }, { e: [] }, 'unknown'],
		[{ e: { $empty: false } }, { e: [] }, 'unknown'],
		[{ s: { $contains: 'LDE' } }, { s: 'Alder' }, 'unknown'],
		[{ $not: { s: { $contains: 'A' } } }, { s: 'a' }, 'unknown'],
		[{ e: { $contains: 're' } }, { e: ['red'] }, 'unknown'],
		[{ e: { $eq: ['a', 'b'] } }, { e: ['b', 'a'] }, 'unknown'],
		[{ e: { $ne: ['a', 'b'] } }, { e: ['b', 'a'] }, 'unknown'],
		[{ s: { $gt: 'b' } }, { s: 'C' }, 'unknown'],
		[{ $and: [{ s: { $eq: 'a' } }, { s: { $contains: 'A' } }] }, { s: 'a' }, 'unknown'],
		[{ s: { $eq: composed } }, { s: decomposed }, 'fails'],
		[{ s: { $in: [decomposed] } }, { s: composed }, 'fails'],
		[{ s: { $ne: composed } }, { s: decomposed }, 'meets'],
		[{ s: { $contains: composed } }, { s: `x ${decomposed.toUpperCase()}` }, 'unknown'],
		[{ s: { $contains: decomposed } }, { s: `x ${composed}` }, 'unknown'],
		[{ s: { $contains: 'cafe' } }, { s: decomposed }, 'unknown'],
		[{ e: { $contains: composed } }, { e: [decomposed] }, 'unknown'],
		[{ $or: [{ s: { $eq: 'b' } }, { s: { $contains: 'A' } }] }, { s: 'a' }, 'unknown'],
	])('%j of %j depends on the reading of the service; exactly: %s', (filter, row, exactly) => {
		expect(answerTo(filter, row)).toBe('unknown');
		expect(answerTo(filter, row, true)).toBe(exactly);
	});

	test('what decides an answer outweighs what is unknown', () => {
		const unknown = { s: { $contains: 'A' } };
		expect(answerTo({ $and: [unknown, { i: { $eq: 1 } }] }, { s: 'a', i: 2 })).toBe('fails');
		expect(answerTo({ $or: [unknown, { i: { $eq: 1 } }] }, { s: 'a', i: 1 })).toBe('meets');
	});

	test.each<[object, string]>([
		[{ s: { $regex: 'a' } }, '$regex'],
		[{ $nor: [] }, '$nor'],
		[{ $or: {} }, '$or'],
		[{ gone: { $eq: 1 } }, 'gone'],
	])('%j cannot be evaluated before a write', (filter, name) => {
		expect(() => answerTo(filter, {})).toThrow(`The filter uses "${name}"`);
		expect(looseFilterReading({ ...filter }, fields)({})).toBe('unknown');
	});

	test('a value without an operator cannot be evaluated', () => {
		expect(() => answerTo({ s: 'a' }, {})).toThrow('The filter gives a value for "s", but no operator');
	});
});

test('lists the columns and operators of a filter', () => {
	const filter = {
		s: { $eq: 'a' },
		$or: [{ i: { $gt: 1, $lt: 5 } }, { $not: { d: { $eq: 1 } } }],
	};
	expect(columnsIn(filter)).toEqual(['s', 'i', 'd']);
	expect(operatorsIn(filter)).toEqual(['$eq', '$gt', '$lt', '$eq']);
});
