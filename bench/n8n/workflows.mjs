import { ROW_SOURCE } from '../peer/service.mjs';

/**
 * @typedef {{ name: string, type: string, typeVersion: number, parameters: object, credential?: 'dataGridApi' | 'httpBasicAuth', [more: string]: unknown }} Step
 * @typedef {{ name: string, nodes: (Step & { id: string, position: number[] })[], connections: object }} Flow
 * @typedef {import('../peer/service.mjs').Peer} Peer
 */

/** The node that is measured has this name. */
export const MEASURED = 'Measured';

/**
 * A workflow that begins at a web address of its name, goes through the steps one after the other, and answers at once.
 * @param {string} name
 * @param {readonly Step[]} steps
 * @returns {Flow}
 */
export function flow(name, steps) {
	/** @type {Step} */
	const begin = {
		name: 'Begin',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { path: name, responseMode: 'onReceived', options: {} },
		webhookId: name,
	};
	const all = [begin, ...steps];
	const nodes = all.map((step, index) => ({
		...step,
		id: `b0000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
		position: [index * 200, 0],
	}));
	/** @type {(step: Step, index: number) => [string, object]} */
	const after = (step, index) => [
		all[index]?.name ?? '',
		{ main: [[{ node: step.name, type: 'main', index: 0 }]] },
	];
	const pairs = all.slice(1).map(after);
	return { name, nodes, connections: Object.fromEntries(pairs) };
}

/**
 * The rows that are written.
 * @param {number} count
 * @param {string} [change] JavaScript that changes the row `row` of the number `n`
 * @returns {Step}
 */
export function rows(count, change = '') {
	const code = `const rowOf = ${ROW_SOURCE};
return Array.from({ length: ${String(count)} }, (_, n) => { const row = rowOf(n); ${change}; return { json: row }; });`;
	return { name: 'Rows', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: code } };
}

/**
 * This package's node.
 * @param {Peer} peer
 * @param {'entity' | 'bulk'} resource
 * @param {string} operation
 * @param {object} parameters
 * @param {object} [settings] of the node
 * @returns {Step}
 */
export function ours(peer, resource, operation, parameters, settings = {}) {
	const grid = { __rl: true, mode: 'list', value: `${peer.spaceId}/${peer.grid.id}` };
	const space = { __rl: true, mode: 'list', value: peer.spaceId };
	return {
		name: MEASURED,
		type: 'n8n-nodes-datagrid.entity',
		typeVersion: 1,
		parameters: { resource, operation, space, grid, ...parameters },
		credential: 'dataGridApi',
		...settings,
	};
}

/** Columns of the input go to the columns of the same name. @param {readonly string[]} [keys] column ids */
export const byName = (keys = []) => ({
	mappingMode: 'autoMapInputData',
	value: null,
	matchingColumns: keys,
	schema: [],
});

/**
 * n8n's own node for any service.
 * @param {string} url
 * @param {object} parameters
 * @param {object} [settings] of the node
 * @returns {Step}
 */
export function httpRequest(url, parameters, settings = {}) {
	return {
		name: MEASURED,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpBasicAuth',
			...parameters,
		},
		credential: 'httpBasicAuth',
		...settings,
	};
}

/**
 * Creates a row for each item, as a person would with the HTTP Request node.
 * @param {Peer} peer
 * @param {string} url of the peer
 * @param {object} options the node's own
 */
export function httpCreate({ entities, fieldIds }, url, options, settings = {}) {
	const columns = Object.entries(fieldIds).map(([name, id]) => `${JSON.stringify(id)}: $json.${name}`);
	return httpRequest(
		`${url}${entities}?layout=field`,
		{
			method: 'POST',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ { ${columns.join(', ')} } }}`,
			options,
		},
		settings,
	);
}

/**
 * Reads all pages, one after the other, as the HTTP Request node does it.
 * @param {Peer} peer
 * @param {string} url of the peer
 * @param {number} pageSize
 */
export function httpRead({ entities }, url, pageSize) {
	const parameters = [{ type: 'qs', name: 'pageIndex', value: '={{ $pageCount + 1 }}' }];
	return httpRequest(`${url}${entities}?pageSize=${String(pageSize)}`, {
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: { parameters },
					paginationCompleteWhen: 'other',
					completeExpression: '={{ $response.body.page >= $response.body.numberOfPages }}',
				},
			},
		},
	});
}

/** Rows out of pages. @returns {Step} */
export const splitOut = () => ({
	name: 'Split Out',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'items', options: {} },
});

/**
 * The floor: n8n's HTTP helper alone.
 * @param {Peer} peer
 * @param {string} url of the peer
 * @param {number} ceiling
 * @returns {Step}
 */
export const helperLoop = ({ entities }, url, ceiling) => ({
	name: MEASURED,
	type: 'CUSTOM.helperLoop',
	typeVersion: 1,
	parameters: { url: `${url}${entities}?layout=property`, ceiling },
	credential: 'httpBasicAuth',
});
