import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../../../testbed/world/makeGrid';
import { installN8n, PINNED_N8N } from '../../../scripts/setup/n8n.mjs';
import { Account } from './account';
import { startTriggerTestbed } from './triggerTestbed';
import { TRIGGER } from '../../../testbed/n8n/triggerNode';

/**
 * A burst of changes, made by importing a CSV file, read by the trigger in a real n8n from the
 * embedded service: the executions, whether each change came once and in order, and the memory of
 * n8n's process. `npx tsx test/e2e/trigger/flood.ts [--changes 100000] [--age 0]`; `--age`: seconds
 * to wait before the trigger is switched on; the last line is JSON.
 */
const { values } = parseArgs({
	options: { changes: { type: 'string', default: '100000' }, age: { type: 'string', default: '0' } },
});
const changes = Number(values.changes);
/** Rounds of a second without a new event, after which no more will come. */
const QUIET_ROUNDS = 60;

async function main() {
	const say = (text: string) => process.stderr.write(`${text}\n`);
	const since = Date.now();
	const testbed = await startTriggerTestbed({
		name: `flood-${values.changes}-${values.age}`,
		install: await installN8n(PINNED_N8N),
		options: { startFrom: new Date(since - 1000).toISOString() },
	});
	const { n8n, rest } = await testbed.start();

	/** Megabytes of n8n's process now, and at most since it was started. */
	async function memory() {
		const status = await readFile(`/proc/${String(n8n.pid)}/status`, 'utf8');
		const of = (name: string) =>
			Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024);
		return { now: of('VmRSS'), most: of('VmHWM') };
	}

	try {
		const rows = Array.from(
			{ length: changes },
			(_, number) => `F-${String(number)},Some text of row ${String(number)}`,
		);
		const content = new TextEncoder().encode(['Name,Text', ...rows].join('\n'));
		const file = { name: 'flood.csv', content };
		const grid = newId(await testbed.client.grids.createFromCsv(testbed.space, { name: 'Flood' }, file));
		say(`${values.changes} rows imported in ${String(Math.round((Date.now() - since) / 1000))} s`);
		await wait(Number(values.age) * 1000);
		const before = await memory();
		const workflow = await testbed.createWorkflow(rest, grid);
		await rest.activate(workflow);
		const account = new Account();
		const begun = performance.now();
		for (let quiet = 0, last = 0; quiet < QUIET_ROUNDS && account.events.size < changes; ) {
			await wait(1000);
			await account.collect(rest, workflow.id, TRIGGER);
			quiet = account.events.size === last ? quiet + 1 : 0;
			last = account.events.size;
			say(
				`${String(last)} of ${values.changes} emitted in ${String(account.executions)} executions, ${String((await memory()).now)} MB`,
			);
		}
		const seconds = Math.round((performance.now() - begun) / 1000);
		const written = await testbed.eventsSince(since, grid);
		const { largest, isInOrder } = account;
		const result = account.against(written);
		process.stdout.write(
			`${JSON.stringify({ changes, age: Number(values.age), seconds, ...result, largest, isInOrder, memoryMB: { before: before.now, most: (await memory()).most } })}\n`,
		);
	} finally {
		await n8n.stop();
		await testbed.end();
	}
}

void main();
