import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod/v4';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { errorOf } from '../../testbed/n8n/execution';
import { until } from '../../testbed/until';
import { gridLocator, newestFinished, post, webhookWorkflow } from '../../testbed/n8n/webhook';
import { Account } from './trigger/account';
import { isFeed, startTriggerTestbed } from './trigger/triggerTestbed';
import { TRIGGER } from '../../testbed/n8n/triggerNode';
import type { N8nRest } from '../../testbed/n8n/rest';

/** What newer n8n brings and leaves switched off: each switched on, and the package with it. */
const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};
/** Of twenty seconds n8n grants a poll fifteen; the trigger reads for twelve of them. */
const LITTLE_TIME = { ...DURABLE, N8N_SCHEDULER_POLL_TIMEOUT: '20' };
/** Milliseconds before each page of the feed, which has a thousand changes. */
const SLOW = 4000;
/** Maximum number of pages that one poll reads in that time. */
const PAGES = 3;
const MANY = 5000;
const WRITERS = 16;
const EGRESS = { N8N_SSRF_PROTECTION_ENABLED: 'true' };
const ALLOWED = { ...EGRESS, N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32' };
/** Every egress policy of n8n says so; the node's message has to let it through. */
const FORBIDDEN = /n8n.*(forbids|blocked|policy)/i;
const PATIENCE_MS = 180_000;

export type TriggerTestbed = Awaited<ReturnType<typeof startTriggerTestbed>>;

/** @param options of the trigger */
async function withTestbed(
	name: string,
	env: Readonly<Record<string, string>>,
	use: (testbed: TriggerTestbed) => Promise<void>,
	options: Record<string, unknown> = {},
) {
	const testbed = await startTriggerTestbed({ name, install: await installN8n(PINNED_N8N), options, env });
	try {
		await use(testbed);
	} finally {
		await testbed.end();
	}
}

const backOffSchema = z.object({
	message: z.string().includes('Poll failed; backing off'),
	metadata: z.looseObject({
		workflowId: z.string(),
		cause: z.string().optional(),
		delayMs: z.number(),
	}),
});

/** What n8n has logged about polls that it repeats later. */
async function backOffsIn(log: string) {
	const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.startsWith('{'));
	return lines.flatMap((line) => backOffSchema.safeParse(JSON.parse(line)).data ?? []);
}

/** The number of the page that a request for the feed asks for. */
const pageOf = (path: string) => Number(new URLSearchParams(path.split('?')[1]).get('pageIndex'));

/** Starts n8n in a testbed, and stops it after `use`. */
async function withN8n(
	testbed: TriggerTestbed,
	use: (rest: N8nRest, url: string) => Promise<void>,
	env: Readonly<Record<string, string>> = {},
) {
	const { n8n, rest } = await testbed.start(env);
	try {
		await use(rest, n8n.url);
	} finally {
		await n8n.stop();
	}
}

async function write({ client, orders }: TriggerTestbed, count: number) {
	let number = 0;
	const writer = async () => {
		while (number < count)
			await client.entities.create(orders, { Order: `F/${String(number++)}` }, 'property');
	};
	await Promise.all(Array.from({ length: Math.min(WRITERS, count) }, writer));
}

/** Waits until every event since then has been emitted. */
async function accountFor(testbed: TriggerTestbed, rest: N8nRest, workflowId: string, since: number) {
	const account = new Account();
	const written = await testbed.eventsSince(since);
	const isComplete = async () => {
		await account.collect(rest, workflowId, TRIGGER);
		return account.events.size >= written.length;
	};
	await until('every event', isComplete, { withinMs: PATIENCE_MS, everyMs: 1000 });
	return { ...account.against(written), executions: account.executions, largest: account.largest };
}

/** What n8n keeps of a trigger's place itself. */
function storedCursors({ userFolder }: TriggerTestbed, workflowId: string) {
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'), { readOnly: true });
	try {
		const rows: unknown = database
			.prepare('SELECT cursor FROM poller_state WHERE workflowId = ?')
			.all(workflowId);
		return z.array(z.looseObject({ cursor: z.string() })).parse(rows);
	} finally {
		database.close();
	}
}

test('durable cursors: each change is emitted once, also after a restart, and n8n stores the cursor', async () => {
	await withTestbed('durable', DURABLE, async (testbed) => {
		let workflowId: string;
		const since = Date.now();
		await withN8n(testbed, async (rest) => {
			const workflow = await testbed.createWorkflow(rest);
			workflowId = workflow.id;
			await rest.activate(workflow);
			await testbed.proxy.responded(isFeed);
			await write(testbed, 20);
			const { lost, doubled } = await accountFor(testbed, rest, workflowId, since);
			assert.deepEqual({ lost, doubled }, { lost: 0, doubled: 0 });
			const [stored, ...more] = storedCursors(testbed, workflowId);
			assert.equal(more.length, 0);
			assert.match(stored?.cursor ?? '', /"low":\d+/);
		});
		await write(testbed, 20);
		await withN8n(testbed, async (rest) => {
			const { emitted, lost, doubled } = await accountFor(testbed, rest, workflowId, since);
			assert.deepEqual({ emitted, lost, doubled }, { emitted: 40, lost: 0, doubled: 0 });
		});
	});
});

