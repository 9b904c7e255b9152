import { gridLocator, OPERATION, webhookWorkflow } from '../../../testbed/n8n/webhook';
import type { Credential, N8nRest } from '../../../testbed/n8n/rest';
import type { startTriggerTestbed } from '../trigger/triggerTestbed';

export type CredentialValues = { type: string; data: Record<string, string> };

export type TriggerTestbed = Awaited<ReturnType<typeof startTriggerTestbed>>;
export type Identity = 'right' | 'wrong' | 'token' | 'link' | 'push';

/** What n8n is to keep to itself: a value of each kind of credential that the package has. */
export const SECRETS = {
	wrong: 'wrong-secret-4f1c9a7e',
	token: 'access-token-8d20b3c5',
	link: 'link-password-71e6f0aa',
	push: 'push-rest-key-2b9d5e13',
};

export function credentialsOf({
	credentialData,
	proxy: { url },
}: TriggerTestbed): Record<Identity, CredentialValues> {
	const link = `${url}/api/a/u1/l1`;
	return {
		right: { type: 'dataGridApi', data: credentialData },
		wrong: { type: 'dataGridApi', data: { ...credentialData, secret: SECRETS.wrong } },
		token: {
			type: 'dataGridApi',
			data: { baseUrl: url, authentication: 'accessToken', accessToken: SECRETS.token },
		},
		link: { type: 'dataGridLinkApi', data: { link, user: 'guest', password: SECRETS.link } },
		push: { type: 'dataGridPushApi', data: { url, appId: 'app-1', restApiKey: SECRETS.push } },
	};
}

/** One operation of each node and with each identity. */
function operations({
	orders,
}: TriggerTestbed): Record<string, { node: string; identity: Identity; parameters: object }> {
	const grid = gridLocator(orders);
	const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Order'] };
	const many = { resource: 'entity', operation: 'getMany', grid, returnAll: true };
	return {
		upsert: {
			node: 'entity',
			identity: 'right',
			parameters: { resource: 'entity', operation: 'upsert', grid, columns },
		},
		read: { node: 'entity', identity: 'right', parameters: many },
		sync: {
			node: 'entity',
			identity: 'right',
			parameters: { resource: 'entity', operation: 'sync', grid, columns },
		},
		spaces: {
			node: 'space',
			identity: 'right',
			parameters: { resource: 'space', operation: 'getMany', returnAll: true },
		},
		schema: {
			node: 'grid',
			identity: 'right',
			parameters: { resource: 'grid', operation: 'get', includeSchema: true, grid },
		},
		'wrong-secret': { node: 'entity', identity: 'wrong', parameters: many },
		token: { node: 'entity', identity: 'token', parameters: many },
		link: {
			node: 'publicLink',
			identity: 'link',
			parameters: { resource: 'form', operation: 'get', access: 'link' },
		},
		push: {
			node: 'pushNotification',
			identity: 'push',
			parameters: { sendTo: 'people', userIds: 'u1', title: 'New', text: 'Ready' },
		},
	};
}

/**
 * Makes and switches on a workflow for each operation: once it goes on in spite of an error, which
 * then stands in its output, and once it is ended by it.
 * @returns the ids of the workflows by the paths of their webhooks
 */
export async function makeWorkflows(testbed: TriggerTestbed, rest: N8nRest): Promise<Map<string, string>> {
	const values = credentialsOf(testbed);

	const ids: Map<string, string> = new Map();
	for (const [path, { node, identity, parameters }] of Object.entries(operations(testbed))) {
		const { type, data } = values[identity];
		const credential = await rest.putCredential({ name: identity, type, data });
		const workflow = await rest.createWorkflow(twice(path, node, credential, parameters));
		await rest.activate(workflow);
		ids.set(path, workflow.id);
	}
	return ids;
}

function twice(path: string, node: string, credential: Credential, parameters: object) {
	const { nodes, connections } = webhookWorkflow({ name: path, path, credential, parameters, node });
	const [operation] = nodes.slice(-1);
	const goesOn = {
		...operation,
		id: 'b0000000-0000-4000-8000-000000000004',
		name: 'Goes on',
		position: [440, -200],
		onError: 'continueRegularOutput',
	};
	const to = (name: string) => ({ node: name, type: 'main', index: 0 });
	return {
		name: path,
		nodes: [...nodes, goesOn],
		connections: { ...connections, Rows: { main: [[to('Goes on'), to(OPERATION)]] } },
		settings: { executionOrder: 'v1' },
	};
}
