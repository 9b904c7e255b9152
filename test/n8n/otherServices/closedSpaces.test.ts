import { byId } from '../../../testbed/world/parameters';
import { SampleWorld } from '../../../testbed/world/sampleWorld';
import type { Grid } from '../../../client/resources/grids';
import { makeGrid, makeSpace } from '../../../testbed/world/makeGrid';

/**
 * Spaces that are listed but may not be read, such as those shared with the role creator (§5):
 * requests below them get 403.
 */
const world = SampleWorld.forTests();
let closed: string;
let later: Grid;

beforeAll(async () => {
	// Listed before the open space.
	closed = world.spaceId;
	const open = await makeSpace(world.client, 'Open');
	({ grid: later } = await makeGrid(world.client, open, 'Later', { Title: 'string' }));
});
beforeEach(() => {
	world.listen(({ path }) =>
		path.includes(`/spaces/${closed}/`)
			? { kind: 'response', status: 403, headers: { 'content-type': 'text/plain' }, body: 'No role' }
			: undefined,
	);
});

const getMany = { node: 'grid', resource: 'grid', operation: 'getMany' } as const;

test('Get Many outputs the grids of readable spaces, and a hint names the other spaces', async () => {
	const { rows, error, hints } = await world.run({ ...getMany, parameters: { returnAll: true } });
	expect(error).toBeUndefined();
	expect(rows.map(({ name }) => name)).toEqual(['Later']);
	expect(hints).toEqual([expect.stringContaining('"Work"')]);
});

test('a chosen space that may not be read causes an error', async () => {
	const { error } = await world.run({ ...getMany, parameters: { space: byId(closed) } });
	expect(error?.message).toContain('Permission denied');
});

test('a grid by its ID alone is found in a space that may be read', async () => {
	const grid = byId(later.id);
	const operation = { node: 'grid', resource: 'grid', operation: 'get' } as const;
	expect(await world.row({ ...operation, parameters: { grid } })).toMatchObject({ name: 'Later' });
	const { error } = await world.run({ ...operation, parameters: { grid: byId('nowhere') } });
	expect(error?.message).toContain('Permission denied');
});
