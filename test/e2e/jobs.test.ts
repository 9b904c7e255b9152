import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../scripts/setup/ports.mjs';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { logIn, withBrowser } from '../../testbed/browser';
import { withDemo } from '../../testbed/demo/session';
import { mapBeforeRun } from './browser/columnsBeforeRun';
import { lookAtExamples } from './browser/examples';
import { furtherJobs } from './browser/furtherJobs';
import { jobs } from './browser/jobs';
import { mistakes } from './browser/mistakes';
import { Person } from './browser/person';
import { stoppedServiceJob } from './browser/stoppedService';

test(`a user builds common workflows in the editor of n8n ${PINNED_N8N}`, async (t) => {
	const install = await installN8n(PINNED_N8N);
	const folder = await mkdtemp(join(tmpdir(), 'n8n-jobs-'));
	const options = { install, folder, n8nPort: await freePort(), servicePort: 0, pollSeconds: 10 };
	try {
		await withDemo(options, (demo) =>
			withBrowser(async (browsing) => {
				await logIn(browsing, demo.n8n.url, demo.owner);
				for (const { name, clicks, build } of [...jobs, ...furtherJobs, ...mistakes, stoppedServiceJob])
					await t.test(`${name}, in at most ${String(clicks)} clicks`, async () => {
						const person = new Person(browsing);
						await build(person, demo).catch(async (error: unknown) => {
							await browsing.picture(`failed-${name.replace(/\W+/g, '-')}`);
							throw error;
						});
						t.diagnostic(`${name}: ${String(person.clicks)} clicks`);
						assert.ok(person.clicks <= clicks, `${String(person.clicks)} clicks`);
					});
				await t.test('columns of a node that has never run can be mapped', () =>
					mapBeforeRun(demo, browsing),
				);
				await t.test('the examples open and show no red', () => lookAtExamples(demo, browsing));
				assert.deepEqual(browsing.pageErrors, []);
			}),
		);
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
});
