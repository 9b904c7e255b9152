// `npm run screens`: pictures of each node's panel in a real editor of n8n, for the pages in
// docs/nodes/. They are looked at by people; what the editor has to show is waited for, so a panel
// that does not come fails.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDemo, type Demo } from '../../testbed/demo/session';
import { runCommand } from '../../scripts/setup/entry.mjs';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { buildProject } from '../../scripts/setup/project.mjs';
import { say } from '../../scripts/setup/terminal.mjs';
import { logIn, withBrowser, type Browsing } from '../../testbed/browser';
import { freePort } from '../../scripts/setup/ports.mjs';

export interface Screen {
	/** The picture's name in docs/images/ */
	file: string;
	/** Of the node */
	name: string;
	/** Of the node */
	type: string;
	/** A text that the panel has to show before the picture is taken */
	shows: string;
	parameters: Record<string, unknown>;
}

const folder = join(root, 'docs', 'images');

/** A list that is still loading says so as the value of its input, which no locator finds. */
const LISTS_ARE_FILLED =
	"![...document.querySelectorAll('input')].some(({ value }) => value.startsWith('Loading options'))";

/** What the lists of the pickers would have put in. */
function picks({ grids: { space, orders } }: Demo) {
	return {
		space: { __rl: true, mode: 'list', value: space.id, cachedResultName: space.name },
		grid: {
			__rl: true,
			mode: 'list',
			value: `${space.id}/${orders.id}`,
			cachedResultName: orders.name,
		},
	};
}

async function screensOf(demo: Demo): Promise<Screen[]> {
	const { space, grid } = picks(demo);
	const fields = new Map((await demo.client.fields.of(demo.grids.orders)).map(({ name, id }) => [name, id]));
	const id = (name: string) => fields.get(name) ?? name;
	return [
		{
			file: 'node-entity',
			name: 'Create or update orders',
			type: 'entity',
			shows: 'using to match',
			parameters: {
				resource: 'entity',
				operation: 'upsert',
				space,
				grid,
				columns: {
					mappingMode: 'defineBelow',
					value: { order: '={{ $json.number }}', status: 'shipped' },
					matchingColumns: ['order'],
					schema: [...fields].map(([displayName]) => ({
						id: displayName.toLowerCase(),
						displayName,
						type: 'string',
						display: true,
						required: false,
						defaultMatch: false,
						canBeUsedToMatch: true,
					})),
				},
			},
		},
		{
			file: 'node-entity-get-many',
			name: 'Get shipped orders',
			type: 'entity',
			shows: 'Add column to sort by',
			parameters: {
				resource: 'entity',
				operation: 'getMany',
				space,
				grid,
				conditions: { condition: [{ column: id('Status'), operator: '$eq', value: 'shipped' }] },
			},
		},
		{
			file: 'node-entity-look-up',
			name: 'Look up the order',
			type: 'entity',
			shows: 'Match Rows By',
			parameters: {
				resource: 'entity',
				operation: 'lookUp',
				space,
				grid,
				matchBy: { key: [{ column: id('Order'), value: '={{ $json.number }}' }] },
				putResultIn: 'order',
			},
		},
		{
			file: 'node-entity-delete-many',
			name: 'Delete cancelled orders',
			type: 'entity',
			shows: 'Combine Conditions',
			parameters: {
				resource: 'entity',
				operation: 'deleteMany',
				space,
				grid,
				conditions: { condition: [{ column: id('Status'), operator: '$eq', value: 'cancelled' }] },
				dryRun: true,
			},
		},
		{
			file: 'node-entity-export-file',
			name: 'Export orders',
			type: 'entity',
			shows: 'Put Output File in Field',
			parameters: { resource: 'bulk', operation: 'exportFile', space, grid },
		},
		{
			file: 'node-entity-sync-file',
			name: 'Sync orders from a file',
			type: 'entity',
			shows: 'Put Changes File in Field',
			parameters: {
				resource: 'bulk',
				operation: 'syncFile',
				space,
				grid,
				keyColumns: [id('Order')],
				deleteOthers: true,
				options: { delimiter: 'semicolon' },
			},
		},
		{
			file: 'node-grid',
			name: 'Create the grid',
			type: 'grid',
			shows: 'Add column',
			parameters: {
				resource: 'grid',
				operation: 'create',
				space,
				name: 'Deliveries',
				columns: {
					column: [
						{ name: 'Parcel', type: 'string', key: 'parcel' },
						{ name: 'Status', type: 'enum', options: 'packed, sent, delivered' },
					],
				},
			},
		},
		{
			file: 'node-space',
			name: 'Delete the space',
			type: 'space',
			shows: 'cannot be undone',
			parameters: { resource: 'space', operation: 'delete', space },
		},
		{
			file: 'node-space-notification',
			name: 'Tell the packers',
			type: 'space',
			shows: 'Translations',
			parameters: {
				resource: 'notification',
				operation: 'send',
				sendTo: 'people',
				userIds: '={{ $json.userId }}',
				title: 'New order',
				text: '=Order {{ $json.number }} is ready to be packed',
			},
		},
		{
			file: 'node-form',
			name: 'Submit the order form',
			type: 'form',
			shows: 'Specify Values',
			parameters: {
				resource: 'publicForm',
				operation: 'submit',
				linkProtection: 'none',
				link: 'https://grids.example.com/api/a/u1/l1',
				valuesAs: 'json',
				valuesJson: '{\n  "Customer": "Alder & Finch",\n  "Quantity": 2\n}',
			},
		},
		{
			file: 'node-gridTrigger',
			name: 'When an order changes',
			type: 'gridTrigger',
			shows: 'Events',
			parameters: { space, grid, events: ['created', 'updated', 'deleted'] },
		},
	];
}

