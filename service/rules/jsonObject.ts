import { z } from 'zod/v4';
import { badRequest, ServiceError } from './errors';

/**
 * Levels of objects and lists within each other; deeper ones overflow the stack of whatever reads
 * them recursively.
 */
const MAX_JSON_DEPTH = 64;

/**
 * Reads JSON that a client sent.
 * @throws ServiceError 400 for text that is not JSON, too deep, or meant to change prototypes
 */
export function parseJson(text: string): unknown {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw badRequest('This is not JSON');
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
	if (Object.hasOwn(part, '__proto__')) throw badRequest('A member cannot be called __proto__');
	return Object.values(part).filter(isContainer);
}

/**
 * Any JSON object. zod's own record takes one with a member `constructor` for an instance of a
 * class: it refuses it, or fails.
 */
export const plainObject = z.custom<Record<string, unknown>>(
	(value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	'expected an object',
);

/**
 * A JSON object whose members all have one shape. Ends at the first that has another, as `listOf`
 * does.
 */
export function objectOf<Member extends z.ZodType>(member: Member) {
	return plainObject.transform((object, context) => {
		const members: Array<[string, z.infer<Member>]> = [];
		for (const [name, raw] of Object.entries(object)) {
			const parsed = member.safeParse(raw);
			if (!parsed.success) {
				context.addIssue({ code: 'custom', message: 'has another shape', path: [name] });
				return z.NEVER;
			}
			members.push([name, parsed.data]);
		}
		return Object.fromEntries(members);
	});
}

/**
 * A list whose items all have one shape. Ends at the first that has another: a body holds 900,000
 * items, and zod's own list describes each wrong one, which takes seconds and a gigabyte.
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

/** JSON as text, within a query parameter or a part of a form. */
export const jsonText = <Schema extends z.ZodType>(schema: Schema) =>
	z
		.string()
		.transform((text, context): unknown => {
			try {
				return parseJson(text);
			} catch (error) {
				const why = error instanceof ServiceError ? `: ${error.message}` : '';
				context.addIssue({ code: 'custom', message: `expected JSON${why}` });
				return z.NEVER;
			}
		})
		.pipe(schema);
