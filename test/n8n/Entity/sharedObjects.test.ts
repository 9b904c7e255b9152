import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const world = World.forTests();
let grid: WorldGrid;
let id: string;

beforeEach(async () => {
	grid = await world.grid({ Name: 'string', Tags: 'stringcollection', Old: 'stringcollection' });
	[id = ''] = await grid.fill({ Name: 'Alder', Tags: ['a'], Old: ['o'] });
});

/** The objects in a value, at any depth. */
function objectsIn(value: unknown): object[] {
	if (typeof value !== 'object' || value === null) return [];
	return [value, ...Object.values(value).flatMap(objectsIn)];
}

const BY_NAME = { options: { avoidDuplicatesBy: ['Name'] } };
const WHERE = { conditions: { condition: [{ column: 'Name', operator: '$eq', value: 'Alder' }] } };
const alder = (...tags: string[]) => ({ Name: 'Alder', Tags: tags });
const birch = (...tags: string[]) => ({ Name: 'Birch', Tags: tags });

test.each<[string, string, INodeParameters, IDataObject[]]>([
	['Create of an existing row', 'create', BY_NAME, [alder('b'), alder('c')]],
	['a dry run of Create', 'create', { ...BY_NAME, dryRun: true }, [birch('b'), birch('c')]],
	['Create or Update of an equal row', 'upsert', {}, [alder('a'), alder('a')]],
	['Create or Update of a changed row', 'upsert', {}, [alder('b'), alder('c'), alder('c')]],
	['Create or Update of a new row', 'upsert', {}, [birch('b'), birch('c'), birch('c')]],
	['a dry run of Create or Update', 'upsert', { dryRun: true }, [birch('b'), birch('c'), birch('c')]],
	['Update', 'update', {}, [{ Tags: ['b'] }, { Tags: ['c'] }]],
	['a dry run of Update', 'update', { dryRun: true }, [{ Tags: ['b'] }, { Tags: ['c'] }]],
	['Update Many', 'updateMany', WHERE, [{ Tags: ['b'] }, { Tags: ['c'] }]],
	['a dry run of Update Many', 'updateMany', { ...WHERE, dryRun: true }, [{ Tags: ['b'] }, { Tags: ['c'] }]],
	['Look Up', 'lookUp', { matchBy: { key: [{ column: 'Name', value: 'Alder' }] } }, [{}, {}]],
])(
	'items with the same row share no objects in the output of %s',
	async (_what, operation, parameters, input) => {
		const columns = grid.auto(operation === 'upsert' ? ['Name'] : []);
		const entity = operation === 'update' ? { entity: byId(id) } : {};
		const { items, error } = await grid.run(operation, { ...columns, ...entity, ...parameters }, input);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(input.length);
		const objects = items.flatMap(({ json }) => objectsIn(json));
		expect(objects.length).toBeGreaterThanOrEqual(2 * input.length);
		expect(new Set(objects).size).toBe(objects.length);
	},
);
