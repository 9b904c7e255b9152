import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../e2e/support/ports.mjs';
import { Fault } from '../setup/faults.mjs';
import { interruption } from '../setup/interruption.mjs';
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
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

/** @param {import('./session.mjs').Demo} demo */
async function checkEveryChange({ client, grids: { orders, activity }, rest, workflow }) {
	await withProgress({ label: 'Waiting for the trigger to look for the first time' }, () =>
		untilWatching(rest, workflow.id),
	);
	const log = new ActivityLog(client, activity);
	/** @type {import('./changes.mjs').Change[]} */
	const changes = [];
	for await (const wave of changeRows(client, orders, ROWS)) {
		changes.push(...wave);
		const label = `${wave[0]?.event ?? ''} ${String(wave.length)} rows; waiting for the workflow`;
		await withProgress({ label }, () => log.untilHandled(wave, HANDLED_WITHIN_MS));
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
	say(`\n${JSON.stringify({ changes: changes.length, handled, lost, duplicated })}`);
	return lost === 0 && duplicated === 0;
}

/**
 * The trigger's first look says what was there before; only later changes are news.
 * @param {import('../../e2e/support/rest.mjs').N8nRest} rest
 * @param {string} workflowId
 */
async function untilWatching(rest, workflowId) {
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
