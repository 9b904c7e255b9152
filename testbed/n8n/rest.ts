import { z } from 'zod/v4';
import { runDataSchema, unflatten, type RunData } from './execution';
import { requestN8n } from './request';

const namedSchema = z.looseObject({ id: z.string(), name: z.string() });
const credentialSchema = namedSchema.extend({ type: z.string() });
const nodeSchema = z.looseObject({
	id: z.string(),
	name: z.string(),
	type: z.string(),
	parameters: z.record(z.string(), z.unknown()),
});
const workflowSchema = namedSchema.extend({
	active: z.boolean(),
	versionId: z.string(),
	nodes: z.array(nodeSchema).default([]),
	connections: z.record(z.string(), z.unknown()).default({}),
	settings: z.looseObject({}).nullish(),
	staticData: z.record(z.string(), z.unknown()).nullish(),
});
const executionSchema = z.looseObject({ id: z.string(), status: z.string(), mode: z.string() });
const executionPageSchema = z.looseObject({ results: z.array(executionSchema) });

const iconSchema = z.union([z.string(), z.object({ light: z.string(), dark: z.string() })]);
const typeSchema = z.looseObject({
	name: z.string(),
	displayName: z.string(),
	iconUrl: iconSchema.optional(),
	codex: z.looseObject({ categories: z.array(z.string()).optional() }).optional(),
});

export type Workflow = z.infer<typeof workflowSchema>;
export type Credential = z.infer<typeof credentialSchema>;
export type Execution = z.infer<typeof executionSchema>;
export type Owner = { email: string; password: string; firstName: string; lastName: string };

/** n8n responded with an error status. */
export class N8nRefused extends Error {
	constructor(
		request: string,
		readonly status: number,
		body: string,
	) {
		super(`n8n responded to ${request} with ${String(status)}: ${body.slice(0, 400)}`);
		this.name = 'N8nRefused';
	}
}

/** n8n's internal REST interface, which its editor uses. */
export class N8nRest {
	#cookie = '';

	/**
	 * @param url address of n8n
	 * @param version of this n8n
	 */
	constructor(
		readonly url: string,
		private readonly version: string,
	) {}

