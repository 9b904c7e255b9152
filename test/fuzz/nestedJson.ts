import fc from 'fast-check';

const WRAPPINGS = { list: ['[', ']'], object: ['{"a":', '}'], operator: ['{"$not":', '}'], filter: ['{"$and":[', ']}'], items: ['{"items":[', ']}'] } as const; // prettier-ignore
const DEPTHS = [3, 40, 150, 199, 201, 1000, 5000, 20_000] as const;

/** JSON that is nested so deep, and whole: a reader has to go all the way down and up again. */
function nestedJson(wrapping: keyof typeof WRAPPINGS, depth: number, inside = '1'): string {
	const [open, close] = WRAPPINGS[wrapping];
	return open.repeat(depth) + inside + close.repeat(depth);
}

const wrappings = Object.keys(WRAPPINGS).filter((name): name is keyof typeof WRAPPINGS => name in WRAPPINGS);

/** Nested JSON of all kinds, alone or as a member that an endpoint knows. */
export const nestings: fc.Arbitrary<string> = fc
	.tuple(
		fc.constantFrom(...wrappings),
		fc.constantFrom(...DEPTHS),
		fc.constantFrom('1', '"text"', '{"_id":"e#","id":"i#"}'),
		fc.constantFrom('', 'filter', 'fields', 'properties', 'items', 'type', '__proto__', 'message', 'details'),
	)
	.map(([wrapping, depth, inside, member]) => {
		const nested = nestedJson(wrapping, depth, inside);
		return member === '' ? nested : `{"name":"x","${member}":${nested}}`;
	});
