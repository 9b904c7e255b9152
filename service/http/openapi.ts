import { z } from 'zod/v4';
import { rolesAllowed } from '../rules/access';
import { operationName, tags } from './operations';
import * as responses from './responseSchemas';
import type { About, Route } from './route';

/** §9 */
export const BACKEND_VERSION = '2.4.1348';

/** Operations that §4 does not describe (§9: `x-unverified`). */
const unverified = [/\/links(\/|$)/, /^\/api\/(a|r)\//, /\/shares\/:shareId$/, /^\/api\/openapi\.json$/];

const statuses: Readonly<Record<string, string>> = {
	400: 'Bad request',
	401: 'No or wrong credentials',
	403: 'Role insufficient',
	404: 'Not found',
	413: 'Body too large',
	429: 'Too many requests or wrong attempts; see Retry-After',
	431: 'Address and headers too large',
	500: 'Server error',
	503: 'Service unavailable',
	507: 'Disk full',
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

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const jsonObject = z.record(z.string(), z.unknown());
type JsonObject = z.infer<typeof jsonObject>;

/** Schemas that are too simple for a reference. */
const INLINE = ['names', 'text', 'nothing', 'deleted'];

/** Converts zod schemas to JSON Schema and collects the named ones, for `components`. */
class Schemas {
	readonly named: Record<string, JsonObject> = { Error: error };
	private readonly ids = z.registry<{ id: string }>();
	private readonly names = new Map<unknown, string>();

	constructor() {
		for (const [name, schema] of Object.entries(responses)) {
			if (schema instanceof z.ZodType && !INLINE.includes(name)) this.name(schema, capital(name));
		}
	}

	/** Names a schema, unless it has a name already. */
	private name(schema: z.ZodType, id: string): void {
		if (this.names.has(schema)) return;
		this.names.set(schema, id);
		this.ids.add(schema, { id });
	}

	/** Schema of a response. A page is named after its items. */
	output(schema: z.ZodType): JsonObject {
		const items: unknown = schema instanceof z.ZodObject ? schema.shape['items'] : undefined;
		const listed = items instanceof z.ZodArray ? this.names.get(items.element) : undefined;
		const reference = { $ref: `#/components/schemas/${listed ?? ''}Page` };
		if (listed !== undefined && this.named[`${listed}Page`]) return reference;
		if (listed !== undefined) this.name(schema, `${listed}Page`);
		return this.convert(schema, 'output');
	}

	/** Schema of a request body, named after the first operation that uses it. */
	input(schema: z.ZodType, operationId: string): JsonObject {
		this.name(schema, `${capital(operationId)}Body`);
		return this.convert(schema, 'input');
	}

	/** @param io `input` for values before defaults and conversions */
	convert(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
		const converted = z.toJSONSchema(z.object({ it: schema }), {
			io,
			unrepresentable: 'any',
			metadata: this.ids,
			// This registry of names replaces zod's own, which contains limits and items.
			override: ({ zodSchema, jsonSchema }) => {
				if (zodSchema instanceof z.ZodType) Object.assign(jsonSchema, zodSchema.meta());
				const [first, ...others] = (jsonSchema.anyOf ?? []).map((one) => JSON.stringify(one));
				// A file is a text in JSON and a part of a form.
				if (first === undefined || !others.every((one) => one === first)) return;
				Object.assign(jsonSchema, jsonObject.parse(JSON.parse(first)));
				delete jsonSchema.anyOf;
			},
		});
		// Only nested schemas become references.
		const whole = jsonObject.parse(converted);
		for (const [name, definition] of Object.entries(jsonObject.parse(whole['$defs'] ?? {}))) {
			const members = Object.entries(jsonObject.parse(definition)).filter(([member]) => member !== 'id');
			this.named[name] = jsonObject.parse(toComponents(Object.fromEntries(members)));
		}
		return jsonObject.parse(toComponents(jsonObject.parse(whole['properties'])['it']));
	}
}

/** Points references to the components of the description. */
const toComponents = (value: unknown): unknown =>
	JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));

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

const byFieldId = (value: JsonObject): JsonObject => ({ type: 'object', additionalProperties: value });

/** Query parameters with JSON as their value (§2.8). */
const jsonParameters: Readonly<Record<string, JsonObject>> = {
	filter: {
		...byFieldId({}),
		description: 'By field ID an object of operators; or $and, $or and $not',
		examples: [{ f1: { $eq: 'open' } }],
	},
	sorting: byFieldId({
		type: 'object',
		required: ['$order'],
		properties: { $order: { type: 'string', enum: ['ascending', 'descending'] } },
	}),
};

