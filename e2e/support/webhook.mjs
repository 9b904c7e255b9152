import { setTimeout as wait } from 'node:timers/promises';
import { N8nRefused } from './rest.mjs';

/** @typedef {import('./rest.mjs').Credential} Credential */
/** @typedef {import('./rest.mjs').Workflow} Workflow */
/** @typedef {import('./rest.mjs').N8nRest} N8nRest */

export const OPERATION = 'DataGrid';
const REGISTERED_WITHIN_MS = 180_000;

/**
 * What the editor keeps for a grid that was picked from the list.
 * @param {import('../../scripts/demo/dataGrid.mjs').Grid} grid
 */
export function gridLocator({ address, name }) {
	const { spaceId, gridId } = address;
	const value = `${encodeURIComponent(spaceId)}/${encodeURIComponent(gridId)}`;
	return { __rl: true, mode: 'list', value, cachedResultName: name };
}

/**
 * A workflow that a POST of `{ rows: […] }` starts: each row is an item of one operation.
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.path of the webhook
 * @param {Credential} options.credential
 * @param {object} options.parameters
 * @param {string} [options.node] whose operation it is; default: the Entity node
 */
export function webhookWorkflow({ name, path, credential, parameters, node = 'entity' }) {
	const nodes = [
		{
			id: 'b0000000-0000-4000-8000-000000000001',
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path,
			position: [0, 0],
			parameters: { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
		},
		{
			id: 'b0000000-0000-4000-8000-000000000002',
			name: 'Rows',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			position: [220, 0],
			parameters: { fieldToSplitOut: 'body.rows', options: {} },
		},
		{
			id: 'b0000000-0000-4000-8000-000000000003',
			name: OPERATION,
			type: `n8n-nodes-datagrid.${node}`,
			typeVersion: 1,
			position: [440, 0],
			parameters,
			credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		},
	];
	const to = (/** @type {string} */ next) => ({ main: [[{ node: next, type: 'main', index: 0 }]] });
	return { name, nodes, connections: { Webhook: to('Rows'), Rows: to(OPERATION) } };
}

/**
 * Starts one execution. n8n takes a moment to register a webhook after its workflow was switched on or n8n was started: until
 * then it answers 404 and starts nothing.
 * @param {string} url of n8n
 * @param {string} path of the webhook
 * @param {readonly object[]} rows
 */
export async function post(url, path, rows) {
	for (const deadline = performance.now() + REGISTERED_WITHIN_MS; ; ) {
		const response = await fetch(`${url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ rows }),
		});
		if (response.ok) return;
		const text = await response.text();
		if (response.status !== 404 || performance.now() > deadline) {
			throw new Error(`The webhook answered ${String(response.status)}: ${text}`);
		}
		await wait(200);
	}
}

/**
 * @param {N8nRest} rest
 * @param {string} workflowId whose newest execution is waited for
 * @param {number} count how many executions there are by then
 * @param {number} [withinMs]
 * @returns {Promise<import('./rest.mjs').Execution>}
 */
export async function newestFinished(rest, workflowId, count, withinMs = 120_000) {
	for (const deadline = performance.now() + withinMs; performance.now() < deadline; ) {
		await wait(250);
		const executions = await rest.executions(workflowId).catch((/** @type {unknown} */ error) => {
			// So answers an n8n that is too busy with the execution to hear from its own database in time.
			if (error instanceof N8nRefused && error.status === 503) return [];
			throw error;
		});
		const [newest] = executions;
		if (executions.length >= count && newest && !['new', 'running'].includes(newest.status)) return newest;
	}
	throw new Error(`No execution of workflow ${workflowId} ended within ${String(withinMs / 1000)} s`);
}
