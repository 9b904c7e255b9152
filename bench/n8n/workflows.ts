import { storedOptions } from '../../testbed/world/storedOptions';
import type { TargetService } from '../target/service';
import { rowOf } from '../target/shapes';

export type Step = {
	name: string;
	type: string;
	typeVersion: number;
	parameters: object;
	credential?: 'dataGridApi' | 'httpBasicAuth';
	[more: string]: unknown;
};
export type Flow = {
	name: string;
	nodes: (Step & { id: string; position: number[] })[];
	connections: object;
};

/** Name of the measured node. */
export const MEASURED = 'Measured';

/**
 * A workflow that starts with a webhook of its name, runs the steps in sequence and responds at
 * once.
 */
export function flow(name: string, steps: readonly Step[]): Flow {
	const begin: Step = {
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

	const connections = steps.map((step, index): [string, object] => [
		all[index]?.name ?? '',
		{ main: [[{ node: step.name, type: 'main', index: 0 }]] },
	]);
	return { name, nodes, connections: Object.fromEntries(connections) };
}

/**
 * The rows that are written.
 * @param change JavaScript that changes the row `row` of the number `n`
 */
export function rows(count: number, change = ''): Step {
	const code = `const rowOf = ${rowOf.toString()};
return Array.from({ length: ${String(count)} }, (_, n) => { const row = rowOf(n); ${change}; return { json: row }; });`;
	return { name: 'Rows', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: code } };
}

/** This package's node. */
export function ours(target: TargetService, operation: string, parameters: object): Step {
	const grid = { __rl: true, mode: 'list', value: `${target.spaceId}/${target.grid.id}` };
	const space = { __rl: true, mode: 'list', value: target.spaceId };
	return {
		name: MEASURED,
		type: 'n8n-nodes-datagrid.entity',
		typeVersion: 1,
		parameters: storedOptions({
			node: 'entity',
			resource: 'entity',
			operation,
			parameters: { resource: 'entity', operation, space, grid, ...parameters },
		}),
		credential: 'dataGridApi',
	};
}

/**
 * Maps columns by name.
 * @param keys column ids
 */
export const byName = (keys: readonly string[] = []) => ({
	mappingMode: 'autoMapInputData',
	value: null,
	matchingColumns: keys,
	schema: [],
});

/** n8n's HTTP Request node. */
function httpRequest(url: string, parameters: object): Step {
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
	};
}

/**
 * Creates a row per item with the HTTP Request node.
 * @param url of the target service
 * @param options options of the node
 */
export function httpCreate({ entities, fieldIds }: TargetService, url: string, options: object) {
	const columns = Object.entries(fieldIds).map(([name, id]) => `${JSON.stringify(id)}: $json.${name}`);
	return httpRequest(`${url}${entities}?layout=field`, {
		method: 'POST',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ { ${columns.join(', ')} } }}`,
		options,
	});
}

/**
 * Reads all pages in sequence with the HTTP Request node.
 * @param url of the target service
 */
export function httpRead({ entities }: TargetService, url: string, pageSize: number) {
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

/** Splits pages into rows. */
export const splitOut = (): Step => ({
	name: 'Split Out',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'items', options: {} },
});

/**
 * The lower bound: requests with n8n's HTTP helper.
 * @param url of the target service
 * @param work numbers of requests, and the expression of the key, if n8n evaluates one per item
 */
export const helperLoop = (
	{ entities }: TargetService,
	url: string,
	work: { pages?: number; lookUps?: number; writes: number; key?: string; ceiling?: number },
): Step => ({
	name: MEASURED,
	type: 'CUSTOM.loop',
	typeVersion: 1,
	parameters: { url: `${url}${entities}`, ...work },
	credential: 'httpBasicAuth',
});
