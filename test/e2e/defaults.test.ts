import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod/v4';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { demoOwner } from '../../testbed/demo/kept';
import { exampleFiles } from '../../testbed/demo/workflow';
import { installCommunityPackage, packProject } from '../../testbed/n8n/communityPackage';
import { startN8n } from '../../testbed/n8n/n8n';
import { N8nRefused, N8nRest } from '../../testbed/n8n/rest';

/** What n8n 3 sets by default, as its settings in the n8n that is installed here. */
const DEFAULTS_OF_3 = {
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
};

/** The rules of n8n's report on the upgrade that concern this package and its files. */
const CONCERNING = new Set([
	'unverified-packages-v3',
	'in-memory-binary-data-v3',
	'ssrf-default-blocked-ranges-v3',
	'storage-path-rename-v3',
	'offload-manual-executions-v3',
]);

const reportSchema = z.object({
	report: z.object({
		instanceResults: z.array(z.looseObject({ ruleId: z.string() })),
		workflowResults: z.array(z.looseObject({ ruleId: z.string() })),
	}),
});

test('without the variable, n8n refuses to install the package, and says why', async () => {
	const install = await installN8n(PINNED_N8N);
	const folder = await mkdtemp(join(tmpdir(), 'n8n-defaults-'));
	try {
		const packed = await packProject(folder);
		await installCommunityPackage(folder, packed, install.node);
		const log = join(folder, 'n8n.log');
		const n8n = await startN8n({ install, userFolder: folder, log, env: DEFAULTS_OF_3 });
		try {
			const rest = new N8nRest(n8n.url, install.version);
			await rest.signIn(await demoOwner(folder));
			const wanted = { name: packed.name, version: packed.version };
			await assert.rejects(rest.call(z.unknown(), 'POST', '/community-packages', wanted), (error) => {
				assert.ok(error instanceof N8nRefused);
				assert.match(error.message, /Installation of unverified community packages is forbidden/);
				return true;
			});
			// n8n 2.41 still loads what is there; n8n 3 does not.
			const types = await rest.types('nodes');
			assert.ok(types.some(({ name }) => name === 'n8n-nodes-datagrid.entity'));
			for (const file of await exampleFiles())
				await rest.createWorkflow(
					z.looseObject({}).parse(JSON.parse(await readFile(join(root, 'examples', file), 'utf8'))),
				);
			const path = '/breaking-changes/report?version=v3';
			const { report } = await rest.call(reportSchema, 'GET', path);
			assert.deepEqual(report.workflowResults, []);
			const rules = report.instanceResults.map(({ ruleId }) => ruleId);
			assert.deepEqual(
				rules.filter((rule) => CONCERNING.has(rule)),
				[],
			);
		} finally {
			await n8n.stop();
		}
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
});
