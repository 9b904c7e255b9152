import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { connectDataGrid, openDemoGrids } from '../../scripts/demo/dataGrid.mjs';
import { startService } from '../../scripts/demo/service.mjs';
import { pollEvery } from '../../scripts/demo/workflow.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { installCommunityPackage, packProject } from '../support/communityPackage.mjs';
import { startN8n } from '../support/n8n.mjs';
import { N8nRest } from '../support/rest.mjs';
import { startRelay } from './relay.mjs';

export const TRIGGER = 'DataGrid Trigger';
const OWNER = {
	email: 'owner@example.com',
	password: 'Trigger-Test-1',
	firstName: 'Trigger',
	lastName: 'Test',
};
const feedSchema = z.looseObject({
	numberOfPages: z.number(),
	items: z.array(z.looseObject({ id: z.union([z.string(), z.number()]) })),
});

/**
 * A service, a relay before it, and an n8n with this package and one workflow: the trigger and nothing else to do. n8n can be
 * started and killed as often as one likes.
 * @param {object} options
 * @param {string} options.name of the folder in `build/`
 * @param {import('../../scripts/setup/n8n.mjs').N8nInstall} options.install
 * @param {Record<string, unknown>} options.options of the trigger
 * @param {Readonly<Record<string, string>>} [options.env] more settings of n8n
 */
export async function setStage({ name, install, options, env = {} }) {
	const folder = join(root, 'build', 'trigger', name);
	await rm(folder, { recursive: true, force: true });
	const userFolder = join(folder, 'n8n');
	await mkdir(join(userFolder, '.n8n', 'nodes'), { recursive: true });
	await installCommunityPackage(userFolder, await packProject(folder), install.node);
	const service = await startService({ folder, port: 0 });
	const client = connectDataGrid(service);
	const { space, orders, activity } = await openDemoGrids(client);
	const relay = await startRelay(service.url);
	let starts = 0;
	/** @param {Readonly<Record<string, string>>} [more] settings, of this start only */
	const start = async (more = {}) => {
		starts += 1;
		const log = join(folder, 'logs', `n8n-${String(starts)}.log`);
		const settings = { ...env, ...more, N8N_ENCRYPTION_KEY: 'trigger' };
		const n8n = await startN8n({ install, userFolder, log, env: settings });
		const rest = new N8nRest(n8n.url);
		await rest.signIn(OWNER);
		return { n8n, rest };
	};
	const { key, secret } = service;
	const credentialData = { baseUrl: relay.url, authentication: 'apiKey', key, secret };
	/** The credential of the service behind the relay. @param {N8nRest} rest */
	const putCredential = (rest) =>
		rest.putCredential({ name: 'Grid', type: 'dataGridApi', data: credentialData });

	/** Watches a grid of the space. @param {N8nRest} rest @param {string} [watched] its id */
	const createWorkflow = async (rest, watched = orders.id) => {
		const value = `${encodeURIComponent(space.id)}/${encodeURIComponent(watched)}`;
		const grid = { __rl: true, mode: 'list', value };
		const credential = await putCredential(rest);
		const parameters = { grid, events: ['created', 'updated', 'deleted'], options, pollTimes: pollEvery(1) };
		const credentials = { dataGridApi: { id: credential.id, name: credential.name } };
		const nodes = [
			{
				id: 'a0000000-0000-4000-8000-000000000001',
				name: TRIGGER,
				type: 'n8n-nodes-datagrid.gridTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters,
				credentials,
			},
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

	/** Ids of all events of a grid since a moment, in the order of the feed. @param {number} since @param {string} [gridId] */
	const eventsSince = async (since, gridId = orders.id) => {
		/** @type {string[]} */
		const ids = [];
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
		relay,
		userFolder,
		start,
		credentialData,
		putCredential,
		createWorkflow,
		eventsSince,
		end: async () => {
			relay.close();
			await service.process?.stop();
		},
	};
}
