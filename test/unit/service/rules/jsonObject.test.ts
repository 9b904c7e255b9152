import { z } from 'zod/v4';
import { jsonText, listOf, objectOf } from '../../../../service/rules/jsonObject';

/** Refuses the given value and counts how often it is asked. */
function counting(wrong: unknown) {
	const asked: unknown[] = [];
	const schema = z.unknown().refine((value) => {
		asked.push(value);
		return value !== wrong;
	}, 'is wrong');
	return { asked, schema };
}

test('a list ends at its first wrong item, and says which one it is', () => {
	const { asked, schema } = counting('x');
	const { error } = listOf(schema).safeParse(['a', 'x', 'b', 'x']);
	expect(error?.issues).toEqual([expect.objectContaining({ message: 'is wrong', path: [1] })]);
	expect(asked).toEqual(['a', 'x']);
});

test('a record ends at its first wrong member, and says which one it is', () => {
	const { asked, schema } = counting('x');
	const { error } = objectOf(schema).safeParse({ one: 'a', two: 'x', three: 'b' });
	expect(error?.issues).toEqual([expect.objectContaining({ path: ['two'] })]);
	expect(asked).toEqual(['a', 'x']);
});

test('a list reads its items as their schema does, and describes them', () => {
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