test('the time limit of a poll: a slow feed is read in parts, and each change is emitted once', async (t) => {
	const use = async (testbed: TriggerTestbed) => {
		await withN8n(testbed, async (rest) => {
			const workflow = await testbed.createWorkflow(rest);
			await rest.activate(workflow);
			await testbed.proxy.responded(isFeed);
			const since = Date.now();
			let lastPage = 0;
			testbed.proxy.setRules(({ path }) => {
				if (!isFeed(path)) return undefined;
				lastPage = Math.max(lastPage, pageOf(path));
				return { kind: 'latency', milliseconds: SLOW };
			});
			await write(testbed, MANY);
			const account = await accountFor(testbed, rest, workflow.id, since);
			assert.ok(lastPage > PAGES, 'No poll went on where the one before had run out of time');
			t.diagnostic(JSON.stringify(account));
			const { emitted, lost, doubled, largest, executions } = account;
			assert.deepEqual({ emitted, lost, doubled }, { emitted: MANY, lost: 0, doubled: 0 });
			assert.ok(executions >= 2, `${String(executions)} executions`);
			assert.ok(largest < MANY, `${String(largest)} at most`);
		});
	};
	await withTestbed('budget', LITTLE_TIME, use, { eventsPerExecution: MANY });
});

test('a failed poll tells n8n why, and how long the service asks it to wait', async () => {
	await withTestbed('failures', { ...DURABLE, N8N_LOG_FORMAT: 'json' }, async (testbed) => {
		const { orders, activity, proxy } = testbed;
		const isFeedOf = (grid: { id: string }) => (path: string) => isFeed(path) && path.includes(grid.id);
		await withN8n(testbed, async (rest) => {
			const causes = new Map<string, object>();
			for (const [grid, cause, delayMs] of [
				[orders, 'rate-limited', 600_000],
				[activity, 'credential-invalid', 1_800_000],
			] as const) {
				const workflow = await testbed.createWorkflow(rest, grid.id);
				const polled = proxy.responded(isFeedOf(grid));
				await rest.activate(workflow);
				await polled;
				causes.set(workflow.id, { cause, delayMs });
			}
			proxy.setRules(({ path }) => {
				if (isFeedOf(orders)(path))
					return { kind: 'response', status: 429, headers: { 'retry-after': '600' } };
				return isFeedOf(activity)(path) ? { kind: 'response', status: 401 } : undefined;
			});
			const seen = new Map<string, object>();
			const areAllSeen = async () => {
				for (const { metadata } of await backOffsIn(testbed.log())) {
					const { workflowId, cause, delayMs } = metadata;
					seen.set(workflowId, { cause, delayMs });
				}
				return seen.size === causes.size;
			};
			await until('n8n to note both failures', areAllSeen, { withinMs: PATIENCE_MS, everyMs: 1000 });
			assert.deepEqual(seen, causes);
		});
	});
});

test('the error names an egress policy that forbids the address of the service; one that allows it has no effect', async (t) => {
	await withTestbed('egress', {}, async (testbed) => {
		const rows = [{ Order: 'F/1' }];

		const bringIn = async (rest: N8nRest) => {
			const credential = await testbed.putCredential(rest);
			const columns = { mappingMode: 'autoMapInputData', value: null };
			const grid = gridLocator(testbed.orders);
			const parameters = { resource: 'entity', operation: 'create', grid, columns };
			const workflow = await rest.createWorkflow(
				webhookWorkflow({ name: 'Egress', path: 'egress', credential, parameters }),
			);
			await rest.activate(workflow);
			return { credential, workflow };
		};

		let workflowId: string = '';
		await withN8n(
			testbed,
			async (rest, url) => {
				const { credential, workflow } = await bringIn(rest);
				workflowId = workflow.id;
				await post(url, 'egress', rows);
				const { id, status } = await newestFinished(rest, workflow.id, 1);
				const said = errorOf((await rest.execution(id)).data) ?? '';
				t.diagnostic(`Entity: ${said}`);
				assert.equal(status, 'error');
				assert.match(said, FORBIDDEN);
				const tested = await rest.testCredential(credential, testbed.credentialData);
				t.diagnostic(`Credential: ${tested.message}`);
				assert.equal(tested.status, 'Error');
				assert.match(tested.message, FORBIDDEN);
			},
			EGRESS,
		);
		await withN8n(
			testbed,
			async (rest, url) => {
				await post(url, 'egress', rows);
				const { id, status } = await newestFinished(rest, workflowId, 2);
				assert.equal(status, 'success', errorOf((await rest.execution(id)).data));
				const since = Date.now();
				const trigger = await testbed.createWorkflow(rest);
				await rest.activate(trigger);
				await testbed.proxy.responded(isFeed);
				await write(testbed, 5);
				const { emitted, lost } = await accountFor(testbed, rest, trigger.id, since);
				assert.deepEqual({ emitted, lost }, { emitted: 5, lost: 0 });
			},
			ALLOWED,
		);
	});
});
