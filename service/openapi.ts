import { rolesAllowed } from './access';
import { pageQuery } from './paging';
import { BACKEND_VERSION } from './routes/meta';
import type { Route } from './routes/route';

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

const writes = new Set(['POST', 'PUT', 'PATCH']);

function operation(route: Route) {
	const parameters = [...route.path.matchAll(/:(\w+)/g)].map((match) => ({
		name: match[1],
		in: 'path',
		required: true,
		schema: { type: 'string' },
	}));
	const refused: Record<string, unknown> = {};
	for (const [status, description] of Object.entries(statuses)) {
		refused[status] = {
			description,
			content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
		};
	}
	return {
		operationId: `${route.method.toLowerCase()} ${route.path}`.replace(
			/[^A-Za-z0-9]+(\w)/g,
			(_, letter: string) => letter.toUpperCase(),
		),
		parameters,
		...(writes.has(route.method) ? { requestBody: { content: { 'application/json': { schema: {} } } } } : {}),
		responses: {
			default: { description: 'Success: 200, or 201 with Location for what creates' },
			...refused,
		},
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
	const { pageIndex, pageSize } = pageQuery().parse({});
	return {
		openapi: '3.1.0',
		info: { title: 'Data-Grid Service', version: BACKEND_VERSION },
		paths,
		components: {
			securitySchemes: {
				key: { type: 'http', scheme: 'basic' },
				token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
			},
			schemas: { Error: error },
			parameters: {
				pageIndex: { name: 'pageIndex', in: 'query', schema: { type: 'integer', default: pageIndex } },
				pageSize: { name: 'pageSize', in: 'query', schema: { type: 'integer', default: pageSize } },
			},
		},
	};
}
