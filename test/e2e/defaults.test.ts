import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { z } from 'zod/v4';
import { installN8n, PINNED_N8N, type N8nInstall } from '../../scripts/setup/n8n.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { demoOwner } from '../../testbed/demo/kept';
import { exampleFiles } from '../../testbed/demo/workflow';
import { installCommunityPackage, packProject, type PackedPackage } from '../../testbed/n8n/communityPackage';
import { startN8n } from '../../testbed/n8n/n8n';
import { N8nRefused, N8nRest } from '../../testbed/n8n/rest';

// n8n 3 runs from its container only. Its defaults are set one by one in the n8n that is installed
// here, which says in its report on the upgrade what each of them changes.

const NODE = 'n8n-nodes-datagrid.entity';

/** Rules of the report that concern this package and can be met by a setting of n8n 2.41. */
const RULES = [
	'ssrf-default-blocked-ranges-v3',
	'storage-path-rename-v3',
	'task-runner-task-timeout-v3',
	'unverified-packages-v3',
];
/** An n8n whose administrator blocks private addresses, with files of an earlier version. */
const TODAY = { N8N_SSRF_PROTECTION_ENABLED: 'true' };

const reportSchema = z.object({
	report: z.object({
		instanceResults: z.array(z.looseObject({ ruleId: z.string() })),
		workflowResults: z.array(z.looseObject({ ruleId: z.string() })),
	}),
});

let install: N8nInstall;
let packed: PackedPackage;
let folder = '';
before(async () => {
	install = await installN8n(PINNED_N8N);
	folder = await mkdtemp(join(tmpdir(), 'n8n-defaults-'));
	packed = await packProject(folder);
	await installCommunityPackage(folder, packed, install.node);
	await mkdir(join(folder, '.n8n', 'binaryData'));
});
after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Starts n8n with more settings, and stops it after `use`. Only its editor lists node types. */
async function withN8n(
	env: Record<string, string>,
	use: (rest: N8nRest) => Promise<void>,
	hasEditor = false,
) {
	const log = join(folder, 'n8n.log');
	const settings = { ...TODAY, ...env };
	const n8n = await startN8n({ install, userFolder: folder, log, hasEditor, env: settings });
	try {
		const rest = new N8nRest(n8n.url, install.version);
		await rest.signIn(await demoOwner(folder));
		await use(rest);
	} finally {
		await n8n.stop();
	}
}

const reportOf = async (rest: N8nRest) =>
	(await rest.call(reportSchema, 'GET', '/breaking-changes/report?version=v3')).report;

/** Rules that the report still names, of those that a setting meets. */
async function rulesLeft(rest: N8nRest) {
	const { instanceResults } = await reportOf(rest);
	return instanceResults
		.map(({ ruleId }) => ruleId)
		.filter((rule) => RULES.includes(rule))
		.sort();
}
const without = (...rules: string[]) => RULES.filter((rule) => !rules.includes(rule));

const isLoaded = async (rest: N8nRest) => (await rest.types('nodes')).some(({ name }) => name === NODE);

test('without a setting, the report names what changes, and no example', async () => {
	await withN8n({}, async (rest) => {
		for (const file of await exampleFiles())
			await rest.createWorkflow(
				z.looseObject({}).parse(JSON.parse(await readFile(join(root, 'examples', file), 'utf8'))),
			);
		const { instanceResults, workflowResults } = await reportOf(rest);
		assert.deepEqual(workflowResults, []);
		assert.deepEqual(await rulesLeft(rest), RULES);
		// n8n 2.41 keeps files on the disk already.
		const isInMemory = instanceResults.some(({ ruleId }) => ruleId === 'in-memory-binary-data-v3');
		assert.equal(isInMemory, false);
	});
});

test('unverified packages off: n8n refuses to install the package, and says why', async () => {
	await withN8n(
		{ N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' },
		async (rest) => {
			assert.deepEqual(await rulesLeft(rest), without('unverified-packages-v3'));
			const wanted = { name: packed.name, version: packed.version };
			await assert.rejects(rest.call(z.unknown(), 'POST', '/community-packages', wanted), (error) => {
				assert.ok(error instanceof N8nRefused);
				assert.match(error.message, /Installation of unverified community packages is forbidden/);
				return true;
			});
			// n8n 2.41 still loads what is there; n8n 3 does not.
			assert.ok(await isLoaded(rest));
		},
		true,
	);
});

test('more blocked addresses: the credential names the egress policy', async () => {
	const env = { N8N_SSRF_BLOCKED_IP_RANGES: '100.64.0.0/10' };
	await withN8n(env, async (rest) => {
		assert.deepEqual(await rulesLeft(rest), without('ssrf-default-blocked-ranges-v3'));
		const baseUrl = 'http://100.64.0.1:8080';
		const data = { authentication: 'apiKey', baseUrl, key: 'key', secret: 'secret' };
		const credential = await rest.putCredential({ name: 'Of a VPN', type: 'dataGridApi', data });
		const { status, message } = await rest.testCredential(credential, data);
		assert.equal(status, 'Error');
		assert.match(message, /The egress policy of n8n blocks the service/);
	});
});

test('a shorter limit of Code nodes meets its rule', async () => {
	await withN8n({ N8N_RUNNERS_TASK_TIMEOUT: '60' }, async (rest) => {
		assert.deepEqual(await rulesLeft(rest), without('task-runner-task-timeout-v3'));
	});
});

test('the folder of files is renamed at the first start', async () => {
	await withN8n({ N8N_MIGRATE_FS_STORAGE_PATH: 'true' }, async (rest) => {
		assert.deepEqual(await rulesLeft(rest), without('storage-path-rename-v3'));
		const names = ['binaryData', 'storage'].filter((name) => existsSync(join(folder, '.n8n', name)));
		assert.deepEqual(names, ['storage']);
	});
});
