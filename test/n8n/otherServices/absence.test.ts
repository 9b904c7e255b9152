import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';

const bed = new ProxiedWorld();

test('a run that waits no longer for a service says which items were not tried', async () => {
	const grid = await bed.world.grid({ Number: 'integer' });
	bed.proxy.setRules((_request, number) => (number > 60 ? { kind: 'response', status: 503 } : undefined));
	const items = Array.from({ length: 300 }, (_, Number) => ({ Number }));
	const { rows } = await grid.run('create', grid.auto(), items, {
		credentials: { dataGridApi: { ...bed.world.owner, baseUrl: bed.proxy.url, waitForService: '2' } },
		onError: 'continueRegularOutput',
	});
	const created = rows.filter(({ error }) => error === undefined);
	expect(created).toHaveLength((await grid.rows()).length);
	const messages = rows.flatMap(({ error }) => (error === undefined ? [] : [JSON.stringify(error)]));
	expect(messages).toHaveLength(300 - created.length);
	expect(messages.filter((message) => message.includes('Not tried')).length).toBeGreaterThan(150);
});
