import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { installCommunityPackage, packProject } from '../../e2e/support/communityPackage.mjs';
import { startN8n } from '../../e2e/support/n8n.mjs';
import { N8nRefused, N8nRest } from '../../e2e/support/rest.mjs';
import { Fault } from '../setup/faults.mjs';
import { interruption } from '../setup/interruption.mjs';
import { withProgress } from '../setup/terminal.mjs';
import { connectDataGrid, openDemoGrids } from './dataGrid.mjs';
import { forgetRunning, noteRunning } from './leftovers.mjs';
import { demoOwner } from './owner.mjs';
import { serviceOfEnvironment, startService } from './service.mjs';
import { openExampleGrids } from './exampleGrids.mjs';
import { readerKey } from './reader.mjs';
import { exampleFiles, putWorkflow, readExample } from './workflow.mjs';

/**
 * @typedef {object} DemoOptions
 * @property {import('../setup/n8n.mjs').N8nInstall} install
 * @property {string} folder where service and n8n keep their data and logs
 * @property {number} n8nPort
 * @property {number} servicePort
 * @property {number} pollSeconds how often the workflow looks for changes
 */

/**
 * @typedef {object} Demo the whole path, running
 * @property {import('./service.mjs').DataGridService} service
 * @property {import('./dataGrid.mjs').Client} client
 * @property {import('./dataGrid.mjs').DemoGrids} grids
 * @property {import('../../e2e/support/n8n.mjs').RunningN8n} n8n
 * @property {N8nRest} rest logged in
 * @property {import('../../e2e/support/rest.mjs').Owner} owner
 * @property {import('../../e2e/support/rest.mjs').Workflow} workflow the one that is switched on: "Order activity"
 * @property {Map<string, import('../../e2e/support/rest.mjs').Workflow>} examples all of them, by the name of the file
 */

/** The example that runs from the beginning; all others are there to be looked at, run by hand and switched on. */
const RUNNING = 'order-activity.json';

/** n8n before 2.5 offers nodes of a community package to an AI agent only where this is set. */
const TOOLS = { N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true' };

/**
 * Starts the service (or takes the one that the environment names), n8n with this package, and the example workflow; runs
 * `use`; and ends both in the order that loses nothing, whatever happened.
 *
 * @template T
 * @param {DemoOptions} options
 * @param {(demo: Demo) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withDemo({ install, folder, n8nPort, servicePort, pollSeconds }, use) {
	const userFolder = join(folder, 'n8n');
	// Keys, passwords and rows lie below: nobody else on this machine may read them, whatever n8n and the service create there.
	process.umask(0o077);
	await mkdir(folder, { recursive: true });
	await chmod(folder, 0o700);
	await mkdir(join(userFolder, '.n8n', 'nodes'), { recursive: true });
	/** @type {import('./service.mjs').DataGridService | undefined} */
	let service;
	/** @type {import('../../e2e/support/n8n.mjs').RunningN8n | undefined} */
	let n8n;
	try {
		await withProgress({ label: 'Putting the package into n8n', usually: '5 seconds' }, async () => {
			await installCommunityPackage(userFolder, await packProject(folder), install.node);
		});
		const running = [];
		service = serviceOfEnvironment();
		if (service === undefined) {
			service = await withProgress({ label: 'Starting the Data-Grid Service' }, () =>
				startService({ folder, port: servicePort }),
			);
			running.push({ name: 'the Data-Grid Service', pid: service.process?.pid ?? 0 });
			await noteRunning(folder, running);
		}
		const client = connectDataGrid(service);
		const grids = await openGrids(client, service.url);
		const log = join(folder, 'logs', 'n8n.log');
		n8n = await withProgress({ label: `Starting n8n ${install.version}`, usually: '10 to 20 seconds' }, () =>
			startN8n({ install, userFolder, log, port: n8nPort, env: TOOLS, signal: interruption }).catch(
				(/** @type {unknown} */ error) => {
					if (interruption.aborted) throw error;
					const said = error instanceof Error ? error.message : String(error);
					throw new Fault(said, `Mend what it says; removing ${userFolder} starts n8n afresh.`, { log });
				},
			),
		);
		running.push({ name: 'n8n', pid: n8n.pid });
		await noteRunning(folder, running);
		const rest = new N8nRest(n8n.url);
		const owner = await demoOwner(folder);
		await signIn(rest, owner, userFolder);
		const started = { service, client, grids, n8n, rest, owner };
		return await use({ ...started, ...(await bringInExamples(started, folder, pollSeconds)) });
	} finally {
		// First n8n, so that no execution meets a service that is gone.
		await n8n?.stop();
		await service?.process?.stop();
		await forgetRunning(folder);
	}
}

/**
 * @param {import('./dataGrid.mjs').Client} client
 * @param {string} url
 */
async function openGrids(client, url) {
	try {
		return await openDemoGrids(client);
	} catch (error) {
		throw new Fault(
			`The Data-Grid Service at ${url}: ${error instanceof Error ? error.message : String(error)}.`,
			'Check DATAGRID_URL, DATAGRID_KEY and DATAGRID_SECRET; the key needs the role admin to make the grids "Orders" and "Activity".',
			{ cause: error },
		);
	}
}

/**
 * @param {N8nRest} rest
 * @param {import('../../e2e/support/rest.mjs').Owner & { file: string }} owner
 * @param {string} userFolder
 */
async function signIn(rest, { file, ...owner }, userFolder) {
	try {
		await rest.signIn(owner);
	} catch (error) {
		if (!(error instanceof N8nRefused) || error.status !== 401) throw error;
		throw new Fault(
			`n8n does not accept the login in ${file}.`,
			`Write the password that you changed it to into that file, or remove ${userFolder} to start n8n afresh.`,
			{ cause: error },
		);
	}
}

/**
 * Brings in both credentials and all examples, and switches the first one on; what an earlier start has brought in stays.
 * @param {Omit<Demo, 'workflow' | 'examples'>} demo
 * @param {string} folder where the reader key is kept
 * @param {number} pollSeconds
 * @returns {Promise<Pick<Demo, 'workflow' | 'examples'>>}
 */
export async function bringInExamples({ rest, client, service, grids, n8n }, folder, pollSeconds) {
	const label = 'Bringing in the credentials and the example workflows';
	return await withProgress({ label }, async () => {
		const { url, key, secret } = service;
		const credentials = [];
		for (const [name, connection] of /** @type {const} */ ([
			['DataGrid demo', { url, key, secret }],
			['DataGrid reader', await readerKey(client, service, folder)],
		])) {
			const { url: baseUrl, ...keys } = connection;
			const data = { baseUrl, authentication: 'apiKey', ...keys };
			credentials.push(await rest.putCredential({ name, type: 'dataGridApi', data }));
		}
		const known = await openExampleGrids(client, grids);
		const choices = { credentials, space: grids.space, grids: known, pollSeconds, n8nUrl: n8n.url };
		/** @type {Demo['examples']} */
		const examples = new Map();
		for (const file of await exampleFiles())
			examples.set(file, await putWorkflow(rest, await readExample(file, choices)));
		const workflow = examples.get(RUNNING);
		if (workflow === undefined) throw new Error(`examples/ has no ${RUNNING}`);
		if (!workflow.active) await rest.activate(workflow);
		return { workflow, examples };
	});
}
