// `npm run screens [-- readme]`: pictures of each node's panel in a real editor of n8n, for the
// pages in docs/nodes/ or, with the argument, those of the README. They are looked at by people;
// what the editor has to show is waited for, so a panel that does not come fails.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { withDemo, type Demo } from '../../testbed/demo/session';
import { runCommand } from '../../scripts/setup/entry.mjs';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { buildProject } from '../../scripts/setup/project.mjs';
import { say } from '../../scripts/setup/terminal.mjs';
import { logIn, withBrowser, type Browsing } from '../../testbed/browser';
import { freePort } from '../../scripts/setup/ports.mjs';
import { mapBeforeRun } from './browser/columnsBeforeRun';
import { LISTS_ARE_FILLED, picturesOfReadme } from './firstScreen';
import { credentialOf, PUSH, screensOf, type Screen } from './nodeScreens';

const folder = join(root, 'docs', 'images');

/** Icons load after the nodes. */
const ICONS_ARE_SHOWN =
	"[...document.querySelectorAll('.vue-flow__node img')].every(({ complete }) => complete) && document.querySelectorAll('.vue-flow__node img').length > 0";

/** One workflow with all nodes side by side. */
async function workflowOf({ rest }: Demo, screens: Screen[]) {
	await rest.putCredential(PUSH);
	const nodes = await Promise.all(
		screens.map(async ({ name: label, type, parameters, credential = 'DataGrid demo' }, index) => {
			const { id, name, type: credentialType } = await credentialOf(rest, credential);
			return {
				id: randomUUID(),
				name: label,
				type: `n8n-nodes-datagrid.${type}`,
				typeVersion: 1,
				position: [240 * (index % 4), 200 * Math.floor(index / 4)],
				parameters,
				credentials: { [credentialType]: { id, name } },
			};
		}),
	);
	const made = await rest.createWorkflow({ name: 'Panels', nodes, connections: {} });
	return { ...made, nodes };
}

async function picture({ page, byId }: Browsing, url: string, { file, shows }: Screen) {
	await page.goto(url);
	await byId('node-parameters').first().waitFor();
	await page.getByText(shows).first().waitFor();
	await page.waitForLoadState('networkidle');
	await page.waitForFunction(LISTS_ARE_FILLED);
	await page.getByText(shows).first().scrollIntoViewIfNeeded();
	// A tooltip under the pointer would cover what it explains.
	await page.mouse.move(2, 2);
	await page.screenshot({ path: join(folder, `${file}.png`), animations: 'disabled' });
	say(`✔ ${file}.png`);
}

/** What the nodes say of themselves in a workflow. */
async function pictureOfCanvas({ page }: Browsing, url: string) {
	await page.goto(url);
	await page.getByText('Create or Update · Orders').first().waitFor();
	await page.waitForLoadState('networkidle');
	await page.waitForFunction(ICONS_ARE_SHOWN);
	// All of the workflow, at a size at which it can be read.
	await page.keyboard.press('1');
	await page.mouse.move(2, 2);
	await page.screenshot({ path: join(folder, 'nodes-canvas.png'), animations: 'disabled' });
	say('✔ nodes-canvas.png');
}

/** What a person finds under "datagrid" in the list of nodes. */
async function pictureOfActions({ page, byId }: Browsing, { n8n }: Demo) {
	await page.goto(`${n8n.url}/workflow/new`);
	await byId('node-creator-plus-button').first().click();
	await byId('node-creator-search-bar').fill('datagrid');
	await page.getByText('DataGrid').first().waitFor();
	await page.screenshot({ path: join(folder, 'nodes-search.png'), animations: 'disabled' });
	await page.getByText('DataGrid').first().click();
	// Without a trigger in the workflow, n8n shows only the triggers.
	await page.getByText(/^Actions \(\d+\)/).click();
	await page.getByText('Sync rows', { exact: true }).waitFor();
	await page.mouse.move(2, 2);
	await page.screenshot({ path: join(folder, 'nodes-actions.png'), animations: 'disabled' });
	say('✔ nodes-search.png, nodes-actions.png');
}

/** Columns of a node that has never run, one of them dragged into a field of the next node. */
async function pictureBeforeRun(browsing: Browsing, demo: Demo) {
	await mapBeforeRun(demo, browsing);
	const path = join(folder, 'columns-before-first-run.png');
	await browsing.page.screenshot({ path, animations: 'disabled' });
	say('✔ columns-before-first-run.png');
}

void runCommand(async () => {
	const install = await installN8n(PINNED_N8N);
	await buildProject();
	await mkdir(folder, { recursive: true });
	const data = await mkdtemp(join(tmpdir(), 'n8n-screens-'));
	const options = { install, folder: data, n8nPort: await freePort(), servicePort: 0, pollSeconds: 30 };
	try {
		await withDemo(options, async (demo) => {
			const screens = await screensOf(demo);
			const workflow = await workflowOf(demo, screens);
			await withBrowser(async (browsing) => {
				await logIn(browsing, demo.n8n.url, demo.owner);
				await picturesOfReadme(browsing, demo);
				if (argv.includes('readme')) return;
				await pictureOfCanvas(browsing, `${demo.n8n.url}/workflow/${workflow.id}`);
				for (const [index, screen] of screens.entries()) {
					const node = workflow.nodes[index];
					await picture(browsing, `${demo.n8n.url}/workflow/${workflow.id}/${node?.id ?? ''}`, screen);
				}
				await pictureOfActions(browsing, demo);
				await pictureBeforeRun(browsing, demo);
			});
		});
	} finally {
		await rm(data, { recursive: true, force: true, maxRetries: 5 });
	}
	return true;
});
