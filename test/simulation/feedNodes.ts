import type { INodeParameters } from 'n8n-workflow';
import { EntityTrigger } from '../../nodes/EntityTrigger/EntityTrigger.node';
import { ActiveTrigger } from '../../testbed/engine/activeTrigger';
import { runNode, type NodeRun } from '../../testbed/engine/engine';
import type { FeedService } from './feedService';

/** Settings of a trigger on the grid of a service. */
export const triggerSettings = (
	{ grid, credentials }: FeedService,
	options: INodeParameters = {},
	parameters: INodeParameters = {},
) => ({
	type: 'n8n-nodes-datagrid.entityTrigger',
	parameters: { grid, events: ['created', 'updated', 'deleted'], options, ...parameters },
	credentials,
});

/** An activated trigger on the grid of a service. */
export async function activeTrigger(
	service: FeedService,
	options: INodeParameters = {},
	parameters: INodeParameters = {},
): Promise<ActiveTrigger> {
	const active = new ActiveTrigger(new EntityTrigger(), triggerSettings(service, options, parameters));
	await active.activate();
	return active;
}

/** Runs an operation of History on the grid of a service. */
export const runHistory = async (
	{ grid, credentials }: FeedService,
	parameters: INodeParameters,
): Promise<NodeRun> =>
	await runNode({
		type: 'n8n-nodes-datagrid.entity',
		parameters: { resource: 'history', grid, returnAll: true, ...parameters },
		credentials,
	});

/** Runs Get Changes on the grid of a service. */
export const getChanges = async (service: FeedService, parameters: INodeParameters = {}): Promise<NodeRun> =>
	await runHistory(service, { operation: 'getChanges', since: '2026-01-01T00:00:00Z', ...parameters });

/** Loads the node's modules again, as after a restart of n8n. */
export async function anotherProcess(): Promise<EntityTrigger> {
	const loaded: EntityTrigger[] = [];
	await jest.isolateModulesAsync(async () => {
		const module = await import('../../nodes/EntityTrigger/EntityTrigger.node');
		loaded.push(new module.EntityTrigger());
	});
	const [node] = loaded;
	if (!node) throw new Error('The node was not loaded');
	return node;
}
