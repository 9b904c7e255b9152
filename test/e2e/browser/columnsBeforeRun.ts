import { randomUUID } from 'node:crypto';
import type { Browsing } from '../../../testbed/browser';
import type { Demo } from '../../../testbed/demo/session';
import { credentialOf } from '../nodeScreens';

/** What History > Get Many outputs of each change. */
const COLUMNS = ['event', '_id', 'changedAt', 'changedBy', 'changes'];

/** A node with an empty field, after a node that has never run. */
async function workflowOf({ rest, grids: { space, orders } }: Demo) {
	const { id, name, type } = await credentialOf(rest, 'DataGrid demo');
	const before = { id: randomUUID(), name: 'History of an order' };
	const after = { id: randomUUID(), name: 'Note the change' };
	const field = { id: randomUUID(), name: 'by', value: '', type: 'string' };
	const grid = { __rl: true, mode: 'list', value: `${space.id}/${orders.id}`, cachedResultName: orders.name };
	const nodes = [
		{
			...before,
			type: 'n8n-nodes-datagrid.entity',
			typeVersion: 1,
			position: [0, 0],
			parameters: { resource: 'history', operation: 'getMany', grid },
			credentials: { [type]: { id, name } },
		},
		{
			...after,
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			position: [220, 0],
			parameters: { assignments: { assignments: [field] }, options: {} },
		},
	];
	const connections = { [before.name]: { main: [[{ node: after.name, type: 'main', index: 0 }]] } };
	const made = await rest.createWorkflow({ name: 'Columns before the first run', nodes, connections });
	return `${made.id}/${after.id}`;
}

/**
 * Opens a node whose predecessor has never run and drags one of the predecessor's columns into a
 * field. Fails unless the input panel shows every column and the field becomes an expression.
 */
export async function mapBeforeRun(demo: Demo, { page, byId, load }: Browsing): Promise<void> {
	await load(`${demo.n8n.url}/workflow/${await workflowOf(demo)}`);
	const panel = byId('ndv-input-panel');
	await panel.getByText('Preview', { exact: true }).waitFor();
	const column = (name: string) => panel.locator(`[data-name="${name}"]`).first();
	for (const name of COLUMNS) await column(name).waitFor();

	const [from, to] = await Promise.all(
		[column('changedBy'), byId('assignment-value').first()].map((target) => target.boundingBox()),
	);
	if (!from || !to) throw new Error('The column or the field is not visible');
	await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
	await page.mouse.down();
	// n8n begins to drag after a few pixels.
	await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 16 });
	await page.mouse.up();
	await byId('assignment-value').getByText('$json.changedBy').first().waitFor();
	// n8n praises the first mapping in a corner.
	const praise = page.locator('.el-notification');
	await praise.locator('.el-notification__closeBtn').click();
	await praise.waitFor({ state: 'hidden' });
}
