import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod/v4';
import { byId } from '../../../testbed/world/parameters';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const eventsSchema = z.object({ items: z.array(z.looseObject({})) });
const history = { resource: 'history' };
const world = new ProxiedWorld();
let tasks: WorldGrid;
let id: string;
let moment: string;
const entity = () => ({ entity: { __rl: true, mode: 'id', value: id } });

beforeAll(async () => {
	tasks = await world.grid({ Task: 'string', Hours: 'decimal', Done: 'boolean' });
	id = (await tasks.fill({ Task: 'Write', Hours: 0, Done: false }))[0] ?? '';
	await delay(20);
	moment = new Date().toISOString();
	await delay(20);
	const change = async (column: string, value: unknown) =>
		await world.client.entities.update(tasks.grid, id, { [tasks.id(column)]: value });
	await change('Hours', 3);
	await change('Hours', 4);
	await change('Done', true);
});

describe('History', () => {
	test('outputs who changed which value when, by column name, with the raw event', async () => {
		const { rows, error } = await tasks.run(
			'getMany',
			{ ...entity(), returnAll: true, options: { simplify: false } },
			[{}],
			history,
		);
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(4);
		expect(rows[0]).toMatchObject({
			event: 'updated',
			_id: id,
			changes: [{ field: 'Done', old: false, new: true }],
		});
		expect(rows.at(-1)).toMatchObject({ event: 'created', raw: { entityId: id } });
		const few = await tasks.run(
			'getMany',
			{ ...entity(), limit: 2, options: { simplify: false } },
			[{}],
			history,
		);
		expect(few.rows).toEqual(rows.slice(0, 2));
		const [simple] = (await tasks.run('getMany', entity(), [{}], history)).rows;
		expect(Object.keys(simple ?? {})).toEqual(['event', '_id', 'changedAt', 'changedBy', 'changes']);
	});
});

describe('Restore', () => {
	test('a dry run reports the values that would be restored; a run restores them', async () => {
		const changes = [
			{ fieldId: tasks.id('Hours'), field: 'Hours', old: 4, new: 0 },
			{ fieldId: tasks.id('Done'), field: 'Done', old: true, new: false },
		];
		const allChanges: unknown = expect.arrayContaining(changes);
		const dry = await tasks.run('restore', { ...entity(), moment, dryRun: true }, [{}], history);
		expect(dry.rows[0]).toMatchObject({ _outcome: 'update', _changes: allChanges });
		expect(dry.hints).toEqual(['Dry run: would update 1']);
		expect((await tasks.rows())[0]).toMatchObject({ Hours: 4, Done: true });
		const restored = await tasks.run('restore', { ...entity(), moment }, [{}], history);
		expect(restored.rows[0]).toMatchObject({ _outcome: 'updated', Hours: 0, Done: false, Task: 'Write' });
		const again = await tasks.run('restore', { ...entity(), moment }, [{}], history);
		expect(again.rows[0]).toMatchObject({ _outcome: 'unchanged', _changes: [] });
		expect([...restored.hints, ...again.hints]).toEqual(['1 updated', '1 unchanged']);
	});

	test('a moment in the future is told, with the time zone', async () => {
		const { hints } = await tasks.run('restore', { ...entity(), moment: '2099-01-01 02:00' }, [{}], history);
		expect(hints.join()).toMatch(/is in the future, 20.*the time zone of the workflow, /);
	});

	test('the plan names an option that was removed; the run refuses it, or leaves it out', async () => {
		const option = (value: string) => ({ value, name: value });
		const grid = await world.grid({
			Task: 'string',
			State: { name: 'enum', options: [option('old'), option('new')] },
		});
		const [row = ''] = await grid.fill({ Task: 'Write', State: 'old' });
		await delay(20);
		const before = new Date().toISOString();
		await delay(20);
		await world.client.entities.update(grid.grid, row, {
			[grid.id('State')]: 'new',
			[grid.id('Task')]: 'Read',
		});
		const { client } = world;
		await client.fields.update(grid.grid, grid.field('State'), {
			type: { name: 'enum', options: [option('new')] },
		});
		const run = async (more: object) =>
			await grid.run('restore', { entity: byId(row), moment: before, ...more }, [{}], history);
		const reason = '"State" no longer has the option "old"';
		expect((await run({ dryRun: true })).rows).toMatchObject([{ _outcome: 'invalid', _reasons: [reason] }]);
		expect((await run({})).error?.message).toContain(reason);
		const left = await run({ options: { ifUnfit: 'leaveOut' } });
		expect(left.rows).toMatchObject([
			{ _outcome: 'updated', Task: 'Write', State: 'new', _reasons: [reason] },
		]);
	});

	test('writes nothing if the history kept changing while it was read', async () => {
		let first: object[] = [];
		world.proxy.setRules(({ path }) => ({
			kind: 'change',
			response: ({ body }) => {
				if (!path.includes('/events')) return {};
				const page = Number(new URL(path, world.proxy.url).searchParams.get('pageIndex'));
				if (page === 1) first = eventsSchema.parse(JSON.parse(body)).items;
				const more = [first[0] ?? {}, { ...first[0], id: 'new' }];
				const items = page === 1 ? first : more;
				const pageSize = first.length;
				const counts = { pageSize, size: items.length, numberOfItems: pageSize + page, numberOfPages: 2 };
				return { body: JSON.stringify({ page, ...counts, items }) };
			},
		}));
		const { error, rows } = await tasks.run('restore', { ...entity(), moment }, [{}], history);
		expect(error?.message).toContain(`"History of ${id}" kept changing while it was read`);
		expect(rows).toEqual([]);
	});
});

test('Get Changes outputs each change since a time once, the row first, up to Limit', async () => {
	const watched = await world.grid({ Name: 'string' });
	const ids = [...(await watched.fill({ Name: 'a' })), ...(await watched.fill({ Name: '' }))];
	const changes = async (since: string, more: object = { returnAll: true }) =>
		(await watched.run('getChanges', { since, ...more }, [{}], history)).rows;
	const rows = await changes('2026-01-01T00:00:00');
	expect(rows).toMatchObject([
		{ event: 'created', _id: ids[0], row: { Name: 'a' }, changes: [{ field: 'Name', new: 'a' }] },
		{ event: 'created', _id: ids[1], row: { Name: '' } },
	]);
	expect(Object.keys(rows[0] ?? {})[0]).toBe('row');
	expect(await changes('2026-01-01', { limit: 1 })).toEqual(rows.slice(0, 1));
	expect(await changes('2999-01-01T00:00:00Z')).toEqual([]);
});
