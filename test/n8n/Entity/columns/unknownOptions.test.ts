import '../../../fixtures/skippedWaits';
import type { INodeParameters } from 'n8n-workflow';
import { byId } from '../../../../testbed/world/parameters';
import { PeopledWorld } from '../../../../testbed/world/peopledWorld';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';
import type { Rule } from '../../../../testbed/proxy/faultProxy';

const world = new PeopledWorld();
let grid: WorldGrid;
let ids: string[];

beforeEach(async () => {
	grid = await world.grid({
		Name: 'string',
		State: { name: 'enum', options: ['new', { value: 'done', label: 'Done', color: 'green' }] },
		Tags: { name: 'enumcollection', options: ['a', 'b'] },
	});
	ids = await grid.fill({ Name: 'one', State: 'new' }, { Name: 'two', State: 'done' });
});

const writes = () =>
	world.proxy.requests
		.filter(({ method }) => method !== 'GET')
		.map(
			({ method, path }) => `${method} ${path.replace(/^.*\/grids\/[^/]+/, '').replace(/[^/]{15,}/, 'id')}`,
		);
const changesOfColumns = () => writes().filter((line) => line.startsWith('PATCH'));
const options = async (column: string) =>
	(await world.client.fields.get(grid.grid, grid.field(column))).type.options?.map(({ value }) => value);
const run: WorldGrid['run'] = (...given) => grid.run(...given);
const how = (unknownOptions: string) => ({ options: { unknownOptions } });

/** Parameters of each writing operation for `items`. */
const operations: Array<[string, () => INodeParameters]> = [
	['create', () => grid.auto()],
	['upsert', () => grid.auto(['Name'])],
	['sync', () => grid.auto(['Name'])],
	[
		'update',
		() => ({
			entity: byId(`={{ $json.Name === "one" ? "${ids[0]}" : "${ids[1]}" }}`),
			...grid.auto(),
		}),
	],
	[
		'updateMany',
		() => ({
			conditions: { condition: [{ column: grid.id('Name'), operator: '$eq', value: '={{ $json.Name }}' }] },
			...grid.mapped({ Name: '={{ $json.Name }}', State: '={{ $json.State }}' }),
		}),
	],
];
/** The last item has an option that the column lacks. */
const items = [
	{ Name: 'one', State: 'done' },
	{ Name: 'two', State: 'lost' },
];

test.each(operations)(
	'%s adds the options to the column with one request before the first row; a dry run says so',
	async (operation, parameters) => {
		const given = { ...parameters(), ...how('addToColumn') };
		const more = [...items, { Name: 'one', State: 'found' }].slice(operation === 'sync' ? 1 : 0);
		const planned = await run(operation, { ...given, dryRun: true }, more);
		expect(planned.error).toBeUndefined();
		expect(planned.hints).toContain('Dry run: would be added to the options of "State": "lost", "found"');
		expect(writes()).toEqual([]);
		const { error, hints } = await run(operation, given, more);
		expect(error).toBeUndefined();
		expect(hints).toContain('Added to the options of "State": "lost", "found"');
		expect(await options('State')).toEqual(['new', 'done', 'lost', 'found']);
		expect(changesOfColumns()).toHaveLength(1);
		expect(writes()[0]).toContain('PATCH');
		const states = (await grid.rows()).map(({ State }) => State);
		expect(states).toEqual(expect.arrayContaining(['found', 'lost']));
	},
);

test('refuses an unknown option before anything is written; on continue, the other items are carried out', async () => {
	const { error } = await run('create', grid.auto(), items);
	expect(error?.message).toContain('The column "State" has no option "lost"');
	expect(error?.description).toContain('"new", "done"');
	expect(writes()).toEqual([]);
	const { outputs } = await run('create', grid.auto(), items, { onError: 'continueErrorOutput' });
	expect(outputs.map(({ length }) => length)).toEqual([1, 1]);
});

test('Leave Empty writes no value, and a hint lists the unknown options', async () => {
	const { error, hints } = await run('create', { ...grid.auto(), ...how('leaveEmpty') }, items);
	expect(error).toBeUndefined();
	expect(hints).toContain('Left empty, because "State" has no such option: "lost"');
	expect((await grid.rows()).slice(2).map(({ State }) => State)).toEqual(['done', null]);
	expect(await options('State')).toEqual(['new', 'done']);
});

test('refuses a key that may not add options before anything is written', async () => {
	const given = { ...grid.auto(), ...how('addToColumn') };
	const { error } = await run('create', given, items, { credentials: await world.person('writer') });
	expect(error?.message).toContain('No permission to change columns of the grid');
	expect(writes()).toEqual([]);
});

test('in a list of options, known ones are written, unknown ones omitted or added', async () => {
	const row = { Name: 'three', Tags: 'b, c' };
	const refused = await run('create', grid.auto(), [row]);
	expect(refused.error?.message).toContain('The column "Tags" has no option "c"');
	await run('create', { ...grid.auto(), ...how('leaveEmpty') }, [row]);
	expect((await grid.rows()).at(-1)).toMatchObject({ Tags: ['b'] });
	await run('create', { ...grid.auto(), ...how('addToColumn') }, [row]);
	expect((await grid.rows()).at(-1)).toMatchObject({ Tags: ['b', 'c'] });
	expect(await options('Tags')).toEqual(['a', 'b', 'c']);
});

test('keeps the properties of existing options', async () => {
	const field = grid.field('State');
	await run('create', { ...grid.auto(), ...how('addToColumn') }, [{ State: 'lost' }]);
	const { type } = await world.client.fields.get(grid.grid, field);
	expect(type.options).toMatchObject([
		{ value: 'new' },
		{ value: 'done', label: 'Done', color: 'green' },
		{ value: 'lost' },
	]);
	expect((await grid.rows()).map(({ State }) => State)).toEqual(['new', 'done', 'lost']);
});

