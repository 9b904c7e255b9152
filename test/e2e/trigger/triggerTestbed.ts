import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { connectDataGrid, openDemoGrids } from '../../../testbed/demo/dataGrid';
import { startService } from '../../../testbed/service';
import { root } from '../../../scripts/setup/paths.mjs';
import { packagedN8n } from '../../../testbed/n8n/packagedN8n';
import { TRIGGER, triggerNode } from '../../../testbed/n8n/triggerNode';
import type { N8nRest } from '../../../testbed/n8n/rest';
import { startFaultProxy } from '../../../testbed/proxy/faultProxy';
import type { N8nInstall } from '../../../scripts/setup/n8n.mjs';

/** Requests for the updates feed (§4.8). */
export const isFeed = (path: string) => path.includes('/updates?');

const feedSchema = z.looseObject({
	numberOfPages: z.number(),
	items: z.array(z.looseObject({ id: z.union([z.string(), z.number()]) })),
});

/**
 * A service, a proxy in front of it, and n8n with this package and one workflow that only contains
 * the trigger. n8n can be started and killed any number of times.
 * @param options.name of the folder in `build/`
 * @param options.options of the trigger
 * @param [options.env] more settings of n8n
 */
export async function startTriggerTestbed({
	name,
	install,
	options,
	env = {},
}: {
	name: string;
	install: N8nInstall;
	options: Record<string, unknown>;
	env?: Readonly<Record<string, string>>;
}) {
	const folder = join(root, 'build', 'trigger', name);
	await rm(folder, { recursive: true, force: true });
	const userFolder = join(folder, 'n8n');
	const startPackaged = await packagedN8n({ install, userFolder });
	const service = await startService({ folder, port: 0 });
	const client = connectDataGrid(service);
	const { space, orders, activity } = await openDemoGrids(client);
	const proxy = await startFaultProxy(service.url);
	let starts = 0;
	/** The log of the last start. */
	const log = () => join(folder, 'logs', `n8n-${String(starts)}.log`);
	/** @param more settings, of this start only */
	const start = async (more: Readonly<Record<string, string>> = {}) => {
		starts += 1;
		return await startPackaged({ log: log(), env: { ...env, ...more, N8N_ENCRYPTION_KEY: 'trigger' } });
	};
	const { key, secret } = service;
	const credentialData = { baseUrl: proxy.url, authentication: 'apiKey', key, secret };
	/** The credential of the service behind the proxy. */
	const putCredential = (rest: N8nRest) =>
		rest.putCredential({ name: 'Grid', type: 'dataGridApi', data: credentialData });

	/**
	 * Watches a grid of the space.
	 * @param watched its id
	 */
	const createWorkflow = async (rest: N8nRest, watched: string = orders.id) => {
		const value = `${encodeURIComponent(space.id)}/${encodeURIComponent(watched)}`;
		const grid = { __rl: true, mode: 'list', value };
		const credential = await putCredential(rest);
		const events = ['created', 'updated', 'deleted'];
		const nodes = [
			triggerNode({ grid, events, options, credential }),
			{
				id: 'a0000000-0000-4000-8000-000000000002',
				name: 'Done',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		];
		const connections = { [TRIGGER]: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } };
		return await rest.createWorkflow({ name: 'Changes', nodes, connections });
	};

	/** Ids of all events of a grid since a moment, in the order of the feed. */
	const eventsSince = async (since: number, gridId: string = orders.id) => {
		const ids: string[] = [];
		for (let pageIndex = 1, pages = 1; pageIndex <= pages; pageIndex++) {
			const href = `/api/users/${orders.address.userId}/spaces/${space.id}/grids/${gridId}/updates`;
			const query = {
				since: new Date(since).toISOString().replace('Z', '+00:00'),
				pageIndex,
				pageSize: 1000,
			};
			const page = await client.session.read(feedSchema, { method: 'GET', href, query });
			pages = page.numberOfPages;
			ids.push(...page.items.map(({ id }) => String(id)));
		}
		return ids;
	};

	return {
		client,
		space,
		orders,
		activity,
		proxy,
		userFolder,
		log,
		start,
		credentialData,
		putCredential,
		createWorkflow,
		eventsSince,
		end: async () => {
			await proxy.stop();
			await service.process.stop();
		},
	};
}
