import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { href, startWithOwner } from '../http';

test('--seed demo: Operations with Orders, Open orders, Activity and Customers; a data file is seeded once', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'datagrid-seed-'));
	const options = { data: join(folder, 'data.db'), seed: 'demo' } as const;
	for (const start of ['first', 'second']) {
		const { service, owner, home } = await startWithOwner(options);
		const spaces = await owner.items(`${home}/spaces`);
		expect([start, spaces.map((space) => space['key'])]).toEqual([start, ['operations']]);
		const grids = await owner.items(href(spaces[0] ?? {}, 'grids'));
		expect(grids.map((grid) => [grid['name'], grid['type']])).toEqual([
			['Orders', 'persistent'],
			['Open orders', 'virtual'],
			['Activity', 'persistent'],
			['Customers', 'persistent'],
		]);
		const [orders, open, activity] = grids;
		const fields = await owner.fields(href(orders ?? {}, 'self'));
		expect(fields.map((field) => field['key'])).toEqual(['order', 'customer', 'email', 'status', 'amount', 'quantity', 'due', 'paid', 'notes']); // prettier-ignore
		const count = async (grid = {}) => (await owner.read(href(grid, 'entities')))['numberOfItems'];
		expect([await count(orders), await count(open), await count(activity)]).toEqual([25, 15, 0]);
		expect((await owner.read(href(orders ?? {}, 'forms')))['numberOfItems']).toBe(1);
		await service.stop();
	}
	rmSync(folder, { recursive: true });
});
