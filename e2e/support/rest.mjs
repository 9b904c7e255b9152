import { z } from 'zod/v4';
import { runDataSchema, unflatten } from './execution.mjs';

const versionSchema = z.looseObject({ versionCli: z.string() });
const settingsSchema = z.looseObject({
	userManagement: z.looseObject({ showSetupOnFirstLoad: z.boolean().optional() }),
});
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

/** @typedef {z.infer<typeof workflowSchema>} Workflow */
/** @typedef {z.infer<typeof credentialSchema>} Credential */
/** @typedef {z.infer<typeof executionSchema>} Execution */
/** @typedef {{ email: string, password: string, firstName: string, lastName: string }} Owner */

/** n8n answered with a status that is not a success. */
export class N8nRefused extends Error {
	/**
	 * @param {string} request
	 * @param {number} status
	 * @param {string} body
	 */
	constructor(request, status, body) {
		super(`n8n answered ${request} with ${String(status)}: ${body.slice(0, 400)}`);
		this.name = 'N8nRefused';
		this.status = status;
	}
}

/** n8n's own REST interface, the one that its editor uses: what a person does in the browser. */
export class N8nRest {
	#cookie = '';

	/** @param {string} url where n8n is */
	constructor(url) {
		this.url = url;
	}

	/**
	 * @template Data
	 * @param {z.ZodType<Data>} schema of what stands under `data`
	 * @param {'GET' | 'POST' | 'PATCH' | 'DELETE'} method
	 * @param {string} path below `/rest`
	 * @param {unknown} [body]
	 * @returns {Promise<Data>}
	 * @throws {N8nRefused}
	 */
	async call(schema, method, path, body) {
		const response = await fetch(`${this.url}/rest${path}`, {
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

	/** @returns {Promise<string>} n8n's version, told only to those who are logged in */
	async version() {
		return (await this.call(versionSchema, 'GET', '/settings')).versionCli;
	}

	/**
	 * Makes the owner on the first start, logs in on later ones.
	 * @param {Owner} owner
	 */
	async signIn(owner) {
		const { userManagement } = await this.call(settingsSchema, 'GET', '/settings');
		if (userManagement.showSetupOnFirstLoad === true)
			await this.call(z.unknown(), 'POST', '/owner/setup', owner);
		else {
			const login = { emailOrLdapLoginId: owner.email, password: owner.password };
			await this.call(z.unknown(), 'POST', '/login', login);
		}
	}

	/** @returns {Promise<Credential[]>} */
	async credentials() {
		return await this.call(z.array(credentialSchema), 'GET', '/credentials');
	}

	/**
	 * Makes a credential, or gives the one of that name and type new data.
	 * @param {{ name: string, type: string, data: Record<string, unknown> }} wanted
	 * @returns {Promise<Credential>}
	 */
	async putCredential(wanted) {
		const { name, type } = wanted;
		const old = (await this.credentials()).find((one) => one.name === name && one.type === type);
		if (old === undefined) return await this.call(credentialSchema, 'POST', '/credentials', wanted);
		return await this.call(credentialSchema, 'PATCH', `/credentials/${old.id}`, wanted);
	}

	/**
	 * Presses the credential's Test.
	 * @param {Credential} credential
	 * @param {Record<string, unknown>} data
	 * @returns {Promise<{ status: string, message: string }>}
	 */
	async testCredential({ id, name, type }, data) {
		const answer = z.object({ status: z.string(), message: z.string() });
		return await this.call(answer, 'POST', '/credentials/test', { credentials: { id, name, type, data } });
	}

	/** @returns {Promise<{ id: string, name: string }[]>} */
	async workflows() {
		return await this.call(z.array(namedSchema), 'GET', '/workflows');
	}

	/**
	 * @param {string} id
	 * @returns {Promise<Workflow>}
	 */
	async workflow(id) {
		return await this.call(workflowSchema, 'GET', `/workflows/${id}`);
	}

	/**
	 * @param {object} workflow as a workflow file holds it
	 * @returns {Promise<Workflow>}
	 */
	async createWorkflow(workflow) {
		return await this.call(workflowSchema, 'POST', '/workflows', {
			settings: {},
			...workflow,
			active: false,
		});
	}

	/**
	 * @param {string} id
	 * @param {object} change
	 * @returns {Promise<Workflow>}
	 */
	async changeWorkflow(id, change) {
		return await this.call(workflowSchema, 'PATCH', `/workflows/${id}`, change);
	}

	/** @param {Workflow} workflow */
	async activate({ id, versionId }) {
		if (await this.#isFirstGeneration()) await this.changeWorkflow(id, { active: true, versionId });
		else await this.call(workflowSchema, 'POST', `/workflows/${id}/activate`, { versionId });
	}

	/** @param {string} id of a workflow */
	async deactivate(id) {
		if (await this.#isFirstGeneration()) await this.changeWorkflow(id, { active: false });
		else await this.call(z.unknown(), 'POST', `/workflows/${id}/deactivate`, {});
	}

	/** n8n 1.x switches a workflow on by changing it; 2.x publishes a version of it. */
	async #isFirstGeneration() {
		return (await this.version()).startsWith('1.');
	}

	/**
	 * @param {string} workflowId
	 * @returns {Promise<Execution[]>} newest first, at most a hundred
	 */
	async executions(workflowId) {
		const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: '100' });
		return (await this.call(executionPageSchema, 'GET', `/executions?${query.toString()}`)).results;
	}

	/**
	 * @param {string} id of an execution
	 * @returns {Promise<{ status: string, data: import('./execution.mjs').RunData }>}
	 */
	async execution(id) {
		const flat = executionSchema.extend({ data: z.string() });
		const { status, data } = await this.call(flat, 'GET', `/executions/${id}`);
		return { status, data: runDataSchema.parse(unflatten(data)) };
	}

	/**
	 * @param {'nodes' | 'credentials'} kind
	 * @returns {Promise<z.infer<typeof typeSchema>[]>} every type that n8n has loaded
	 */
	async types(kind) {
		return z.array(typeSchema).parse(await (await this.#asked(`/types/${kind}.json`)).json());
	}

	/**
	 * @param {string} path an icon's, as a type names it
	 * @returns {Promise<{ status: number, type: string | null, text: string }>}
	 */
	async icon(path) {
		const response = await this.#asked(`/${path}`);
		return {
			status: response.status,
			type: response.headers.get('content-type'),
			text: await response.text(),
		};
	}

	/**
	 * Loads a list as the editor does when a person opens it.
	 * @template Data
	 * @param {z.ZodType<Data>} schema
	 * @param {'options' | 'resource-locator-results' | 'resource-mapper-fields'} kind
	 * @param {{ path: string, methodName: string, node: string, parameters: object, credential: Credential }} asked
	 * @returns {Promise<Data>}
	 */
	async list(schema, kind, { path, methodName, node, parameters, credential }) {
		return await this.call(schema, 'POST', `/dynamic-node-parameters/${kind}`, {
			path,
			methodName,
			nodeTypeAndVersion: { name: node, version: 1 },
			currentNodeParameters: parameters,
			credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		});
	}

	/** @param {string} path */
	#asked(path) {
		return fetch(`${this.url}${path}`, { headers: { cookie: this.#cookie } });
	}
}
