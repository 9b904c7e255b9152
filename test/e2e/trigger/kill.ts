import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { installN8n, PINNED_N8N } from '../../../scripts/setup/n8n.mjs';
import { Account } from './account';
import { isFeed, startTriggerTestbed } from './triggerTestbed';
import { TRIGGER } from '../../../testbed/n8n/triggerNode';

/**
 * Kills n8n with -9 around polls while rows are being written, and accounts for every change. `npx
 * tsx test/e2e/trigger/kill.ts [--kills 30] [--delivery exactlyOnce|atLeastOnce] [--n8n 2.41.1]
 * [--durable] [--quiet] [--minutes 60]`; the last line is JSON.
 */
const { values } = parseArgs({
	options: {
		kills: { type: 'string', default: '30' },
		delivery: { type: 'string', default: 'exactlyOnce' },
		n8n: { type: 'string', default: PINNED_N8N },
		durable: { type: 'boolean', default: false },
		quiet: { type: 'boolean', default: false },
		minutes: { type: 'string', default: '60' },
	},
});
/**
 * n8n 2.36 and newer: the cursor and the execution in one transaction. After a kill n8n waits for
 * the lease of the dead process, a minute and more; the leases are cut short here, so that thirty
 * kills do not take hours.
 */
const DURABLE = {
	N8N_SCHEDULER_POLL_TIMEOUT: '8',
	N8N_SCHEDULER_LEASE_DURATION: '10',
	N8N_SCHEDULER_REAPER_INTERVAL: '2',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '30',
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};
/** How long rows are held; each is written once, so each has an event of its own. */
const QUIET_SECONDS = 5;
/** Rounds of two seconds. */
const QUIET_ROUNDS = 90;
async function main() {
	const kills = Number(values.kills);
	const install = await installN8n(values.n8n);
	const testbed = await startTriggerTestbed({
		name: `kill-${values.n8n}-${values.delivery}${values.durable ? '-durable' : ''}${values.quiet ? '-quiet' : ''}`,
		install,
		options: {
			delivery: values.delivery,
			...(values.quiet ? { quiet: { times: { seconds: QUIET_SECONDS, atMost: 1 } } } : {}),
		},
		env: values.durable ? DURABLE : {},
	});

	const say = (text: string) => process.stderr.write(`${text}\n`);
	const account = new Account();
	let { n8n, rest } = await testbed.start();
	/**
	 * Starts that n8n itself broke off: 2.41.1 ends over an
	 * execution that was stored, but not begun, before the kill.
	 */
	let ended = 0;

	/** Starts n8n until it runs, as whatever keeps it running (systemd, Docker) would. */
	async function restart() {
		for (;;) {
			const started = await testbed.start().catch((error: unknown) => {
				say(error instanceof Error ? error.message : String(error));
			});
			if (started !== undefined) {
				({ n8n, rest } = started);
				return;
			}
			ended += 1;
			if (ended > 3 * kills) throw new Error('n8n does not start any more');
		}
	}

	/** Waits for an answer of the feed to n8n; where n8n ends meanwhile, it is started again. */
	async function polled() {
		for (;;) {
			const answered = testbed.proxy.responded(isFeed).then(() => true);
			if (await Promise.race([answered, n8n.ended.then(() => false)])) return;
			ended += 1;
			await restart();
		}
	}

	async function collect(workflowId: string) {
		await account.collect(rest, workflowId, TRIGGER).catch(async (error: unknown) => {
			if (n8n.isRunning()) throw error;
			ended += 1;
			await restart();
		});
	}

	try {
		const workflow = await testbed.createWorkflow(rest);
		await rest.activate(workflow);
		await testbed.proxy.responded(isFeed);
		await wait(3000);

		const since = Date.now();
		const writing = new AbortController();
		let failed = 0;
		const writer = (async () => {
			for (let number = 0; !writing.signal.aborted; number++) {
				await testbed.client.entities
					.create(testbed.orders, { Order: `K-${String(number)}` }, 'property')
					.catch(() => (failed += 1));
				await wait(60 + Math.random() * 120);
			}
		})();

		let killed = 0;
		const until = Date.now() + Number(values.minutes) * 60_000;
		while (killed < kills && Date.now() < until) {
			// Most kills wait until n8n polls again. Every tenth falls into the start-up as well: n8n
			// then needs two minutes to poll again.
			if (killed % 10 !== 9) {
				await polled();
				await polled();
				await collect(workflow.id);
			}
			await wait(Math.random() * 2000);
			// Two of three of those are aimed at what follows an
			// answer of the feed, the others fall anywhere.
			if (killed % 3 !== 0 && killed % 10 !== 9) await polled();
			await wait(Math.random() * 60);
			await n8n.kill();
			killed += 1;
			await restart();
			say(`${String(killed)}/${String(kills)} kills, ${String(account.events.size)} events emitted so far`);
		}
		writing.abort();
		await writer;
		// Until all has come, or nothing came for three minutes: an n8n that
		// was killed while it activated the workflow leaves that as "being
		// done", and the next one takes it over only after two minutes.
		const written = await testbed.eventsSince(since);
		for (let quiet = 0, before = -1; quiet < QUIET_ROUNDS && account.events.size < written.length; ) {
			await wait(2000);
			await collect(workflow.id);
			quiet = account.events.size === before ? quiet + 1 : 0;
			before = account.events.size;
		}
		// What is doubled comes in the next polls.
		await polled();
		await polled();
		await collect(workflow.id);
		const isActive = (await rest.workflow(workflow.id)).active;
		const result = account.against(written);
		process.stdout.write(
			`${JSON.stringify({ n8n: values.n8n, delivery: values.delivery, durable: values.durable, quiet: values.quiet, kills: killed, ended, isActive, failed, ...result })}\n`,
		);
	} finally {
		await n8n.stop();
		await testbed.end();
	}
}

void main();