const json = (schema: Record<string, unknown>) => ({ 'application/json': { schema } });

function inQuery(schemas: Schemas, query: z.ZodType | undefined) {
	if (!query) return [];
	const { properties, required } = objectSchema.parse(schemas.convert(query, 'input'));
	return Object.entries(properties).map(([name, schema]) => ({
		name,
		in: 'query',
		required: required.includes(name),
		...(jsonParameters[name] ? { content: json(jsonParameters[name]) } : { schema }),
	}));
}

/** Responses of a route on success. */
function success(schemas: Schemas, { response, status, preview }: About): Record<string, unknown> {
	const location = { Location: { description: 'The path of the resource', schema: { type: 'string' } } };
	if (response === 'redirect') {
		const followed = { description: 'After the redirect', content: json(schemas.output(responses.user)) };
		return { 302: { description: 'See Location', headers: location }, 200: followed };
	}
	if (response === 'created') {
		const content = { 'text/plain': { schema: { type: 'string', pattern: '^Created /' } } };
		const shown = preview && { description: 'A preview', content: json(schemas.output(preview)) };
		return { 201: { description: 'Created', headers: location, content }, ...(shown ? { 200: shown } : {}) };
	}
	if (response === 'file') {
		const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
		return { 200: { description: 'A file', content } };
	}
	const created = status === 201 ? { headers: location } : {};
	return {
		[status ?? 200]: { description: 'Success', ...created, content: json(schemas.output(response)) },
	};
}

/** Roles that may use an operation (§5), for people. */
const roleText = (role: Route['role']): string =>
	role === 'open' ? 'Needs no role.' : `Needs one of the roles ${rolesAllowed[role].join(', ')}.`;

/** §9 */
const acceptHeader = {
	name: 'Accept',
	in: 'header',
	description: 'Version 2 includes the fields of the grid',
	schema: {
		type: 'string',
		enum: [
			'application/vnd.service.hal;version=1',
			'application/vnd.service.hal;version=2',
			'application/json',
		],
	},
};

function operation(schemas: Schemas, route: Route) {
	const { body, query, optional, upload } = route.about;
	const { operationId, tag, summary } = operationName(route);
	const refused: Record<string, unknown> = {};
	for (const [status, description] of Object.entries(statuses)) {
		refused[status] = { description, content: json({ $ref: '#/components/schemas/Error' }) };
	}
	const schema = body && schemas.input(body, operationId);
	const multipart = { allOf: [schema, { properties: { file: { type: 'string', format: 'binary' } } }] };
	const content = schema && {
		...json(schema),
		...(upload ? { 'multipart/form-data': { schema: multipart } } : {}),
	};
	return {
		operationId,
		tags: [tag],
		summary,
		description: `${summary}. ${roleText(route.role)}`,
		parameters: [
			...inPath(route.path),
			...inQuery(schemas, query),
			...(operationId === 'getGrid' ? [acceptHeader] : []),
		],
		...(content ? { requestBody: { required: !optional, content } } : {}),
		responses: { ...success(schemas, route.about), ...refused },
		security: route.role === 'open' && route.path !== '/api/users/me' ? [] : [{ key: [] }, { token: [] }],
		'x-service-roles': route.role === 'open' ? [] : rolesAllowed[route.role],
		'x-service-links': route.on,
		...(unverified.some((pattern) => pattern.test(route.path)) ? { 'x-unverified': true } : {}),
	};
}

/** The machine-readable description (§5), generated from the routes that the server guards. */
export function openApi(routes: readonly Route[]) {
	const schemas = new Schemas();
	const paths: Record<string, Record<string, unknown>> = {};
	for (const route of routes) {
		const path = route.path.replace(/:(\w+)/g, '{$1}');
		paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(schemas, route) };
	}
	return {
		openapi: '3.1.0',
		info: {
			title: 'Data-Grid Service',
			version: BACKEND_VERSION,
			description:
				'Every resource carries `_links`: exactly the operations that the caller may perform on it, with address and method. Follow them instead of assembling paths.',
			license: { name: 'MIT', identifier: 'MIT' },
			contact: { name: 'Data-Grid Service', url: 'https://github.com/n8n-nodes-datagrid/n8n-nodes-datagrid' },
		},
		servers: [{ url: '/', description: 'The service that serves this description' }],
		tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
		paths,
		components: {
			securitySchemes: {
				key: { type: 'http', scheme: 'basic' },
				token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
			},
			schemas: schemas.named,
		},
	};
}
