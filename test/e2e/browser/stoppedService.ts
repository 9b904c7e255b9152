import assert from 'node:assert/strict';
import { connectDataGrid, openDemoGrids } from '../../../testbed/demo/dataGrid';
import type { Demo } from '../../../testbed/demo/session';
import { until } from '../../../testbed/until';
import type { Job } from './jobs';
import type { Person } from './person';
import { SecondService } from './secondService';

/** Enough to stop the service while they are written. */
const ROWS = 900;

/** n8n's own nodes that output items with a key. */
function itemsOf(count: number) {
	const jsCode = `return Array.from({ length: ${String(count)} }, (_, index) => ({ json: { Order: 'S-' + index } }));`;
	const node = (name: string, type: string, typeVersion: number, parameters: object, x: number) => ({
		...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion, parameters, position: [x, 0] },
	});
	return {
		nodes: [node('Start', 'manualTrigger', 1, {}, 0), node('Rows', 'code', 2, { jsCode }, 200)],
		connections: { Start: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] } },
	};
}

/** A service that is down while the grid is chosen, and stops again while rows are written. */
async function buildWith(service: SecondService, person: Person, { rest }: Demo) {
	const client = connectDataGrid(service.connection);
	const { orders } = await openDemoGrids(client);
	const written = async () => {
		const { items } = await client.entities.page(orders, { layout: 'property', pageSize: 1000 });
		return items.filter(({ Order }) => /^S-/.test(String(Order))).length;
	};
	const { url: baseUrl, key, secret } = service.connection;
	const data = { baseUrl, authentication: 'apiKey', key, secret };
	// New nodes of the editor get the newest credential.
	await rest.putCredential({ name: 'Second service', type: 'dataGridApi', data });
	await person.newWorkflow();
	await person.paste(itemsOf(ROWS));
	await person.browsing.page.keyboard.press('1');
	await person.add({ search: 'datagrid', node: 'DataGrid', action: 'Create or update row' });

	await service.stop();
	await person.openList('grid');
	await person.browsing.page.getByText(`answers at ${baseUrl} (connection refused)`).first().waitFor();
	await person.browsing.picture('stopped-before-choice');
	await service.startAgain();
	await person.browsing.page.keyboard.press('Escape');
	await person.pick('grid', `${orders.name} (`);
	await person.choose(person.byId('matching-column-select'), 'Order');
	await person.browsing.page.keyboard.press('Escape');

	await person.click(person.byId('node-execute-button'));
	await until('the first rows', async () => (await written()) > 0);
	await service.stop();
	const output = person.byId('output-panel');
	const summary = output.getByText(`Of ${String(ROWS)} items, counted from 0`).first();
	await summary.waitFor();
	await person.browsing.picture('stopped-while-writing');
	// The title gives the reason for all of them.
	assert.doesNotMatch((await summary.textContent()) ?? '', /refused/);

	await person.execute(`${String(ROWS - 1)} not tried (1 to ${String(ROWS - 1)})`);
	await person.browsing.picture('stopped-before-run');
	await service.startAgain();
	await person.execute('unchanged');
	assert.equal(await written(), ROWS);
}

async function stoppedService(person: Person, demo: Demo) {
	const service = await SecondService.start();
	try {
		await buildWith(service, person, demo);
	} finally {
		await service.remove();
	}
}

/** The last one, because it leaves a credential whose service is gone. */
export const stoppedServiceJob: Job = { name: 'service stopped twice', clicks: 11, build: stoppedService };
