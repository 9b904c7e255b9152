import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';

/** Longer than the retries of a request would last if each waited for itself. */
const AWAY_MS = 4000;

const bed = new ProxiedWorld();

test('a service that is away in the middle of a run gets every row once, and few requests meanwhile', async () => {
	const grid = await bed.world.grid({ Number: 'integer' });
	let awayFrom: number | undefined;
	const refused = { probes: 0, creationsAfterFirstProbe: 0 };
	bed.proxy.setRules(({ path }, number) => {
		if (number > 60) awayFrom ??= Date.now();
		if (awayFrom === undefined || Date.now() - awayFrom > AWAY_MS) return undefined;
		if (path === '/api/version') refused.probes++;
		else if (refused.probes > 0) refused.creationsAfterFirstProbe++;
		return { kind: 'response', status: 503 };
	});
	const items = Array.from({ length: 300 }, (_, Number) => ({ Number }));
	const { error } = await grid.run('create', grid.auto(), items, { baseUrl: bed.proxy.url });
	expect(error).toBeUndefined();
	expect((await grid.rows()).map((row) => row['Number']).sort((a, b) => Number(a) - Number(b))).toEqual(
		items.map(({ Number }) => Number),
	);
	expect(refused.probes).toBeGreaterThan(0);
	expect(refused.probes).toBeLessThan(15);
	// At most those that were on their way when the run noticed the absence.
	expect(refused.creationsAfterFirstProbe).toBeLessThan(64);
});

test('a run that waits no longer says which items were not tried', async () => {
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
