import type { INodeParameters } from 'n8n-workflow';
import { GridTrigger } from '../../nodes/GridTrigger/GridTrigger.node';
import { ActiveTrigger } from '../../testbed/engine/activeTrigger';
import { runNode, type NodeRun } from '../../testbed/engine/engine';
import type { FeedService } from './feedService';

/** Settings of a trigger on the grid of a service. */
export const triggerSettings = ({ grid, credentials }: FeedService, options: INodeParameters = {}) => ({
	type: 'n8n-nodes-datagrid.gridTrigger',
	parameters: { grid, events: ['created', 'updated', 'deleted'], options },
	credentials,
});

/** An activated trigger on the grid of a service. */
export async function activeTrigger(
	service: FeedService,
	options: INodeParameters = {},
	version?: number,
): Promise<ActiveTrigger> {
	const active = new ActiveTrigger(new GridTrigger(), { ...triggerSettings(service, options), version });
	await active.activate();
	return active;
}

/** Runs Get Updates on the grid of a service. */
export const getUpdates = async (
	{ grid, credentials }: FeedService,
	parameters: INodeParameters = {},
): Promise<NodeRun> =>
	await runNode({
		type: 'n8n-nodes-datagrid.grid',
		parameters: {
			resource: 'grid',
			operation: 'getUpdates',
			grid,
			since: '2026-01-01T00:00:00Z',
			returnAll: true,
			...parameters,
		},
		credentials,
	});
