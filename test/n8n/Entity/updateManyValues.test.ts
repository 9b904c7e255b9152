import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const bed = new ProxiedWorld();
let grid: WorldGrid;

beforeEach(async () => {
	grid = await bed.world.grid({ Name: 'string', State: 'string' });
	await grid.fill([
		{ Name: 'a', State: 'new' },
		{ Name: 'b', State: 'done' },
	]);
});

const ofA = () => ({
	conditions: { condition: [{ column: grid.id('Name'), operator: '$eq', value: 'a' }] },
});
const statesOf = async () => (await grid.rows()).map(({ State }) => State);

test('Update Many clears columns without writing other values', async () => {
	const given = { ...ofA(), ...grid.mapped({}), options: { columnsToClear: [grid.id('State')] } };
	const { rows } = await grid.run('updateMany', given);
	expect(rows).toMatchObject([{ Name: 'a', State: null, _outcome: 'updated' }]);
	expect(await statesOf()).toEqual([null, 'done']);
});

test('the error of Update Many without values names its options', async () => {
	const { error } = await grid.run('updateMany', { ...ofA(), ...grid.mapped({}) });
	expect(error).toMatchObject({
		message: expect.stringContaining('has no value for any column') as unknown,
		description: expect.stringContaining('Columns to Clear') as unknown,
	});
	expect(error).not.toMatchObject({ description: expect.stringContaining('Allow Empty Row') as unknown });
});

test('a dry run of Update Many reports the number of invalid items', async () => {
	const given = { ...ofA(), ...grid.auto(), dryRun: true };
	const none = await grid.run('updateMany', given, [{ Nothing: 1 }]);
	expect(none.typedHints).toContainEqual({
		message: 'Dry run: would change nothing; 1 invalid',
		type: 'warning',
		location: 'outputPane',
	});
	const some = await grid.run('updateMany', given, [{ Nothing: 1 }, { State: 'done' }]);
	expect(some.hints).toContain('Dry run: 1 row met the conditions: would update 1; 1 invalid');
});
