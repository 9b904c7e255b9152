import { Console } from 'node:console';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stdout } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { errorOf } from '../n8n/execution';
import { freePort } from '../../scripts/setup/ports.mjs';
import { interruption } from '../../scripts/setup/interruption.mjs';
import { logFolder } from '../../scripts/setup/paths.mjs';
import { say, withProgress } from '../../scripts/setup/terminal.mjs';
import { ActivityLog, changeRows, type Change } from './changes';
import { withDemo, type Demo } from './session';
import { until } from '../until';
import type { N8nInstall } from '../../scripts/setup/n8n.mjs';
import type { N8nRest } from '../n8n/rest';

const ROWS = 5;
const HANDLED_WITHIN_MS = 300_000;
/** Covers several polls, which would show a change that is handled twice. */
const SETTLE_MS = 5000;
const MAX_CELL_WIDTH = 72;

/**
 * `npm start -- --once`: runs the demo without a browser, on separate data that is removed
 * afterwards.
 * @returns whether each change was handled exactly once
 */
export async function runOnce(install: N8nInstall): Promise<boolean> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-datagrid-'));
	try {
		const options = { n8nPort: await freePort(), servicePort: 0, pollSeconds: 1, hasEditor: false };
		return await withDemo({ install, folder, ...options }, checkEveryChange);
	} finally {
		await copyFile(join(folder, 'logs', 'n8n.log'), join(logFolder, 'n8n-once.log')).catch(() => undefined);
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

/**
 * Changes rows in waves and prints what the workflow wrote for each.
 * @param demo a demo whose workflow polls every second
 * @returns whether each change was handled exactly once
 */
export async function checkEveryChange({
	client,
	grids: { orders, activity },
	rest,
	workflow,
}: Demo): Promise<boolean> {
	await withProgress({ label: 'Waiting for the first poll of the trigger' }, () =>
		untilFirstPoll(rest, workflow.id),
	);
	const log = new ActivityLog(client, activity);

	const changes: Change[] = [];
	for await (const wave of changeRows(client, orders, ROWS)) {
		changes.push(...wave);
		const label = `${String(wave.length)} rows ${wave[0]?.event ?? ''}; waiting for the workflow`;
		// If nothing is handled, further waves are pointless.
		if (!(await withProgress({ label }, () => log.untilHandled(wave, HANDLED_WITHIN_MS)))) break;
	}
	await wait(SETTLE_MS, undefined, { signal: interruption });
	await log.read();
	const results = changes.map((change) => ({ change, written: log.writtenFor(change) }));
	say();
	const lines = results.map(({ change: { event, row, doneAt }, written }) => {
		const [first] = written;
		const line = {
			'Written to "Activity"': first?.details.slice(0, MAX_CELL_WIDTH) ?? '(nothing)',
			Times: written.length,
			Milliseconds: first && Math.round(first.seenAt - doneAt),
		};
		return [`${event} ${row}`, line] as const;
	});
	new Console(stdout).table(Object.fromEntries(lines));
	const handled = results.filter(({ written }) => written.length > 0).length;
	const duplicated = results.filter(({ written }) => written.length > 1).length;
	const lost = changes.length - handled;
	if (lost > 0) await printExecutions(rest, workflow.id);
	say(`\n${JSON.stringify({ changes: changes.length, handled, lost, duplicated })}`);
	return lost === 0 && duplicated === 0;
}

async function printExecutions(rest: N8nRest, workflowId: string) {
	const executions = await rest.executions(workflowId);
	const failed = executions.find(({ status }) => status === 'error' || status === 'crashed');
	const why = failed && errorOf((await rest.execution(failed.id)).data);
	const statuses = executions.map(({ status }) => status).join(', ');
	say(`\nExecutions of the workflow: ${statuses || 'none'}. n8n's log: build/logs/n8n-once.log`);
	if (why !== undefined) say(`The last failure: ${why}`);
}

/** Waits for the first poll, which sets the cursor: only later changes are emitted. */
export async function untilFirstPoll(rest: N8nRest, workflowId: string) {
	const hasPolled = async () => Object.keys((await rest.workflow(workflowId)).staticData ?? {}).length > 0;
	await until('the first poll of the trigger', hasPolled, { everyMs: 200 });
}
