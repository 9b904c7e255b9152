import '../../fixtures/skippedWaits';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import { importFile } from './sync/stockGrid';

const bed = new ProxiedWorld();

test('Import From File does not overwrite a row whose key another writer changes after the grid was read', async () => {
	const grid = await bed.grid({ Item: 'string', Count: 'integer' });
	const [row = ''] = await grid.fill({ Item: 'A', Count: 1 });
	let isChanged = false;
	bed.proxy.setRules(async ({ path }) => {
		if (isChanged || !path.includes(`/entities/${row}`)) return undefined;
		isChanged = true;
		await bed.client.entities.update(grid.grid, row, { [grid.id('Item')]: 'B' });
		return undefined;
	});
	await importFile(grid, 'Item,Count\nA,2\n');
	expect(isChanged).toBe(true);
	expect(await grid.rows()).toContainEqual({ Item: 'B', Count: 1 });
});
