import { z } from 'zod/v4';

/** Any JSON object. zod's own record takes one with a member `constructor` for an instance of a class: it refuses it, or fails. */
export const jsonObject = z.custom<Record<string, unknown>>(
	(value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	'expected an object',
);

/** A JSON object whose members all have one shape. */
export function recordOf<Member extends z.ZodType>(member: Member) {
	return jsonObject.transform((object, context) => {
		const members: Array<[string, z.infer<Member>]> = [];
		for (const [name, raw] of Object.entries(object)) {
			const parsed = member.safeParse(raw);
			if (parsed.success) members.push([name, parsed.data]);
			else context.addIssue({ code: 'custom', message: 'has another shape', path: [name] });
		}
		return Object.fromEntries(members);
	});
}

/** JSON as text, within a query parameter or a part of a form. */
export const jsonText = <Schema extends z.ZodType>(schema: Schema) =>
	z
		.string()
		.transform((text, context): unknown => {
			try {
				return JSON.parse(text);
			} catch {
				context.addIssue({ code: 'custom', message: 'expected JSON' });
				return z.NEVER;
			}
		})
		.pipe(schema);
