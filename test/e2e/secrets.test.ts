import type { IncomingHttpHeaders } from 'node:http';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod/v4';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { leftBehind, search } from './secrets/search';
import { credentialsOf, makeWorkflows, SECRETS } from './secrets/workflows';
import { errorOf } from '../../testbed/n8n/execution';
import { until } from '../../testbed/until';
import { newestFinished, post } from '../../testbed/n8n/webhook';
import { startTriggerTestbed } from './trigger/triggerTestbed';
import type { N8nRest } from '../../testbed/n8n/rest';
import type { Rule } from '../../testbed/proxy/faultProxy';

export type TriggerTestbed = Awaited<ReturnType<typeof startTriggerTestbed>>;

/**
 * Written into the grid, and so into the data of executions:
 * the search has to find it, or it finds nothing at all.
 */
const PLANTED = 'planted-5c0ffee5';
/** The words of a service that sends back what it was sent. */
const ECHOED = 'Bad header';

const JSON_BODY = { 'content-type': 'application/json' };

/** A response that repeats the headers of its request. */
const echo =
	(status: number, body: (headers: IncomingHttpHeaders) => string): Rule =>
	({ headers }) => ({ kind: 'response', status, headers: JSON_BODY, body: body(headers) });

const ECHOES = {
	'a message': echo(400, ({ authorization }) =>
		JSON.stringify({ message: `${ECHOED} Authorization: ${String(authorization)}` }),
	),
	'a list of errors': echo(403, (headers) =>
		JSON.stringify({ message: ECHOED, errors: [{ detail: { headers } }] }),
	),
	'a page': echo(200, ({ authorization }) => `<pre>${ECHOED}: ${String(authorization)}</pre>`),
	'a server error': echo(500, ({ authorization }) => `${ECHOED} ${String(authorization)}`),
};

/** What n8n tells of the triggers of a workflow that was published. */
const publicationSchema = z.looseObject({
	status: z.string(),
	triggers: z.array(z.looseObject({ errorMessage: z.string().nullable() })),
});

/** n8n writes down as much as it can. */
const TALKATIVE = {
	N8N_LOG_LEVEL: 'debug',
	N8N_LOG_OUTPUT: 'console,file',
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
	EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'true',
};

/**
 * Runs every workflow once and waits for its end.
 * @param url of n8n
 * @param count of runs by then
 * @returns how each ended
 */
async function runAll(
	rest: N8nRest,
	url: string,
	workflows: ReadonlyMap<string, string>,
	count: number,
): Promise<Map<string, { status: string; said: string }>> {
	const ended = [...workflows].map(async ([path, id]) => {
		await post(url, path, [{ Order: `${PLANTED} ${path}` }]);
		const { id: executionId, status } = await newestFinished(rest, id, count);
		const said = errorOf((await rest.execution(executionId)).data) ?? '';
		return [path, { status, said }] as const;
	});
	return new Map(await Promise.all(ended));
}

/**
 * The trigger, whose activation fails, and then its polls.
 * @returns what was told when it could not be activated
 */
async function failTrigger({ proxy, createWorkflow }: TriggerTestbed, rest: N8nRest): Promise<string> {
	const workflow = await createWorkflow(rest);
	proxy.setRules(ECHOES['a message']);
	await rest.activate(workflow);
	// n8n 2.41 says at once that the workflow is published, and starts its trigger afterwards.
	const status = async () =>
		await rest.call(publicationSchema, 'GET', `/workflows/${workflow.id}/publication-status`);
	const hasStatus = (wanted: string) => async () => (await status()).status === wanted;
	await until('an activation that failed', hasStatus('failed'), { everyMs: 500 });
	const refused = (await status()).triggers.map(({ errorMessage }) => errorMessage ?? '').join('\n');
	await rest.deactivate(workflow.id);
	proxy.setRules();
	await rest.activate(await rest.workflow(workflow.id));
	await until('an activation', hasStatus('published'), { everyMs: 500 });
	proxy.setRules(ECHOES['a message']);
	const hasFailed = async () => (await rest.executions(workflow.id)).some(({ status }) => status === 'error');
	await until('a poll that failed', hasFailed, { everyMs: 500 });
	await rest.deactivate(workflow.id);
	return refused;
}

/** @returns every form in which a secret may show */
function secretsOf({ credentialData: { key, secret } }: TriggerTestbed): Map<string, string | RegExp> {
	const base64 = (text: string) => Buffer.from(text).toString('base64');
	return new Map(
		Object.entries({
			secret,
			'key and secret': base64(`${key}:${secret}`),
			...SECRETS,
			'key and wrong secret': base64(`${key}:${SECRETS.wrong}`),
			'user and password': base64(`guest:${SECRETS.link}`),
			'an identity': /(?:basic|bearer)\s+[\w+/-]{16,}={0,2}/i,
		}),
	);
}

test('nothing that n8n stored, displayed or logged contains a secret, whatever failed', async (t) => {
	const install = await installN8n(PINNED_N8N);
	const testbed = await startTriggerTestbed({ name: 'secrets', install, options: {}, env: TALKATIVE });
	/** What was told, where it is not in n8n's own files. */
	const told: Map<string, string> = new Map();
	try {
		const { n8n, rest } = await testbed.start();
		try {
			const workflows = await makeWorkflows(testbed, rest);
			let count = 1;
			const first = await runAll(rest, n8n.url, workflows, count);
			for (const path of ['upsert', 'read', 'sync', 'spaces', 'schema'])
				assert.equal(first.get(path)?.status, 'success', `${path}: ${String(first.get(path)?.said)}`);
			for (const path of ['wrong-secret', 'token', 'link', 'push'])
				assert.equal(first.get(path)?.status, 'error', path);
			for (const [how, rule] of Object.entries(ECHOES)) {
				testbed.proxy.setRules(rule);
				const ended = await runAll(rest, n8n.url, workflows, ++count);
				for (const [path, { status, said }] of ended) told.set(`${how}, ${path} (${status})`, said);
				for (const { type, data } of Object.values(credentialsOf(testbed))) {
					const credential = await rest.putCredential({ name: 'Tested', type, data });
					const { message } = await rest.testCredential(credential, data);
					told.set(`${how}, test of ${type}`, message);
				}
			}
			told.set('activation', await failTrigger(testbed, rest));
		} finally {
			await n8n.stop();
		}
		const logs = new Map([['standard output', await readFile(n8n.log, 'latin1')]]);
		const texts = new Map([...(await leftBehind(testbed.userFolder)), ...logs, ...told]);
		t.diagnostic(`${String(texts.size)} files, tables and messages were searched`);

		// What has to be found, so that finding no secret says something.
		const planted = search(texts, new Map([['planted', PLANTED]])).join('\n');
		assert.match(planted, /table execution_data/);
		assert.match(planted, /database\.sqlite/);
		const echoed = search(texts, new Map([['echo', ECHOED]])).join('\n');
		for (const place of [/table execution_data/, /a message, read/, /test of dataGridApi/, /activation/])
			assert.match(echoed, place);
		const failed = [...told.keys()].filter((what) => what.endsWith('(error)'));
		assert.ok(failed.length >= 24, `only these failed: ${failed.join('; ')}`);
		assert.match(logs.get('standard output') ?? '', /Editor is now accessible/);
		assert.ok([...texts.keys()].some((file) => file.endsWith('.log') && file.startsWith(join('.n8n'))));

		assert.deepEqual(search(texts, secretsOf(testbed)), []);
	} finally {
		await testbed.end();
	}
});
