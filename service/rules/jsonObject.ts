import { z } from 'zod/v4';
import { badRequest, ServiceError } from './errors';

/** Maximum nesting; deeper JSON overflows the stack of recursive readers. */
const MAX_JSON_DEPTH = 64;

/**
 * Parses JSON from a client.
 * @throws ServiceError 400 for invalid or too deep JSON, and for a member `__proto__`
 */
export function parseJson(text: string): unknown {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw badRequest('The text is not valid JSON');
	}
	let level: unknown[] = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MAX_JSON_DEPTH) throw badRequest(`The JSON is nested deeper than ${MAX_JSON_DEPTH} levels`);
		level = level.flatMap((part) => (isContainer(part) ? checkedMembers(part) : []));
	}
	return value;
}

const isContainer = (part: unknown): part is object => typeof part === 'object' && part !== null;

function checkedMembers(part: object): unknown[] {
	if (Object.hasOwn(part, '__proto__')) throw badRequest('"__proto__" is not allowed as a member name');
	return Object.values(part).filter(isContainer);
}

/**
 * Any JSON object. zod's record mistakes an object with a member `constructor` for a class instance
 * and refuses it or throws.
 */
export const plainObject = z.custom<Record<string, unknown>>(
	(value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	'expected an object',
);

/** A JSON object whose members have the same schema. Stops at the first mismatch, like `listOf`. */
export function objectOf<Member extends z.ZodType>(member: Member) {
	return plainObject.transform((object, context) => {
		const members: Array<[string, z.infer<Member>]> = [];
		for (const [name, raw] of Object.entries(object)) {
			const parsed = member.safeParse(raw);
			if (!parsed.success) {
				context.addIssue({ code: 'custom', message: 'has an unexpected structure', path: [name] });
				return z.NEVER;
			}
			members.push([name, parsed.data]);
		}
		return Object.fromEntries(members);
	});
}

/**
 * A list whose items have the same schema. Stops at the first mismatch: a body can contain 900,000
 * items, and zod's array would spend seconds and a gigabyte on describing each invalid one.
 */
export function listOf<Item extends z.ZodType>(item: Item) {
	const described = Object.entries(z.toJSONSchema(item, { io: 'input', unrepresentable: 'any' }));
	const items = Object.fromEntries(described.filter(([name]) => name !== '$schema'));
	return z
		.array(z.unknown())
		.transform((list, context) => {
			const read: Array<z.infer<Item>> = [];
			for (const [index, one] of list.entries()) {
				const parsed = item.safeParse(one);
				if (!parsed.success) {
					for (const { message, path } of parsed.error.issues)
						context.addIssue({ code: 'custom', message, path: [index, ...path] });
					return z.NEVER;
				}
				read.push(parsed.data);
			}
			return read;
		})
		.meta({ items });
}

/** JSON text in a query parameter or a form part. */
export const jsonText = <Schema extends z.ZodType>(schema: Schema) =>
	z
		.string()
		.transform((text, context): unknown => {
			try {
				return parseJson(text);
			} catch (error) {
				const why = error instanceof ServiceError ? `: ${error.message}` : '';
				// Otherwise zod would also apply the schema to this result.
				context.addIssue({ code: 'custom', message: `expected JSON${why}`, continue: false });
				return z.NEVER;
			}
		})
		.pipe(schema);
