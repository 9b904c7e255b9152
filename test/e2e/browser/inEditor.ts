import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '../../../scripts/setup/ports.mjs';
import { installN8n, PINNED_N8N } from '../../../scripts/setup/n8n.mjs';
import { logIn, withBrowser, type Browsing } from '../../../testbed/browser';
import { withDemo, type Demo } from '../../../testbed/demo/session';
import type { Job } from './jobs';
import { Person } from './person';

/**
 * Builds each workflow in the editor of one n8n, as a person does.
 * @param andThen further tests in the same editor
 */
export async function buildInEditor(
	t: TestContext,
	jobs: readonly Job[],
	andThen?: (demo: Demo, browsing: Browsing) => Promise<void>,
): Promise<void> {
	const install = await installN8n(PINNED_N8N);
	const folder = await mkdtemp(join(tmpdir(), 'n8n-jobs-'));
	const options = { install, folder, n8nPort: await freePort(), servicePort: 0, pollSeconds: 10 };
	try {
		await withDemo(options, (demo) =>
			withBrowser(async (browsing) => {
				await logIn(browsing, demo.n8n.url, demo.owner);
				for (const { name, clicks, build } of jobs)
					await t.test(`${name}, in at most ${String(clicks)} clicks`, async () => {
						const person = new Person(browsing);
						await build(person, demo).catch(async (error: unknown) => {
							await browsing.picture(`failed-${name.replace(/\W+/g, '-')}`);
							throw error;
						});
						t.diagnostic(`${name}: ${String(person.clicks)} clicks`);
						assert.ok(person.clicks <= clicks, `${String(person.clicks)} clicks`);
					});
				await andThen?.(demo, browsing);
				assert.deepEqual(browsing.pageErrors, []);
			}),
		);
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}