	/**
	 * @template Data
	 * @param schema of the member `data`
	 * @param path below `/rest`
	 * @throws {N8nRefused}
	 */
	async call<Data>(
		schema: z.ZodType<Data>,
		method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
		path: string,
		body?: unknown,
	): Promise<Data> {
		const response = await requestN8n(`${this.url}/rest${path}`, {
			method,
			headers: {
				accept: 'application/json',
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
				...(this.#cookie === '' ? {} : { cookie: this.#cookie }),
			},
			body: body === undefined ? null : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new N8nRefused(`${method} ${path}`, response.status, text);
		const login = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
		if (login !== undefined) this.#cookie = login.split(';')[0] ?? '';
		return schema.parse(z.object({ data: z.unknown() }).parse(JSON.parse(text)).data);
	}

	/**
	 * Logs in. On its first start, n8n has no owner yet and refuses every login: creates the owner.
	 * @throws N8nRefused if the owner has another email address or password
	 */
	async signIn(owner: Owner) {
		const login = { emailOrLdapLoginId: owner.email, password: owner.password };
		try {
			await this.call(z.unknown(), 'POST', '/login', login);
		} catch (error) {
			try {
				await this.call(z.unknown(), 'POST', '/owner/setup', owner);
			} catch {
				throw error;
			}
		}
	}

	async credentials(): Promise<Credential[]> {
		return await this.call(z.array(credentialSchema), 'GET', '/credentials');
	}

	/** Creates a credential, or updates the one of that name and type. */
	async putCredential(wanted: {
		name: string;
		type: string;
		data: Record<string, unknown>;
	}): Promise<Credential> {
		const { name, type } = wanted;
		const old = (await this.credentials()).find((one) => one.name === name && one.type === type);
		if (old === undefined) return await this.call(credentialSchema, 'POST', '/credentials', wanted);
		return await this.call(credentialSchema, 'PATCH', `/credentials/${old.id}`, wanted);
	}

	/** Runs the credential test. */
	async testCredential(
		{ id, name, type }: Credential,
		data: Record<string, unknown>,
	): Promise<{ status: string; message: string }> {
		const result = z.object({ status: z.string(), message: z.string() });
		return await this.call(result, 'POST', '/credentials/test', { credentials: { id, name, type, data } });
	}

	async workflows(): Promise<{ id: string; name: string }[]> {
		return await this.call(z.array(namedSchema), 'GET', '/workflows');
	}

	async workflow(id: string): Promise<Workflow> {
		return await this.call(workflowSchema, 'GET', `/workflows/${id}`);
	}

	/** @param workflow content of a workflow file */
	async createWorkflow(workflow: object): Promise<Workflow> {
		return await this.call(workflowSchema, 'POST', '/workflows', {
			settings: {},
			...workflow,
			active: false,
		});
	}

	async changeWorkflow(id: string, change: object): Promise<Workflow> {
		return await this.call(workflowSchema, 'PATCH', `/workflows/${id}`, change);
	}

	async activate({ id, versionId }: Workflow) {
		if (this.#isFirstGeneration) await this.changeWorkflow(id, { active: true, versionId });
		else await this.call(workflowSchema, 'POST', `/workflows/${id}/activate`, { versionId });
	}

	/** @param id of a workflow */
	async deactivate(id: string) {
		if (this.#isFirstGeneration) await this.changeWorkflow(id, { active: false });
		else await this.call(z.unknown(), 'POST', `/workflows/${id}/deactivate`, {});
	}

	/** n8n 1.x activates a workflow by updating it, 2.x by publishing a version. */
	get #isFirstGeneration() {
		return this.version.startsWith('1.');
	}

	/** @returns newest first, at most a hundred */
	async executions(workflowId: string): Promise<Execution[]> {
		const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: '100' });
		return (await this.call(executionPageSchema, 'GET', `/executions?${query.toString()}`)).results;
	}

	/** @param id of an execution */
	async execution(id: string): Promise<{ status: string; data: RunData }> {
		const flat = executionSchema.extend({ data: z.string() });
		const { status, data } = await this.call(flat, 'GET', `/executions/${id}`);
		return { status, data: runDataSchema.parse(unflatten(data)) };
	}

	/** @returns all loaded types */
	async types(kind: 'nodes' | 'credentials'): Promise<z.infer<typeof typeSchema>[]> {
		return z.array(typeSchema).parse(await (await this.#fetch(`/types/${kind}.json`)).json());
	}

	/** @param path path of an icon, as in a type */
	async icon(path: string): Promise<{ status: number; type: string | null; text: string }> {
		const response = await this.#fetch(`/${path}`);
		return {
			status: response.status,
			type: response.headers.get('content-type'),
			text: await response.text(),
		};
	}

	/** @param path of a node's output schema, as the editor builds it */
	async schema(path: string): Promise<{ properties: Record<string, unknown> }> {
		const response = await this.#fetch(`/schemas/${path}.json`);
		return z.object({ properties: z.record(z.string(), z.unknown()) }).parse(await response.json());
	}

	/**
	 * Loads a list like the editor.
	 * @template Data
	 */
	async list<Data>(
		schema: z.ZodType<Data>,
		kind: 'options' | 'resource-locator-results' | 'resource-mapper-fields',
		{
			path,
			methodName,
			node,
			version = 1,
			parameters,
			credential,
		}: {
			path: string;
			methodName: string;
			node: string;
			version?: number;
			parameters: object;
			credential: Credential;
		},
	): Promise<Data> {
		return await this.call(schema, 'POST', `/dynamic-node-parameters/${kind}`, {
			path,
			methodName,
			nodeTypeAndVersion: { name: node, version },
			currentNodeParameters: parameters,
			credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		});
	}

	#fetch(path: string) {
		return requestN8n(`${this.url}${path}`, { headers: { cookie: this.#cookie } });
	}
}