/** Newest version by node; the others have one. */
const VERSIONS: Readonly<Record<string, number>> = { entity: 2, grid: 2, gridTrigger: 2 };

/** One workflow with all nodes side by side. */
async function workflowOf({ rest }: Demo, screens: Screen[]) {
	const credential = (await rest.credentials()).find((one) => one.name === 'DataGrid demo');
	if (!credential) throw new Error('The demo has no credential "DataGrid demo"');
	const { id, name } = credential;
	const nodes = screens.map(({ name: label, type, parameters }, index) => ({
		id: randomUUID(),
		name: label,
		type: `n8n-nodes-datagrid.${type}`,
		typeVersion: VERSIONS[type] ?? 1,
		position: [240 * (index % 4), 200 * Math.floor(index / 4)],
		parameters,
		credentials: { dataGridApi: { id, name } },
	}));
	const made = await rest.createWorkflow({ name: 'Panels', nodes, connections: {} });
	return { ...made, nodes };
}

async function picture({ page, byId }: Browsing, url: string, { file, shows }: Screen) {
	await page.goto(url);
	await byId('node-parameters').first().waitFor();
	await page.getByText(shows).first().waitFor();
	await page.waitForLoadState('networkidle');
	await page.waitForFunction(LISTS_ARE_FILLED);
	// A tooltip under the pointer would cover what it explains.
	await page.mouse.move(2, 2);
	await page.screenshot({ path: join(folder, `${file}.png`), animations: 'disabled' });
	say(`✔ ${file}.png`);
}

/** What the nodes say of themselves in a workflow. */
async function pictureOfCanvas({ page }: Browsing, url: string) {
	await page.goto(url);
	await page.getByText('Create or Update · Orders').first().waitFor();
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
	await page.getByText('DataGrid Entity').first().waitFor();
	await page.screenshot({ path: join(folder, 'nodes-search.png'), animations: 'disabled' });
	await page.getByText('DataGrid Entity').first().click();
	await page.getByText('DataGrid Entity').first().waitFor();
	await page.screenshot({ path: join(folder, 'nodes-actions.png'), animations: 'disabled' });
	say('✔ nodes-search.png, nodes-actions.png');
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
				await pictureOfCanvas(browsing, `${demo.n8n.url}/workflow/${workflow.id}`);
				for (const [index, screen] of screens.entries()) {
					const node = workflow.nodes[index];
					await picture(browsing, `${demo.n8n.url}/workflow/${workflow.id}/${node?.id ?? ''}`, screen);
				}
				await pictureOfActions(browsing, demo);
			});
		});
	} finally {
		await rm(data, { recursive: true, force: true, maxRetries: 5 });
	}
	return true;
});
