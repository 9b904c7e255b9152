import { z } from 'zod/v4';
import { LIMITS, sizeText } from './limits';
import { badRequest, ServiceError } from './errors';
import { isStorable } from './text';

/** Characters of a text in a message. */
const MAX_SHOWN_LENGTH = 100;

/** Escapes with which JSON can write a text that cannot be stored or exported unchanged. */
const REFUSED_ESCAPES = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses JSON from a client.
 * @throws ServiceError 400 for invalid or too deep JSON, for a member `__proto__`, and for NUL or
 *   half of a surrogate pair in any text
 */
export function parseJson(text: string): unknown {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw badRequest('The text is not valid JSON');
	}
	const checksTexts = REFUSED_ESCAPES.test(text);
	let level: unknown[] = [value];
	for (let depth = 0; level.length > 0; depth++) {
		// Deeper JSON overflows the stack of recursive readers.
		if (depth > LIMITS.jsonDepth)
			throw badRequest(`The JSON is nested deeper than ${LIMITS.jsonDepth} levels`);
		if (checksTexts) for (const part of level) refuseTexts(part);
		level = level.flatMap((part) => (isContainer(part) ? checkedMembers(part) : []));
	}
	return value;
}

/** Checks the texts of a part, not of its members that are containers. */
function refuseTexts(part: unknown): void {
	const texts = isContainer(part) ? Object.entries(part).flat() : [part];
	const text = texts.filter((one) => typeof one === 'string').find((one) => !isStorable(one));
	if (text === undefined) return;
	const shown = JSON.stringify(text.slice(0, MAX_SHOWN_LENGTH));
	throw badRequest(`The text ${shown} contains NUL or a lone surrogate (half of a character)`);
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

/** Refuses a value that is longer as JSON. @param maxBytes in UTF-8 */
const asJson = (maxBytes: number) =>
	[
		(value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= maxBytes,
		`is longer than ${sizeText(maxBytes)} as JSON`,
	] as const;

/** Properties of a space, grid or view: any JSON object of limited size. */
export const propertiesObject = plainObject.refine(...asJson(LIMITS.propertiesBytes));

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
