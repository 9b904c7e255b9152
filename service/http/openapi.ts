import { z } from 'zod/v4';
import { rolesAllowed } from '../rules/access';
import type { About, Route } from './route';

/** §9 */
export const BACKEND_VERSION = '2.4.1348';

/** Operations §4 does not describe; no client may count on them (§9: `x-unverified`). */
const unverified = [/\/links(\/|$)/, /^\/api\/(a|r)\//, /\/shares\/:shareId$/, /^\/api\/openapi\.json$/];

const statuses: Readonly<Record<string, string>> = {
	400: 'Bad request',
	401: 'No or wrong credentials',
	403: 'Role insufficient',
	404: 'Not found',
	500: 'Server error',
	503: 'Service unavailable',
};

const error = {
	type: 'object',
	required: ['status', 'error', 'message'],
	properties: {
		status: { type: 'integer' },
		error: { type: 'string' },
		message: { type: 'string' },
		details: {},
	},
};

/**
 * A schema of zod as JSON Schema.
 * @param io `input` for what comes in, before defaults and conversions
 */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
	const whole = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
	return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== '$schema'));
}

const inPath = (path: string) =>
	[...path.matchAll(/:(\w+)/g)].map((match) => ({
		name: match[1],
		in: 'path',
		required: true,
		schema: { type: 'string' },
	}));

const objectSchema = z.object({
	properties: z.record(z.string(), z.record(z.string(), z.unknown())),
	required: z.array(z.string()).default([]),
});

function inQuery(query: z.ZodType | undefined) {
	if (!query) return [];
	const { properties, required } = objectSchema.parse(jsonSchema(query, 'input'));
	return Object.entries(properties).map(([name, schema]) => ({
		name,
		in: 'query',
		required: required.includes(name),
		schema,
	}));
}

const json = (schema: Record<string, unknown>) => ({ 'application/json': { schema } });

/** What a route answers when all went well. */
function success({ answer, status, preview }: About): Record<string, unknown> {
	const location = { Location: { description: 'The path of the resource', schema: { type: 'string' } } };
	if (answer === 'redirect') return { 302: { description: 'See Location', headers: location } };
	if (answer === 'created') {
		const content = { 'text/plain': { schema: { type: 'string', pattern: '^Created /' } } };
		const shown = preview && { description: 'A preview', content: json(jsonSchema(preview, 'output')) };
		return { 201: { description: 'Created', headers: location, content }, ...(shown ? { 200: shown } : {}) };
	}
	if (answer === 'file') {
		const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
		return { 200: { description: 'A file', content } };
	}
	const created = status === 201 ? { headers: location } : {};
	return {
		[status ?? 200]: { description: 'Success', ...created, content: json(jsonSchema(answer, 'output')) },
	};
}

/** What an operation is about: the last word of its path that is no id. */
const tagOf = (path: string): string =>
	path.split('/').findLast((part) => /^[a-z]\w*$/i.test(part) && part !== 'api') ?? 'api';

function operation(route: Route) {
	const { body, query, optional } = route.about;
	const refused: Record<string, unknown> = {};
	for (const [status, description] of Object.entries(statuses)) {
		refused[status] = { description, content: json({ $ref: '#/components/schemas/Error' }) };
	}
	const content = body && json(jsonSchema(body, 'input'));
	return {
		operationId: `${route.method.toLowerCase()} ${route.path}`.replace(
			/[^A-Za-z0-9]+(\w)/g,
			(_, letter: string) => letter.toUpperCase(),
		),
		tags: [tagOf(route.path)],
		parameters: [...inPath(route.path), ...inQuery(query)],
		...(content ? { requestBody: { required: !optional, content } } : {}),
		responses: { ...success(route.about), ...refused },
		security: route.role === 'open' && route.path !== '/api/users/me' ? [] : [{ key: [] }, { token: [] }],
		'x-service-roles': route.role === 'open' ? [] : rolesAllowed[route.role],
		'x-service-links': route.on,
		...(unverified.some((pattern) => pattern.test(route.path)) ? { 'x-unverified': true } : {}),
	};
}

/** The machine-readable description (§5), made from the very routes the server guards. */
export function openApi(routes: readonly Route[]) {
	const paths: Record<string, Record<string, unknown>> = {};
	for (const route of routes) {
		const path = route.path.replace(/:(\w+)/g, '{$1}');
		paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
	}
	return {
		openapi: '3.1.0',
		info: { title: 'Data-Grid Service', version: BACKEND_VERSION },
		servers: [{ url: '/' }],
		paths,
		components: {
			securitySchemes: {
				key: { type: 'http', scheme: 'basic' },
				token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
			},
			schemas: { Error: error },
		},
	};
}
