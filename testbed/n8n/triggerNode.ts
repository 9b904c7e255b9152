import { pollEvery } from '../demo/workflow';
import type { Credential } from './rest';

/** Name of the node below. */
export const TRIGGER = 'DataGrid Trigger';

/**
 * The trigger as the first node of a workflow, which polls each second.
 * @param settings.grid the locator that the editor stores
 * @param settings.events kinds of changes
 */
export function triggerNode({
	grid,
	events,
	options,
	credential,
}: {
	grid: object;
	events: readonly string[];
	options: Readonly<Record<string, unknown>>;
	credential: Pick<Credential, 'id' | 'name'>;
}) {
	return {
		id: 'a0000000-0000-4000-8000-000000000001',
		name: TRIGGER,
		type: 'n8n-nodes-datagrid.entityTrigger',
		typeVersion: 1,
		position: [0, 0],
		// Not simplified: the id of each change tells which of them came.
		parameters: { grid, events, simplify: false, options, pollTimes: pollEvery(1) },
		credentials: { dataGridApi: { id: credential.id, name: credential.name } },
	};
}
