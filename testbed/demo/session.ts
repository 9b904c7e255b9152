import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { installCommunityPackage, packProject } from '../n8n/communityPackage';
import { startN8n, type N8nOptions, type RunningN8n } from '../n8n/n8n';
import { N8nRefused, N8nRest, type Owner, type Workflow } from '../n8n/rest';
import { Fault } from '../../scripts/setup/faults.mjs';
import { interruption } from '../../scripts/setup/interruption.mjs';
import { withProgress } from '../../scripts/setup/terminal.mjs';
import type { Client } from '../../client';
import { connectDataGrid, openDemoGrids, type DemoGrids } from './dataGrid';
import { startCrm, type Crm } from './crm';
import { forgetRunning, noteRunning } from './leftovers';
import { demoOwner, readerKey } from './kept';
import { serviceOfEnvironment, startService, type DataGridService } from '../service';
import { openExampleGrids } from './exampleGrids';
import { exampleFiles, putWorkflow, readExample } from './workflow';
import type { N8nInstall } from '../../scripts/setup/n8n.mjs';

export interface DemoOptions {
	install: N8nInstall;
	/** Folder for data and logs of service and n8n. */
	folder: string;
	n8nPort: number;
	servicePort: number;
	/** Port of the CRM of an example; any free one if omitted. */
	crmPort?: number;
	/** Poll interval of the workflow. */
	pollSeconds: number;
	/** Whether n8n offers its editor; default: yes. */
	hasEditor?: boolean;
}

/** A running demo. */
export interface Demo {
	service: DataGridService;
	client: Client;
	grids: DemoGrids;
	n8n: RunningN8n;
	/** The second system of an example. */
	crm: Crm;
	/** Logged in. */
	rest: N8nRest;
	owner: Owner;
	/** The active workflow: "Order activity". */
	workflow: Workflow;
	/** All workflows, by file name. */
	examples: Map<string, Workflow>;
}

/** The example that is active from the start; the others can be run manually and activated. */
const RUNNING = 'order-activity.json';

/** n8n before 2.5 requires this to offer nodes of a community package to an AI agent. */
const TOOLS = { N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true' };

/**
 * Starts the service (or uses the one in the environment), n8n with this package, and the example
 * workflow; runs `use`; and finally stops both in an order that loses nothing.
 *
 * @template T
 */
export async function withDemo<T>(
	{ install, folder, n8nPort, servicePort, crmPort, pollSeconds, hasEditor = true }: DemoOptions,
	use: (demo: Demo) => Promise<T>,
): Promise<T> {
	const userFolder = join(folder, 'n8n');
	// Contains keys, passwords and rows: only the owner may read what n8n and the service create
	// there.
	process.umask(0o077);
	await mkdir(folder, { recursive: true });
	await chmod(folder, 0o700);

	let service: DataGridService | undefined;
	let n8n: RunningN8n | undefined;
	let crm: Crm | undefined;
	try {
		await withProgress({ label: 'Installing the package into n8n', usually: '5 seconds' }, async () => {
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
		crm = await startCrm(crmPort);
		const log = join(folder, 'logs', 'n8n.log');
		n8n = await startDemoN8n({ install, userFolder, log, port: n8nPort, hasEditor });
		running.push({ name: 'n8n', pid: n8n.pid });
		await noteRunning(folder, running);
		const rest = new N8nRest(n8n.url, install.version);
		const owner = await demoOwner(folder);
		await signIn(rest, owner, userFolder);
		const started = { service, client, grids, n8n, crm, rest, owner };
		return await use({ ...started, ...(await importExamples(started, folder, pollSeconds)) });
	} finally {
		// n8n first, so that no execution finds the service stopped.
		await n8n?.stop();
		await service?.process?.stop();
		await crm?.stop();
		await forgetRunning(folder);
	}
}

async function startDemoN8n(
	options: Pick<N8nOptions, 'install' | 'userFolder' | 'log' | 'port' | 'hasEditor'>,
) {
	const { install, userFolder, log } = options;
	const step = { label: `Starting n8n ${install.version}`, usually: '10 to 20 seconds' };
	return await withProgress(step, async () => {
		try {
			return await startN8n({ ...options, env: TOOLS });
		} catch (error) {
			if (interruption.aborted) throw error;
			const message = error instanceof Error ? error.message : String(error);
			throw new Fault(message, `Fix the cause; removing ${userFolder} resets n8n.`, { log });
		}
	});
}

async function openGrids(client: Client, url: string) {
	try {
		return await openDemoGrids(client);
	} catch (error) {
		throw new Fault(
			`The Data-Grid Service at ${url}: ${error instanceof Error ? error.message : String(error)}.`,
			'Check DATAGRID_URL, DATAGRID_KEY and DATAGRID_SECRET; the key needs the role admin to create the grids "Orders" and "Activity".',
			{ cause: error },
		);
	}
}

async function signIn(rest: N8nRest, { file, ...owner }: Owner & { file: string }, userFolder: string) {
	try {
		await rest.signIn(owner);
	} catch (error) {
		if (!(error instanceof N8nRefused) || error.status !== 401) throw error;
		throw new Fault(
			`n8n does not accept the login in ${file}.`,
			`Write the password that you changed it to into that file, or remove ${userFolder} to reset n8n.`,
			{ cause: error },
		);
	}
}

/**
 * Imports both credentials and all examples and activates the first one; keeps earlier imports.
 * @param folder folder of the reader key
 */
export async function importExamples(
	{ rest, client, service, grids, n8n, crm }: Omit<Demo, 'workflow' | 'examples'>,
	folder: string,
	pollSeconds: number,
): Promise<Pick<Demo, 'workflow' | 'examples'>> {
	const label = 'Importing the credentials and the example workflows';
	return await withProgress({ label }, async () => {
		const { url, key, secret } = service;
		const credentials = [];
		for (const [name, connection] of [
			['DataGrid reader', await readerKey(client, service, folder)],
			// New nodes of the editor get the newest credential.
			['DataGrid demo', { url, key, secret }],
		] as const) {
			const { url: baseUrl, ...keys } = connection;
			const data = { baseUrl, authentication: 'apiKey', ...keys };
			credentials.unshift(await rest.putCredential({ name, type: 'dataGridApi', data }));
		}
		await openExampleGrids(client, grids);
		const choices = { credentials, pollSeconds, n8nUrl: n8n.url, crmUrl: crm.url };

		const examples: Demo['examples'] = new Map();
		for (const file of await exampleFiles())
			examples.set(file, await putWorkflow(rest, await readExample(file, choices)));
		const workflow = examples.get(RUNNING);
		if (workflow === undefined) throw new Error(`examples/ has no ${RUNNING}`);
		if (!workflow.active) await rest.activate(workflow);
		return { workflow, examples };
	});
}
