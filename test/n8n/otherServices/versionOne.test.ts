import { startFaultProxy, type FaultProxy } from '../../../testbed/proxy/faultProxy';
import { rewrite } from '../../../testbed/proxy/rewriting';
import { versionOne } from '../../../testbed/proxy/versionOne';
import { caseOf, offered, withTitles } from '../cases';
import { SampleWorld } from '../../../testbed/world/sampleWorld';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/**
 * A service that ignores version 2 of representations (§9).
 */
let world: SampleWorld;
let proxy: FaultProxy;

beforeAll(async () => {
	world = await SampleWorld.start();
	proxy = await startFaultProxy(world.service.url);
	proxy.setRules(rewrite(versionOne));
});
afterAll(async () => {
	await proxy.stop();
	await world.stop();
});

test.each(withTitles(offered))('%s succeeds without version 2', async (_title, operation) => {
	const { parameters, input, output } = caseOf(operation);
	const given = await parameters(world);
	const run = await world.run(
		{ ...operation, parameters: given },
		{ baseUrl: proxy.url, input: input?.(world) },
	);
	expect(run.error).toBeUndefined();
	expect(run.rows[0]).toMatchObject(output);
});

describe('columns that only a JSON schema describes', () => {
	let world: World;
	let other: FaultProxy;
	let all: WorldGrid;
	const written = {
		Name: 'A-1',
		Text: '<p>x</p>',
		Count: '7',
		Amount: '1.5',
		Price: 2,
		Paid: 'true',
		Due: '2026-03-01T10:00:00+01:00',
		At: '2026-03-01T10:00:00',
		Tags: 'a, b',
		Mail: 'a@example.com',
		Site: 'https://example.com',
		Where: '48.1, 11.5',
		File: [{ name: 'a', url: 'https://example.com/a' }],
		Other: '/api/r1',
	};
	const read = {
		Name: 'A-1',
		Text: '<p>x</p>',
		Count: 7,
		Amount: 1.5,
		Price: 2,
		Paid: true,
		Due: '2026-03-01',
		Tags: ['a', 'b'],
		Mail: 'a@example.com',
		Site: 'https://example.com',
		Where: { lat: 48.1, lon: 11.5 },
		File: [{ name: 'a', url: 'https://example.com/a' }],
		Other: { uri: '/api/r1' },
	};

	beforeAll(async () => {
		world = await World.start();
		other = await startFaultProxy(world.service.url);
		other.setRules(rewrite(versionOne));
		all = await world.grid({
			Name: 'string',
			Text: 'richText',
			Count: 'integer',
			Amount: 'decimal',
			Price: 'currency',
			Paid: 'boolean',
			Due: 'date',
			At: 'date-time',
			Tags: 'stringcollection',
			Mail: 'email',
			Site: 'uri',
			Where: 'geolocation',
			File: 'attachments',
			Other: 'reference',
			Made: 'createdat',
		});
	});
	afterAll(async () => {
		await other.stop();
		await world.stop();
	});

	const run = async (operation: string, parameters: object, resource = 'entity') =>
		await all.run(operation, { ...parameters }, [written], { baseUrl: other.url, resource });

	test('are converted like those of version 2', async () => {
		const { error } = await run('create', all.auto());
		expect(error).toBeUndefined();
		expect(await all.rows()).toEqual([expect.objectContaining(read)]);
	});

	test('are unchanged for Sync and Create or Update', async () => {
		const synced = await run('sync', { ...all.auto(['Count']), output: 'report' });
		expect(synced.error).toBeUndefined();
		expect(synced.rows).toEqual([expect.objectContaining({ created: 0, unchanged: 1, updated: 0 })]);
		const upserted = await run('upsert', all.auto(['Due']));
		expect(upserted.rows).toEqual([expect.objectContaining({ _outcome: 'unchanged' })]);
		expect(await all.rows()).toHaveLength(1);
	});

	test('refuse an invalid value before anything is sent', async () => {
		const before = other.requests.length;
		const { error } = await all.run('create', all.auto(), [{ Count: 'many' }], { baseUrl: other.url });
		expect(error?.message).toContain('Column "Count" requires a value of the type Whole Number');
		expect(other.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
	});
});
