import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, isFree } from '../../scripts/setup/ports.mjs';
import { runCommand } from '../../scripts/setup/entry.mjs';
import { Fault } from '../../scripts/setup/faults.mjs';
import { withLock } from '../../scripts/setup/lock.mjs';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { dataFolder } from '../../scripts/setup/paths.mjs';
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

function readOptions() {
	try {
		const { once, help, ...ports } = parseArgs({
			options: {
				once: { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
				'n8n-port': { type: 'string' },
				'service-port': { type: 'string' },
				'crm-port': { type: 'string' },
			},
		}).values;
		for (const [name, text] of Object.entries(ports))
			if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > 65_535)
				throw new Error(`--${name} is not a port: ${text}`);
		return { once, help, ports };
	} catch (error) {
		throw new Fault(error instanceof Error ? error.message : String(error), `The options are:\n\n${HELP}`);
	}
}

/** Returns the requested port, the default one, or any free one if that is taken. */
async function choosePort(name: keyof typeof DEFAULT_PORTS, requested?: string): Promise<number> {
	const port = Number(requested ?? DEFAULT_PORTS[name]);
	if (await isFree(port)) return port;
	if (requested !== undefined) {
		throw new Fault(
			`Port ${requested} is in use by another program.`,
			`End that program, or choose another port with \`npm start -- --${name} <number>\`.`,
		);
	}
	const other = await freePort();
	say(`Port ${String(port)} is in use by another program: using ${String(other)} (--${name} chooses one).`);
	return other;
}

void runCommand(async () => {
	const { once, help, ports } = readOptions();
	if (help) {
		say(HELP);
		return true;
	}
	const install = await installN8n(PINNED_N8N);
	if (once) return await runOnce(install);
	return await withLock(join(dataFolder, 'start.lock'), 'running the demo of this project', async () =>
		runLive(install, async () => ({
			n8nPort: await choosePort('n8n-port', ports['n8n-port']),
			servicePort: await choosePort('service-port', ports['service-port']),
			crmPort: await choosePort('crm-port', ports['crm-port']),
		})),
	);
});
