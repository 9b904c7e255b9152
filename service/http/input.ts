import type * as z from 'zod/v4';
import { badRequest } from '../rules/errors';

/** Maximum number of problems reported for a body. */
const MAX_ISSUES = 20;
/** Maximum characters of a path or message, which may name thousands of members. */
const MAX_PROBLEM_LENGTH = 1000;

/** Parses external data. @throws ServiceError 400 that names each problem and its path */
export function parseInput<Schema extends z.ZodType>(
	schema: Schema,
	value: unknown,
	what: string,
): z.infer<Schema> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const issues = parsed.error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({
		path: path.join('.').slice(0, MAX_PROBLEM_LENGTH),
		message: message.slice(0, MAX_PROBLEM_LENGTH),
	}));
	const problems = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message));
	throw badRequest(`${what}: ${problems.join('; ')}`, issues);
}
