import { setTimeout as delay } from 'node:timers/promises';
import type { Identity } from '../../../testbed/world/call';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const history = { resource: 'history' };
let world: World;
let tasks: WorldGrid;
let id: string;
let moment: string;
const entity = () => ({ entity: { __rl: true, mode: 'id', value: id } });

beforeAll(async () => {
	world = await World.start();
	tasks = await world.grid({ Task: 'string', Hours: 'decimal', Done: 'boolean' });
	id = (await tasks.fill([{ Task: 'Write', Hours: 0, Done: false }]))[0] ?? '';
	await delay(20);
	moment = new Date().toISOString();
	await delay(20);
	const change = async (column: string, value: unknown) =>
		await world.client.entities.update(tasks.grid, id, { [tasks.id(column)]: value });
	await change('Hours', 3);
	await change('Hours', 4);
	await change('Done', true);
});
afterAll(() => world.stop());

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
	});

	test('reports an entity that never existed as missing', async () => {
		const nowhere = { entity: { __rl: true, mode: 'id', value: 'nowhere' } };
		expect((await tasks.run('getMany', nowhere, [{}], history)).error).toMatchObject({ httpCode: '404' });
	});
});

describe('Restore', () => {
	test('refuses a reader key, a time before the creation, and an invalid time', async () => {
		const run = async (when: string, as: Identity = 'owner') =>
			(
				await tasks.run('restore', { ...entity(), moment: when }, [{}], {
					...history,
					as,
				})
			).error?.message;
		expect(await run(moment, 'reader')).toContain('No permission to change rows');
		expect(await run('2020-01-01T00:00:00Z')).toContain('created after that time');
		expect(await run('soon')).toContain('not a date and time');
	});

	test('a dry run reports the values that would be restored; a run restores them', async () => {
		const changes = [
			{ field: 'Hours', old: 4, new: 0 },
			{ field: 'Done', old: true, new: false },
		];
		const allChanges: unknown = expect.arrayContaining(changes);
		const dry = await tasks.run('restore', { ...entity(), moment, dryRun: true }, [{}], history);
		expect(dry.rows[0]).toMatchObject({ _outcome: 'update', _changes: allChanges });
		expect((await tasks.rows())[0]).toMatchObject({ Hours: 4, Done: true });
		const restored = await tasks.run('restore', { ...entity(), moment }, [{}], history);
		expect(restored.rows[0]).toMatchObject({ _outcome: 'updated', Hours: 0, Done: false, Task: 'Write' });
		const again = await tasks.run('restore', { ...entity(), moment }, [{}], history);
		expect(again.rows[0]).toMatchObject({ _outcome: 'unchanged', _changes: [] });
	});
});
