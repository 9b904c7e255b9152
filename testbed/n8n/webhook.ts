import { requestN8n } from './request';
import type { Credential, Execution, N8nRest } from './rest';
import { until } from '../until';
import type { Grid } from '../../client/resources/grids';

export const OPERATION = 'DataGrid';

/** The value that the editor stores for a grid from the list. */
export function gridLocator({ address, name }: Grid) {
	const { spaceId, gridId } = address;
	const value = `${encodeURIComponent(spaceId)}/${encodeURIComponent(gridId)}`;
	return { __rl: true, mode: 'list', value, cachedResultName: name };
}

const webhook = (path: string) => ({
	id: 'b0000000-0000-4000-8000-000000000001',
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	webhookId: path,
	position: [0, 0],
	parameters: { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
});

const ROWS = {
	id: 'b0000000-0000-4000-8000-000000000002',
	name: 'Rows',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	position: [220, 0],
	parameters: { fieldToSplitOut: 'body.rows', options: {} },
};

const FILE = {
	id: 'b0000000-0000-4000-8000-000000000004',
	name: 'File',
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	position: [440, 0],
	parameters: { operation: 'csv', binaryPropertyName: 'data', options: {} },
};

/**
 * A workflow that starts with a POST of `{ rows: […] }` and passes each row as an item to an
 * operation.
 * @param options.path of the webhook
 * @param [options.node] whose operation it is; default: the Entity node
 * @param [options.asFile] whether all rows are one item instead, with a CSV file
 */
export function webhookWorkflow({
	name,
	path,
	credential,
	parameters,
	node = 'entity',
	asFile = false,
}: {
	name: string;
	path: string;
	credential: Credential;
	parameters: object;
	node?: string;
	asFile?: boolean;
}) {
	const to = (other: string) => ({ main: [[{ node: other, type: 'main', index: 0 }]] });
	const operation = {
		id: 'b0000000-0000-4000-8000-000000000003',
		name: OPERATION,
		type: `n8n-nodes-datagrid.${node}`,
		typeVersion: 1,
		position: [660, 0],
		parameters,
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
	};
	return {
		name,
		nodes: [webhook(path), ROWS, ...(asFile ? [FILE] : []), operation],
		connections: {
			Webhook: to('Rows'),
			...(asFile ? { Rows: to('File'), File: to(OPERATION) } : { Rows: to(OPERATION) }),
		},
	};
}

/**
 * Starts an execution. After a start or activation, n8n responds with 404 until it has registered
 * the webhook.
 * @param url of n8n
 * @param path of the webhook
 */
export async function post(url: string, path: string, rows: readonly object[]) {
	const isStarted = async () => {
		const response = await requestN8n(`${url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ rows }),
		});
		const text = await response.text();
		if (!response.ok && response.status !== 404)
			throw new Error(`The webhook responded with ${String(response.status)}: ${text}`);
		return response.ok;
	};
	await until('the webhook to be registered', isStarted);
}

/**
 * @param workflowId workflow of the execution
 * @param count expected number of executions
 */
export async function newestFinished(rest: N8nRest, workflowId: string, count: number): Promise<Execution> {
	const finished = async () => {
		const executions = await rest.executions(workflowId);
		const [newest] = executions;
		const isFinished = executions.length >= count && newest && !['new', 'running'].includes(newest.status);
		return isFinished ? newest : undefined;
	};
	return await until(`the end of workflow ${workflowId}`, finished, { everyMs: 250 });
}
