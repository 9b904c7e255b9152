import { allItems, id, objects, byKey } from '../http';
import { ServiceProcess } from '../upkeep/serviceProcess';

let service: ServiceProcess;
beforeAll(() => {
	service = new ServiceProcess();
}, 120_000);
afterAll(() => service.remove());

const SIZE = 20_000;

test('kill -9 during a conversion: all reads show the new type, and each row gets one event', async () => {
	let owner = await service.start();
	const space = await owner.create(`/api/users/${owner.userId}/spaces`, { name: 'Killed' });
	const file = `n\n${Array.from({ length: SIZE }, (_, n) => `${n}`).join('\n')}\n`;
	const grid = await owner.create(`${space}/uploadCSV`, { name: 'Killed', file, types: { n: 'string' } });
	const fields = await owner.fields(grid);
	const n = id({ n: String(fields[0]?.['id']) }, 'n');
	const change = (type: object) => owner.post(`${grid}/ColumnTypeChange`, { fieldId: n, type });
	expect((await change({ name: 'integer' })).status).toBe(200);

	let interrupted = 0;
	for (let kills = 0; kills < 4; kills++) {
		await service.kill(kills === 2 ? 'SIGTERM' : 'SIGKILL');
		owner = await service.start();
		if ((await change({ name: 'integer' })).status === 503) interrupted += 1;
		else break;
		const rows = await allItems(owner, `${grid}/entities`, byKey);
		expect(rows.map((row) => row['n'])).toEqual(Array.from({ length: SIZE }, (_, number) => number));
	}
	expect(interrupted).toBeGreaterThan(0);
	while ((await change({ name: 'decimal' })).status === 503) await new Promise(setImmediate);
	const since = '2020-01-01T00:00:00Z';
	const events = (await allItems(owner, `${grid}/updates`, { since })).filter(
		(event) => event['type'] === 'updated',
	);
	expect(events).toHaveLength(SIZE);
	expect(new Set(events.map((event) => event['entityId'])).size).toBe(SIZE);
	const wrong = events.filter((event) => {
		const [changed = {}] = objects(event['changes']);
		const { fieldId, oldValue, newValue } = changed;
		return fieldId !== n || typeof newValue !== 'number' || oldValue !== String(newValue);
	});
	expect(wrong).toEqual([]);
});
