import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, isFree } from '../../scripts/setup/ports.mjs';
import { runCommand } from '../../scripts/setup/entry.mjs';
import { Fault } from '../../scripts/setup/faults.mjs';
import { withLock } from '../../scripts/setup/lock.mjs';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { dataFolder } from '../../scripts/setup/paths.mjs';
import { buildProject } from '../../scripts/setup/project.mjs';
import { say } from '../../scripts/setup/terminal.mjs';
import { runLive } from './live';
import { runOnce } from './once';

const HELP = `npm start                 runs the Data-Grid Service and n8n with this package and an example workflow, until Ctrl-C
npm start -- --once       changes rows, checks that the workflow handled each change once, prints a table, ends

  --n8n-port <number>      where n8n listens on 127.0.0.1 (default 5678)
  --service-port <number>  where the embedded service listens (default 8787)
  --crm-port <number>      where the CRM of an example listens (default 5690)

DATAGRID_URL, DATAGRID_KEY, DATAGRID_SECRET   use this service instead of the embedded one
Data is kept in .data/; remove it to start afresh.`;

const DEFAULT_PORTS = { 'n8n-port': 5678, 'service-port': 8787, 'crm-port': 5690 };

type PortOption = keyof typeof DEFAULT_PORTS;

function readOptions(): { once: boolean; help: boolean; ports: Partial<Record<PortOption, number>> } {
	try {
		const { values } = parseArgs({
			options: {
				once: { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
				'n8n-port': { type: 'string' },
				'service-port': { type: 'string' },
				'crm-port': { type: 'string' },
			},
		});
		const ports: Partial<Record<PortOption, number>> = {};
		for (const name of ['n8n-port', 'service-port', 'crm-port'] as const) {
			const text = values[name];
			if (text === undefined) continue;
			const port = Number(text);
			if (!Number.isInteger(port) || port < 1 || port > 65_535)
				throw new Error(`--${name} is not a port: ${text}`);
			ports[name] = port;
		}
		return { once: values.once, help: values.help, ports };
	} catch (error) {
		throw new Fault(error instanceof Error ? error.message : String(error), `The options are:\n\n${HELP}`);
	}
}

/** Returns the requested port, the default one, or any free one if that is taken. */
async function choosePort(name: PortOption, requested: number | undefined): Promise<number> {
	const port = requested ?? DEFAULT_PORTS[name];
	if (await isFree(port)) return port;
	if (requested !== undefined) {
		throw new Fault(
			`Port ${String(requested)} is in use by another program.`,
			`End that program, or choose another port with \`npm start -- --${name} <number>\`.`,
		);
	}
	const other = await freePort();
	say(`Port ${String(port)} is in use by another program: using ${String(other)} (--${name} chooses one).`);
	return other;
}

/** Installs n8n if it is missing, and builds. */
async function prepare() {
	const install = await installN8n(PINNED_N8N);
	await buildProject();
	return install;
}

void runCommand(async () => {
	const { once, help, ports } = readOptions();
	if (help) {
		say(HELP);
		return true;
	}
	if (once) {
		const install = await prepare();
		return await runOnce(install);
	}
	return await withLock(join(dataFolder, 'start.lock'), 'running the demo of this project', async () => {
		const install = await prepare();
		return await runLive(install, async () => ({
			n8nPort: await choosePort('n8n-port', ports['n8n-port']),
			servicePort: await choosePort('service-port', ports['service-port']),
			crmPort: await choosePort('crm-port', ports['crm-port']),
		}));
	});
});
