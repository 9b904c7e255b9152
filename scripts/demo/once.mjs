import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { errorOf } from '../../e2e/support/execution.mjs';
import { freePort } from '../../e2e/support/ports.mjs';
import { Fault } from '../setup/faults.mjs';
import { interruption } from '../setup/interruption.mjs';
import { logFolder } from '../setup/paths.mjs';
import { say, withProgress } from '../setup/terminal.mjs';
import { ActivityLog, changeRows } from './changes.mjs';
import { withDemo } from './session.mjs';
import { table } from './table.mjs';

const ROWS = 5;
const HANDLED_WITHIN_MS = 60_000;
/** Long enough for several more polls, which would show a change that is handled twice. */
const SETTLE_MS = 5000;

/**
 * `npm start -- --once`: the whole path without a browser, with data of its own that is removed afterwards.
 * @param {import('../setup/n8n.mjs').N8nInstall} install
 * @returns {Promise<boolean>} whether each change was handled, once
 */
export async function runOnce(install) {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-datagrid-'));
	try {
		const ports = { n8nPort: await freePort(), servicePort: 0 };
		return await withDemo({ install, folder, ...ports, pollSeconds: 1 }, checkEveryChange);
	} finally {
		await copyFile(join(folder, 'logs', 'n8n.log'), join(logFolder, 'n8n-once.log')).catch(() => undefined);
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

/**
 * Changes rows in waves and prints what the workflow made of each.
 * @param {import('./session.mjs').Demo} demo whose workflow polls every second
 * @returns {Promise<boolean>} whether each change was handled, once
 */
export async function checkEveryChange({ client, grids: { orders, activity }, rest, workflow }) {
	await withProgress({ label: 'Waiting for the trigger to look for the first time' }, () =>
		untilWatching(rest, workflow.id),
	);
	const log = new ActivityLog(client, activity);
	/** @type {import('./changes.mjs').Change[]} */
	const changes = [];
	for await (const wave of changeRows(client, orders, ROWS)) {
		changes.push(...wave);
		const label = `${String(wave.length)} rows ${wave[0]?.event ?? ''}; waiting for the workflow`;
		// Where nothing is handled, further waves would only take time.
		if (!(await withProgress({ label }, () => log.untilHandled(wave, HANDLED_WITHIN_MS)))) break;
	}
	await wait(SETTLE_MS, undefined, { signal: interruption });
	await log.read();
	const results = changes.map((change) => ({ change, written: log.writtenFor(change) }));
	say();
	for (const line of table(
		['Event', 'Row', 'What the workflow wrote to "Activity"', 'Milliseconds'],
		results.map(({ change, written: [first, ...more] }) => [
			change.event,
			change.row,
			first === undefined
				? '(nothing)'
				: `${first.text}${more.length > 0 ? ` … ${String(more.length + 1)} times` : ''}`,
			first === undefined ? '' : String(Math.round(first.seenAt - change.doneAt)),
		]),
	)) {
		say(line);
	}
	const handled = results.filter(({ written }) => written.length > 0).length;
	const duplicated = results.filter(({ written }) => written.length > 1).length;
	const lost = changes.length - handled;
	if (lost > 0) await tellExecutions(rest, workflow.id);
	say(`\n${JSON.stringify({ changes: changes.length, handled, lost, duplicated })}`);
	return lost === 0 && duplicated === 0;
}

/**
 * @param {import('../../e2e/support/rest.mjs').N8nRest} rest
 * @param {string} workflowId
 */
async function tellExecutions(rest, workflowId) {
	const executions = await rest.executions(workflowId);
	const counts = new Map();
	for (const { status } of executions) counts.set(status, Number(counts.get(status) ?? 0) + 1);
	const told = [...counts].map(([status, count]) => `${String(count)} ${String(status)}`).join(', ');
	const failed = executions.find(({ status }) => status === 'error' || status === 'crashed');
	const why = failed && errorOf((await rest.execution(failed.id)).data);
	say(`\nExecutions of the workflow: ${told === '' ? 'none' : told}. n8n's log: build/logs/n8n-once.log`);
	if (why !== undefined) say(`The last one that ended badly: ${why}`);
}

/**
 * The trigger's first look says what was there before; only later changes are news.
 * @param {import('../../e2e/support/rest.mjs').N8nRest} rest
 * @param {string} workflowId
 */
export async function untilWatching(rest, workflowId) {
	for (const deadline = performance.now() + 60_000; performance.now() < deadline; ) {
		const { staticData } = await rest.workflow(workflowId);
		if (Object.keys(staticData ?? {}).length > 0) return;
		await wait(200, undefined, { signal: interruption });
	}
	throw new Fault(
		'The trigger did not look at the grid within a minute.',
		'Run `npm start` and look at the executions of the workflow in the editor.',
	);
}