test('keeps the properties of existing options, of which one has no key', async () => {
	world.proxy.setRules(({ path }) =>
		path.includes('/grids/') && !path.includes('/entities')
			? {
					kind: 'change',
					response: ({ body }) => ({
						body: body.replace(
							/\{"value":"done","label":"Done"/g,
							'{"value":"done","key":null,"label":"Done"',
						),
					}),
				}
			: undefined,
	);
	await run('create', { ...grid.auto(), ...how('addToColumn') }, [{ State: 'lost' }]);
	const { type } = await world.newClient().fields.get(grid.grid, grid.field('State'));
	expect(type.options).toMatchObject([
		{ value: 'new' },
		{ value: 'done', color: 'green' },
		{ value: 'lost' },
	]);
});

describe('concurrent runs lose no option', () => {
	const adding = async (value: string) =>
		await run('create', { ...grid.auto(), ...how('addToColumn') }, [{ Name: value, State: value }]);

	test('of one n8n instance', async () => {
		const runs = await Promise.all(['mine', 'theirs', 'ours'].map(adding));
		expect(runs.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
		expect((await options('State'))?.slice(2).sort()).toEqual(['mine', 'ours', 'theirs']);
		expect((await grid.rows()).map(({ State }) => State).slice(2)).toEqual(
			expect.arrayContaining(['mine', 'ours', 'theirs']) as unknown,
		);
	});

	/** Writes the options as another n8n that read the column before this run. */
	const overwrite = async () => {
		const field = grid.field('State');
		const type = { name: 'enum', options: ['new', 'done', 'theirs'] };
		await world.client.fields.update(grid.grid, field, { type });
	};

	test('of two n8n instances, if the other one writes an outdated list last', async () => {
		let left = 1;
		const rule: Rule = async ({ method, path }) => {
			// The other n8n writes after this run's change and before its check.
			if (method !== 'GET' || !path.includes('/fields/') || changesOfColumns().length === 0 || left-- <= 0)
				return undefined;
			await overwrite();
			return undefined;
		};
		world.proxy.setRules(rule);
		expect((await adding('mine')).error).toBeUndefined();
		expect(await options('State')).toEqual(['new', 'done', 'theirs', 'mine']);
		expect((await grid.rows()).at(-1)).toMatchObject({ State: 'mine' });
	});
});

test('reports a column that the service does not change, and writes no row', async () => {
	world.proxy.setRules(({ method }) =>
		method === 'PATCH' ? { kind: 'response', status: 200, body: '{}' } : undefined,
	);
	const { error } = await run('create', { ...grid.auto(), ...how('addToColumn') }, [{ State: 'lost' }]);
	expect(error?.message).toContain(
		'The column "State" did not keep the options "lost"; no row with them was written',
	);
	expect(writes().filter((line) => line.startsWith('POST'))).toEqual([]);
	expect(await grid.rows()).toHaveLength(2);
});

test('with continue on fail, a column that refuses new options fails only the items that need them', async () => {
	world.proxy.setRules(({ method, path }) =>
		method === 'PATCH' && path.includes(grid.id('State'))
			? { kind: 'response', status: 400, body: '{}' }
			: undefined,
	);
	const input = [{ Name: 'three', State: 'lost' }, { Name: 'four', Tags: 'c' }, { Name: 'five' }];
	const given = { ...grid.auto(), ...how('addToColumn') };
	const stopped = await run('create', given, input);
	expect(stopped.error?.message).toBeDefined();
	expect(await grid.rows()).toHaveLength(2);
	const { rows } = await run('create', given, input, { onError: 'continueRegularOutput' });
	expect(rows).toMatchObject([
		{ error: expect.any(String) as unknown },
		{ Name: 'four', Tags: ['c'] },
		{ Name: 'five' },
	]);
	expect(await grid.rows()).toHaveLength(4);
});

test('after an unknown outcome, the column is read before the change is repeated', async () => {
	let cut = 0;
	world.proxy.setRules(({ method }) =>
		method === 'PATCH' && cut++ === 0 ? { kind: 'resetAfter' } : undefined,
	);
	const { error } = await run('create', { ...grid.auto(), ...how('addToColumn') }, [{ State: 'lost' }]);
	expect(error).toBeUndefined();
	expect(await options('State')).toEqual(['new', 'done', 'lost']);
	expect((await grid.rows()).at(-1)).toMatchObject({ State: 'lost' });
});

test('if the options of the column are unknown, the service validates the value', async () => {
	world.proxy.setRules(({ path }) =>
		path.includes('/grids/') && !path.includes('/entities')
			? {
					kind: 'change',
					response: ({ body }) => ({ body: body.replace(/"(options|enum)":\[/g, '"choices":[') }),
				}
			: undefined,
	);
	const { error } = await run('create', grid.auto(), [{ State: 'lost' }]);
	expect(error).toMatchObject({ httpCode: '400' });
	expect(writes()).toHaveLength(1);
});

test('an option may be given by any of its identifying members', async () => {
	world.proxy.setRules(({ path }) =>
		path.includes('/grids/') && !path.includes('/entities')
			? {
					kind: 'change',
					response: ({ body }) => ({
						body: body.replace(/\{"value":"done","label":"Done"/g, '{"id":7,"name":"done"'),
					}),
				}
			: undefined,
	);
	const { error } = await run('create', grid.auto(), [{ Name: 'three', State: 'done' }]);
	expect(error).toBeUndefined();
	expect((await grid.rows()).at(-1)).toMatchObject({ State: 'done' });
});
