import { jsonObject, jsonOf, MAX_VALUES, parseJson, recordOf } from '../../../../client/formats/json';
import { lastSegmentOf } from '../../../../client/endpoints/paths';
import { expandHref, linksSchema } from '../../../../client/hal/links';
import { endpoints } from '../../../../client/endpoints/endpoints';
import { pathOf } from '../../../../client/endpoints/paths';
import { z } from 'zod/v4';

describe('JSON from other sources', () => {
	it.each([
		['unescaped', '{"__proto__":{"polluted":1},"a":1}'],
		['escaped', String.raw`{"\u005f\u005Fpr\u006fto__" : {"polluted":1},"a":1}`],
	])('omits a member __proto__, %s', (_how, text) => {
		const value = z.looseObject({ a: z.number() }).parse(jsonOf(text));
		expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
		expect(value).toEqual({ a: 1 });
		expect(value.polluted).toBeUndefined();
	});

	it('omits nested members __proto__, and keeps texts that look like one', () => {
		expect(jsonOf('{"a":[{"__proto__":{"b":1},"c":"\\"__proto__\\":1"}]}')).toEqual({
			a: [{ c: '"__proto__":1' }],
		});
	});

	it('is refused if it is nested too deeply, not counting brackets in texts', () => {
		expect(parseJson(`${'['.repeat(500_000)}${']'.repeat(500_000)}`)).toEqual({
			problem: 'JSON that is nested deeper than 200 levels',
		});
		const text = `${'[{'.repeat(500)}\\"\\\\`;
		expect(jsonOf(JSON.stringify([text]))).toEqual([text]);
	});

	it.each([
		['objects', (count: number) => `[${'{},'.repeat(count)}{}]`],
		['members', (count: number) => `{"a":[${'{"":0},'.repeat(count / 2)}{}]}`],
		['lists after texts', (count: number) => `["\\\\","\\"[,",${'[],'.repeat(count)}[]]`],
	])('is refused if it has too many values: %s', (_what, make) => {
		const tooMany = expect.objectContaining({ hasTooManyValues: true }) as unknown;
		expect(parseJson(make(1000), 900)).toEqual(tooMany);
		expect(parseJson(make(1000), 2100)).toHaveProperty('value');
		expect(parseJson(make(MAX_VALUES))).toEqual(tooMany);
	});

	it('is refused if an object has too many members, but not if many objects have few', () => {
		const membersOf = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join();
		const large = parseJson(`{${membersOf(120_000)}}`);
		expect(large).toEqual(expect.objectContaining({ hasTooManyValues: true }));
		expect(parseJson(`{${membersOf(90_000)}}`)).toHaveProperty('value');
		const rows = Array.from({ length: 200 }, () => `{${membersOf(900)}}`).join();
		expect(parseJson(`{"items":[${rows}],"of":{"x":[${'0,'.repeat(100_000)}0]}}`)).toHaveProperty('value');
	});

	it('may have texts of any length and with any characters', () => {
		const text = '{},[],\\"'.repeat(1000);
		expect(parseJson(JSON.stringify([text]), 2)).toEqual({ value: [text] });
	});

	it('is refused if it is invalid', () => {
		for (const text of ['', '{"a":', '<html>', 'undefined', '{"a":1}}', '"'])
			expect(parseJson(text)).toEqual({ problem: 'something that is not JSON' });
	});
});

describe('numbers that JavaScript cannot represent', () => {
	it.each([
		['{"a":9007199254740993,"b":-9007199254740993}', { a: '9007199254740993', b: '-9007199254740993' }],
		['[1e400,-1e400,1e300]', ['1e400', '-1e400', 1e300]],
		['{"a":[9007199254740991,0.12345678901234567890]}', { a: [9007199254740991, 0.12345678901234568] }],
		[
			'{"a 12345678901234567890":"12345678901234567890\\"1"}',
			{ 'a 12345678901234567890': '12345678901234567890"1' },
		],
		['12345678901234567890', '12345678901234567890'],
		['[12345678901234567.89,-9007199254740993.0]', ['12345678901234567.89', '-9007199254740993.0']],
		['[9007199254740993e0,1.5e20,9007199254740994.0]', ['9007199254740993e0', 1.5e20, 9007199254740994]],
	])('become texts with all digits: %s', (text, value) => {
		expect(parseJson(text)).toEqual({ value });
	});

	it('do not make invalid JSON valid', () => {
		expect(parseJson('{"a":12345678901234567890')).toHaveProperty('problem');
	});
});

describe('an object with a member "constructor"', () => {
	const object: unknown = { constructor: { href: '/x' }, prototype: { href: '/y' } };

	it('is an object', () => {
		expect(jsonObject.safeParse(object).success).toBe(true);
		expect(recordOf(z.looseObject({ href: z.string() })).parse(object)).toEqual(object);
	});

	it('contains links like any other object', () => {
		const link = { href: '/a', method: 'get' };
		const links = linksSchema.parse(
			Object.fromEntries(['constructor', 'prototype'].map((rel) => [rel, link])),
		);
		expect([...links.keys()]).toEqual(['constructor', 'prototype']);
	});
});

it('a list is no object, and a member of another shape is named', () => {
	expect(jsonObject.safeParse([]).success).toBe(false);
	expect(recordOf(z.string()).safeParse({ a: 'b', c: 1 }).error?.issues).toMatchObject([{ path: ['c'] }]);
});

describe('texts that cannot be decoded or encoded', () => {
	it('the last segment of an address with an invalid escape is not decoded', () => {
		expect(lastSegmentOf('/api/users/u%E0%A4%A')).toBe('u%E0%A4%A');
	});

	it('an ID with a lone surrogate is refused with a message', () => {
		expect(() => pathOf(endpoints.spaceGet, { userId: 'u', spaceId: '\uD800' })).toThrow(
			/is not the ID of a space/,
		);
	});

	it('a query with a lone surrogate is encoded as in browsers', () => {
		expect(expandHref('/a', { q: 'x\uD800' })).toBe('/a?q=x%EF%BF%BD');
	});
});
