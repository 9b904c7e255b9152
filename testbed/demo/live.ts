import { once } from 'node:events';
import { interruption } from '../../scripts/setup/interruption.mjs';
import { dataFolder } from '../../scripts/setup/paths.mjs';
import { say } from '../../scripts/setup/terminal.mjs';
import { addressOf, pageOf } from './dataGrid';
import { endLeftovers } from './leftovers';
import { withDemo, type Demo } from './session';
import type { Running } from '../process';
import type { N8nInstall } from '../../scripts/setup/n8n.mjs';

/** n8n's editor offers at least a minute; a demo should react sooner. */
const POLL_SECONDS = 10;

/**
 * `npm start`: runs until Ctrl-C and keeps its data.
 * @param choosePorts called when no process of an earlier start runs
 */
export async function runLive(
	install: N8nInstall,
	choosePorts: () => Promise<{ n8nPort: number; servicePort: number; crmPort: number }>,
): Promise<boolean> {
	await endLeftovers(dataFolder);
	const demo = { install, ...(await choosePorts()), folder: dataFolder, pollSeconds: POLL_SECONDS };
	await withDemo(demo, async (running) => {
		await printOverview(running);
		await untilStopped(running);
		say('\nEnding n8n and the service …');
	});
	say('Stopped.');
	return true;
}

async function printOverview({
	service,
	client,
	grids: { orders, activity },
	n8n,
	owner,
	workflow,
	examples,
}: Demo) {
	const [order] = (await client.entities.page(orders, { pageSize: 1, layout: 'property' })).items;
	// Writing the current value would change nothing.
	const status = order?.['Status'] === 'shipped' ? 'packed' : 'shipped';
	const page = service.process ? `\n    see your grid    ${pageOf(service, orders)}` : '';
	const user = `'${service.key}:${service.secret}'`;
	say(`
  n8n editor         ${n8n.url}/workflow/${workflow.id}
    login            ${owner.email}
    password         ${owner.password}
    examples         ${String(examples.size)}: ${n8n.url}/home/workflows
  Data-Grid Service  ${service.url}
    key, secret      ${service.key}  ${service.secret}${page}

  Change a row of "Orders":

    curl -u ${user} -X PUT -H 'Content-Type: application/json' \\
      -d '{"Status":"${status}"}' '${addressOf(service, orders, order?._id ?? 'ENTITY_ID')}'

  Within ${String(POLL_SECONDS)} seconds the workflow writes a row to "Activity":

    curl -u ${user} '${addressOf(service, activity)}'

  Ctrl-C ends both.`);
}

/** @returns when the user stops it or one of the processes has ended */
async function untilStopped({ n8n, service }: Demo): Promise<void> {
	if (interruption.aborted) return;
	const endOf = async (name: string, { ended, log }: Running) =>
		`\n✖ ${name} ended unexpectedly (${await ended}); see ${log}`;
	const how = await Promise.race([
		once(interruption, 'abort').then(() => undefined),
		endOf('n8n', n8n),
		...(service.process ? [endOf('The Data-Grid Service', service.process)] : []),
	]);
	if (how !== undefined) say(how);
}
