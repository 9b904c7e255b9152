import { z } from 'zod/v4';
import { jsonText, listOf, objectOf } from '../../../../service/rules/jsonObject';

/** Returns a schema that refuses one value, and the values that it has checked. */
function counting(wrong: unknown) {
	const checked: unknown[] = [];
	const schema = z.unknown().refine((value) => {
		checked.push(value);
		return value !== wrong;
	}, 'is wrong');
	return { checked, schema };
}

test('a list is validated up to its first invalid item, which is reported', () => {
	const { checked, schema } = counting('x');
	const { error } = listOf(schema).safeParse(['a', 'x', 'b', 'x']);
	expect(error?.issues).toEqual([expect.objectContaining({ message: 'is wrong', path: [1] })]);
	expect(checked).toEqual(['a', 'x']);
});

test('a record is validated up to its first invalid member, which is reported', () => {
	const { checked, schema } = counting('x');
	const { error } = objectOf(schema).safeParse({ one: 'a', two: 'x', three: 'b' });
	expect(error?.issues).toEqual([expect.objectContaining({ path: ['two'] })]);
	expect(checked).toEqual(['a', 'x']);
});

test('a list parses its items with their schema, and has a JSON schema', () => {
	const list = listOf(
		z.union([z.string().transform((uri) => ({ uri })), z.strictObject({ uri: z.string() })]),
	);
	expect(list.parse(['a', { uri: 'b' }])).toEqual([{ uri: 'a' }, { uri: 'b' }]);
	expect(list.safeParse([{ other: 1 }]).success).toBe(false);
	expect(list.safeParse('a').success).toBe(false);
	expect(z.toJSONSchema(listOf(z.string().min(1)), { io: 'input' })).toMatchObject({
		type: 'array',
		items: { type: 'string', minLength: 1 },
	});
});

test.each(['', '{', '{"a":'])('a parameter that is not JSON is refused with one problem: %j', (text) => {
	const schema = jsonText(objectOf(z.strictObject({ $order: z.string() })));
	expect(schema.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^expected JSON/),
	]);
});
