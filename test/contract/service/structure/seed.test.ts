import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { href, objects, startWithOwner, version2 } from '../http';

test('--seed demo: Operations with Orders, Open orders, Activity and Customers; a data file is seeded once', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'datagrid-seed-'));
	const options = { data: join(folder, 'data.db'), seed: 'demo' } as const;
	for (const start of ['first', 'second']) {
		const { service, owner, home } = await startWithOwner(options);
		const spaces = objects((await owner.get(`${home}/spaces`)).json()['items']);
		expect([start, spaces.map((space) => space['key'])]).toEqual([start, ['operations']]);
		const grids = objects((await owner.get(href(spaces[0] ?? {}, 'grids'))).json()['items']);
		expect(grids.map((grid) => [grid['name'], grid['type']])).toEqual([
			['Orders', 'persistent'],
			['Open orders', 'virtual'],
			['Activity', 'persistent'],
			['Customers', 'persistent'],
		]);
		const [orders, open, activity] = grids;
		const fields = objects(
			(await owner.get(href(orders ?? {}, 'self'), undefined, version2)).json()['fields'],
		);
		expect(fields.map((field) => field['key'])).toEqual(['order', 'customer', 'email', 'status', 'amount', 'quantity', 'due', 'paid', 'notes']); // prettier-ignore
		const count = async (grid = {}) => (await owner.get(href(grid, 'entities'))).json()['numberOfItems'];
		expect([await count(orders), await count(open), await count(activity)]).toEqual([25, 15, 0]);
		expect((await owner.get(href(orders ?? {}, 'forms'))).json()['numberOfItems']).toBe(1);
		await service.stop();
	}
	rmSync(folder, { recursive: true });
});
