import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';

const bed = new ProxiedWorld();

test('equal Get Many queries of one run are read once, and their items share no objects', async () => {
	const { proxy } = bed;
	const grid = await bed.grid({ Name: 'string', Tags: 'stringcollection' });
	await grid.fill({ Name: 'a', Tags: ['x'] }, { Name: 'b', Tags: ['y'] });
	const where = {
		conditions: { condition: [{ column: grid.id('Name'), operator: '$eq', value: '={{ $json.name }}' }] },
	};
	const input = ['a', 'b', 'a', 'a'].map((name) => ({ name }));
	const run = async (parameters: object) => {
		proxy.setRules();
		const { items, error } = await grid.run('getMany', { ...where, ...parameters }, input);
		expect(error).toBeUndefined();
		const reads = proxy.requests.filter(({ path }) => path.includes('/entities')).length;
		return { items, reads };
	};
	const { items, reads } = await run({ returnAll: true });
	expect(items.map(({ json, pairedItem }) => [json['Name'], pairedItem])).toEqual(
		['a', 'b', 'a', 'a'].map((name, item) => [name, { item }]),
	);
	expect(reads).toBe(2);
	const [first, , third] = items;
	expect(third?.json).toEqual(first?.json);
	expect(third?.json).not.toBe(first?.json);
	expect(third?.json['Tags']).not.toBe(first?.json['Tags']);
	expect((await run({ returnAll: '={{ $itemIndex === 3 }}', limit: 1 })).reads).toBe(3);
	expect(
		(await run({ returnAll: true, options: { columnNaming: "={{ $itemIndex === 3 ? 'id' : 'name' }}" } }))
			.reads,
	).toBe(3);
});
