import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { WITH_OPTIONS } from '../../nodes/shared/inputs/selection/valueFrom';
import { BY_KEY } from '../../nodes/shared/rows/columnNames';
import { root } from '../../scripts/setup/paths.mjs';
import { say } from '../../scripts/setup/terminal.mjs';
import type { Browsing } from '../../testbed/browser';
import type { Demo } from '../../testbed/demo/session';
import { storedOptions } from '../../testbed/world/storedOptions';
import { credentialOf } from './nodeScreens';

/** A node of the README's pictures. */
interface Scene {
	file: string;
	type: 'entity' | 'entityTrigger';
	name: string;
	/** Items of the node before it, which are pinned; a scene with some is run. */
	items: object[];
	/** A text of its output or, without items, of its panel. */
	shows: string;
	parameters: object;
}

const ROWS = 500;

/** Rows of a shop, two of which do not fit their columns. */
const shopRows = () =>
	Array.from({ length: ROWS }, (_, at) => ({
		Order: `S-${String(2000 + at)}`,
		Customer: `Customer ${String(at)}`,
		Status: at === 120 ? 'lost' : 'new',
		Amount: at === 345 ? 'twelve' : 10 + at / 4,
	}));

/** The orders of the demo as another system has them: one changed, one new. */
async function changedOrders({ client, grids }: Demo) {
	const { items } = await client.entities.page(grids.orders, { pageSize: 5, layout: 'property' });
	const known = items.map(({ Order, Customer, Status }) => ({ Order, Customer, Status }));
	return [
		...known.slice(0, 3),
		{ ...known[3], Status: 'late' },
		{ Order: 'A-2001', Customer: 'Copper Kettle', Status: 'new' },
	];
}

async function scenesOf(demo: Demo): Promise<Scene[]> {
	const { space, orders } = demo.grids;
	const grid = {
		grid: { __rl: true, mode: 'list', value: `${space.id}/${orders.id}`, cachedResultName: orders.name },
	};
	const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['order'], schema: [] };
	const sync = { resource: 'entity', operation: 'sync', ...grid, columns };
	return [
		{
			file: 'readme-column-becomes',
			type: 'entityTrigger',
			name: 'When an order is late',
			items: [],
			shows: 'late',
			parameters: {
				...grid,
				events: ['updated'],
				options: {
					becomes: { to: { column: `status${BY_KEY}${WITH_OPTIONS}`, values: ['late'], from: [] } },
				},
			},
		},
		{
			file: 'readme-sync-plan',
			type: 'entity',
			name: 'Plan of Sync',
			items: await changedOrders(demo),
			shows: '_outcome',
			parameters: { ...sync, dryRun: true },
		},
		{
			file: 'readme-invalid-rows',
			type: 'entity',
			name: 'Orders of a shop',
			items: shopRows(),
			shows: '498',
			parameters: {
				...storedOptions({
					node: 'entity',
					resource: 'entity',
					operation: 'sync',
					parameters: { output: 'report', options: { invalidRows: 'skip' } },
				}),
				...sync,
			},
		},
	];
}

/** A list that is still loading says so as the value of its input, which no locator finds. */
export const LISTS_ARE_FILLED =
	"![...document.querySelectorAll('input')].some(({ value }) => value.startsWith('Loading options'))";

/** Takes the pictures of the README: what each node shows, after it has run. */
export async function picturesOfReadme({ page, byId }: Browsing, demo: Demo): Promise<void> {
	const { id: credentialId, name: credentialName } = await credentialOf(demo.rest, 'DataGrid demo');
	const scenes = await scenesOf(demo);
	for (const { file, type, name, items, shows, parameters } of scenes) {
		const node = {
			...{ id: randomUUID(), name, type: `n8n-nodes-datagrid.${type}`, typeVersion: 1 },
			...{ position: [300, 0], parameters },
			credentials: { dataGridApi: { id: credentialId, name: credentialName } },
		};
		const source = 'From another system';
		const start = { id: randomUUID(), name: source, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 };
		const isRun = items.length > 0;
		const made = await demo.rest.createWorkflow({
			name: `Picture ${file}`,
			nodes: isRun ? [{ ...start, position: [0, 0], parameters: {} }, node] : [node],
			connections: isRun ? { [source]: { main: [[{ node: name, type: 'main', index: 0 }]] } } : {},
			pinData: isRun ? { [source]: items.map((json) => ({ json })) } : {},
		});
		await page.goto(`${demo.n8n.url}/workflow/${made.id}/${node.id}`);
		await byId('node-parameters').first().waitFor();
		await page.waitForLoadState('networkidle');
		if (isRun) await byId('node-execute-button').click();
		await (isRun ? byId('output-panel') : page).getByText(shows, { exact: true }).first().waitFor();
		await page.waitForFunction(LISTS_ARE_FILLED);
		await page.mouse.move(2, 2);
		await page.screenshot({ path: join(root, 'docs', 'images', `${file}.png`), animations: 'disabled' });
		say(`✔ ${file}.png`);
	}
}
