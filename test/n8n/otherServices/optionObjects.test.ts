import { z } from 'zod/v4';
import { rewrite } from '../../../testbed/proxy/rewriting';
import { textOf } from '../../../testbed/world/parameters';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** §2.5 defines the options of a column, but not the cells: here cells contain option objects. */
const bed = new ProxiedWorld();
const rowSchema = z.looseObject({ _id: z.string() });
const pageSchema = z.looseObject({ items: z.array(rowSchema) });

let grid: WorldGrid;
beforeEach(async () => {
	const options = ['new', 'done', 'late'];
	grid = await bed.world.grid({
		Name: 'string',
		State: { name: 'enum', options },
		Tags: { name: 'enumcollection', options },
	});
	const asObject = (value: unknown) => (typeof value === 'string' ? { value, label: `The ${value}` } : value);
	const shown = (row: z.infer<typeof rowSchema>) =>
		Object.fromEntries(
			Object.entries(row).map(([id, value]) => {
				if (id === grid.id('State')) return [id, asObject(value)];
				return [id, id === grid.id('Tags') && Array.isArray(value) ? value.map(asObject) : value];
			}),
		);
	bed.proxy.setRules(
		rewrite({
			response({ path, status, body }) {
				if (!path.includes('/entities') || status !== 200) return {};
				const json: unknown = JSON.parse(body);
				const page = pageSchema.safeParse(json);
				if (page.success)
					return { body: JSON.stringify({ ...page.data, items: page.data.items.map(shown) }) };
				const row = rowSchema.safeParse(json);
				return row.success ? { body: JSON.stringify(shown(row.data)) } : {};
			},
		}),
	);
});

const rows = [
	{ Name: 'a', State: 'new', Tags: ['late', 'new'] },
	{ Name: 'b', State: 'done', Tags: [] },
];
const extra = () => ({ baseUrl: bed.proxy.url });
const sync = async () =>
	await grid.run('sync', grid.auto(['Name']), rows, {
		resource: 'entity',
		...extra(),
	});

test('a second Sync writes nothing if cells contain option objects', async () => {
	expect((await sync()).rows.map(({ _outcome }) => _outcome)).toEqual(['created', 'created']);
	const before = bed.proxy.requests.length;
	expect((await sync()).rows).toEqual([]);
	expect(bed.proxy.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('Update Many updates the rows with an option', async () => {
	await sync();
	const condition = [{ column: grid.id('State'), operator: '$eq', value: 'new' }];
	const given = { conditions: { condition }, ...grid.mapped({ State: 'done' }) };
	const { error } = await grid.run('updateMany', given, [{}], extra());
	expect(error).toBeUndefined();
	expect((await grid.rows()).map(({ State }) => State)).toEqual(['done', 'done']);
});

test('a cell that was read can be written back', async () => {
	await sync();
	const read = await grid.run('getMany', { returnAll: true }, [{}], extra());
	expect(read.rows).toMatchObject([{ State: { value: 'new' } }, { State: { value: 'done' } }]);
	const copies = read.rows.map(({ Name, State, Tags }) => ({ Name: `${textOf(Name)} again`, State, Tags }));
	const { error } = await grid.run('create', grid.auto(), copies, extra());
	expect(error).toBeUndefined();
	expect(
		(await grid.rows())
			.slice(2)
			.map(({ State }) => State)
			.sort(),
	).toEqual(['done', 'new']);
});
