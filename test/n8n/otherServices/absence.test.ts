import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';

const bed = new ProxiedWorld();

test('a run that waits no longer for a service says which items were not tried', async () => {
	const grid = await bed.grid({ Number: 'integer' });
	const sent = new Set<number>();
	bed.proxy.setRules(({ method, body }, number) => {
		if (method === 'POST') sent.add(Number(/:\s*(\d+)\s*\}/.exec(body)?.[1]));
		return number > 60 ? { kind: 'response', status: 503 } : undefined;
	});
	const items = Array.from({ length: 1000 }, (_, Number) => ({ Number }));
	const { rows } = await grid.run('create', grid.auto(), items, {
		credentials: { dataGridApi: { ...bed.owner, baseUrl: bed.proxy.url, waitForService: '2' } },
		onError: 'continueRegularOutput',
	});
	expect(rows.filter(({ error }) => error === undefined)).toHaveLength((await grid.rows()).length);
	const untried = rows.flatMap(({ error }, index) =>
		JSON.stringify(error ?? '').includes('Not tried') ? [index] : [],
	);
	expect(untried.filter((index) => sent.has(index))).toEqual([]);
	// How many were begun until the absence was noticed depends on the machine.
	expect(untried.length).toBeGreaterThan(500);
});

test('an item that was never sent does not say that its connection was lost', async () => {
	const grid = await bed.grid({ Number: 'integer' });
	const sent = new Set<number>();
	bed.proxy.setRules(({ method, body }, number) => {
		if (method === 'POST') sent.add(Number(/:\s*(\d+)\s*\}/.exec(body)?.[1]));
		return number > 60 ? { kind: 'resetBefore' } : undefined;
	});
	const items = Array.from({ length: 300 }, (_, Number) => ({ Number }));
	const { rows } = await grid.run('create', grid.auto(), items, {
		credentials: { dataGridApi: { ...bed.owner, baseUrl: bed.proxy.url, waitForService: '1' } },
		onError: 'continueRegularOutput',
	});
	const unsent = rows.filter((_row, index) => !sent.has(index));
	expect(unsent.length).toBeGreaterThan(50);
	for (const { error } of unsent) expect(error).toMatch(/^(Not tried|No Data-Grid Service answers at)/);
});
