import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod/v4';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { errorOf } from '../../testbed/n8n/execution';
import { until } from '../../testbed/until';
import { gridLocator, newestFinished, post, webhookWorkflow } from '../../testbed/n8n/webhook';
import { Account } from './trigger/account';
import { isFeed, startTriggerTestbed } from './trigger/triggerTestbed';
import { TRIGGER } from '../../testbed/n8n/triggerNode';
import type { RunningN8n } from '../../testbed/n8n/n8n';
import type { N8nRest } from '../../testbed/n8n/rest';

/** What newer n8n brings and leaves switched off. */
const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};
/** Of twenty seconds n8n grants a poll fifteen; the trigger reads for twelve of them. */
const LITTLE_TIME = { N8N_SCHEDULER_POLL_TIMEOUT: '20', N8N_LOG_FORMAT: 'json' };
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

let testbed: Awaited<ReturnType<typeof startTriggerTestbed>>;

let n8n: RunningN8n;

let rest: N8nRest;
/** Watches the grid of the orders. */
let watching: string;
let since = 0;

before(async () => {
	testbed = await startTriggerTestbed({
		name: 'features',
		install: await installN8n(PINNED_N8N),
		options: { eventsPerExecution: MANY },
	});
	({ n8n, rest } = await testbed.start(EGRESS));
});

after(async () => {
	await n8n.stop();
	await testbed.end();
});

/** Starts n8n again with other features. */
async function restart(env: Readonly<Record<string, string>>, meanwhile = async () => {}) {
	await n8n.stop();
	await meanwhile();
	({ n8n, rest } = await testbed.start({ ...ALLOWED, ...DURABLE, ...env }));
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

async function write(count: number) {
	const { client, orders } = testbed;
	let number = 0;
	const writer = async () => {
		while (number < count)
			await client.entities.create(orders, { Order: `F/${String(number++)}` }, 'property');
	};
	await Promise.all(Array.from({ length: Math.min(WRITERS, count) }, writer));
}

/** Waits until every event since then has been emitted. */
async function accountFor(workflowId: string, since: number) {
	const account = new Account();
	const written = await testbed.eventsSince(since);
	const isComplete = async () => {
		await account.collect(rest, workflowId, TRIGGER);
		return account.events.size >= written.length;
	};
	await until('every event', isComplete, { everyMs: 1000 });
	return { ...account.against(written), executions: account.executions, largest: account.largest };
}

/** What n8n keeps of a trigger's place itself. */
function storedCursors({ userFolder }: typeof testbed, workflowId: string) {
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

test('the error names an egress policy that forbids the address of the service; one that allows it has no effect', async (t) => {
	const credential = await testbed.putCredential(rest);
	const columns = { mappingMode: 'autoMapInputData', value: null };
	const parameters = {
		...{ resource: 'entity', operation: 'create', columns },
		grid: gridLocator(testbed.activity),
	};
	const workflow = await rest.createWorkflow(
		webhookWorkflow({ name: 'Egress', path: 'egress', credential, parameters }),
	);
	await rest.activate(workflow);
	const ended = async (executions: number) => {
		await post(n8n.url, 'egress', [{ Event: 'F/1' }]);
		const { id, status } = await newestFinished(rest, workflow.id, executions);
		return { status, said: errorOf((await rest.execution(id)).data) ?? '' };
	};
	const forbidden = await ended(1);
	t.diagnostic(`Entity: ${forbidden.said}`);
	assert.equal(forbidden.status, 'error');
	assert.match(forbidden.said, FORBIDDEN);
	const tested = await rest.testCredential(credential, testbed.credentialData);
	t.diagnostic(`Credential: ${tested.message}`);
	assert.equal(tested.status, 'Error');
	assert.match(tested.message, FORBIDDEN);

	await restart({});
	assert.deepEqual(await ended(2), { status: 'success', said: '' });
});

test('durable cursors: each change is emitted once, also after a restart, and n8n stores the cursor', async () => {
	const workflow = await testbed.createWorkflow(rest);
	watching = workflow.id;
	since = Date.now();
	await rest.activate(workflow);
	await testbed.proxy.responded(isFeed);
	await write(20);
	const first = await accountFor(watching, since);
	assert.deepEqual([first.lost, first.doubled], [0, 0]);
	const [stored, ...more] = storedCursors(testbed, watching);
	assert.equal(more.length, 0);
	assert.match(stored?.cursor ?? '', /"low":\d+/);

	await restart(LITTLE_TIME, async () => {
		await write(20);
	});
	const { emitted, lost, doubled } = await accountFor(watching, since);
	assert.deepEqual({ emitted, lost, doubled }, { emitted: 40, lost: 0, doubled: 0 });
});

test('the time limit of a poll: a slow feed is read in parts, and each change is emitted once', async (t) => {
	let lastPage = 0;
	testbed.proxy.setRules(({ path }) => {
		if (!isFeed(path)) return undefined;
		lastPage = Math.max(lastPage, pageOf(path));
		return { kind: 'latency', milliseconds: SLOW };
	});
	await write(MANY);
	const account = await accountFor(watching, since);
	testbed.proxy.setRules();
	assert.ok(lastPage > PAGES, 'No poll went on where the one before had run out of time');
	t.diagnostic(JSON.stringify(account));
	const { emitted, lost, doubled, largest } = account;
	assert.deepEqual({ emitted, lost, doubled }, { emitted: 40 + MANY, lost: 0, doubled: 0 });
	assert.ok(largest < MANY, `${largest} at most`);
});

test('a failed poll tells n8n why, and how long the service asks it to wait', async () => {
	const { activity, proxy, orders } = testbed;
	const isFeedOf = (grid: { id: string }) => (path: string) => isFeed(path) && path.includes(grid.id);
	const other = await testbed.createWorkflow(rest, activity.id);
	const polled = proxy.responded(isFeedOf(activity));
	await rest.activate(other);
	await polled;
	const causes = new Map([
		[watching, { cause: 'rate-limited', delayMs: 600_000 }],
		[other.id, { cause: 'credential-invalid', delayMs: 1_800_000 }],
	]);
	proxy.setRules(({ path }) => {
		if (isFeedOf(orders)(path)) return { kind: 'response', status: 429, headers: { 'retry-after': '600' } };
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
	await until('n8n to note both failures', areAllSeen, { everyMs: 1000 });
	assert.deepEqual(seen, causes);
});
