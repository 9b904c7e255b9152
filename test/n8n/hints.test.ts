import type { INodeParameters, INodeType } from 'n8n-workflow';
import { Entity } from '../../nodes/Entity/Entity.node';
import { Grid } from '../../nodes/Grid/Grid.node';
import { World } from '../../testbed/world/world';
import type { WorldGrid } from '../../testbed/world/worldGrid';
import { evaluateNodeExpression } from '../fixtures/nodeExpression';

describe('before a run', () => {
	/** The types of the hints whose conditions hold, by n8n's own expressions. */
	function shownBefore(type: INodeType, parameters: INodeParameters) {
		return (type.description.hints ?? [])
			.filter(({ displayCondition = '' }) => {
				const holds = evaluateNodeExpression(type, parameters, displayCondition);
				// The editor shows no hint whose condition is anything else.
				expect(typeof holds).toBe('boolean');
				return holds === true;
			})
			.map(({ type: kind, message }) => `${kind ?? 'info'}: ${message.slice(0, message.indexOf(':'))}`);
	}

	const entity = new Entity();
	const grid = new Grid();
	const one = { condition: [{ column: 'f1', operator: '$eq', value: 'new' }] };
	const deleteMany = { resource: 'entity', operation: 'deleteMany' };
	const updateMany = { resource: 'entity', operation: 'updateMany' };
	const sync = { resource: 'bulk', operation: 'sync' };
	const update = { resource: 'field', operation: 'update' };
	const changeType = { resource: 'field', operation: 'changeType', type: 'enum' };

	test.each<[string, INodeType, INodeParameters, string[]]>([
		[
			'all rows would be deleted',
			entity,
			{ ...deleteMany, options: { allRows: true } },
			['danger: There are no conditions and "All Rows" is on'],
		],
		[
			'the same with an empty filter as JSON',
			entity,
			{ ...deleteMany, selectBy: 'json', filter: '{}', options: { allRows: true } },
			['danger: There are no conditions and "All Rows" is on'],
		],
		['a dry run of it', entity, { ...deleteMany, dryRun: true, options: { allRows: true } }, []],
		['All Rows with a condition', entity, { ...deleteMany, conditions: one, options: { allRows: true } }, []],
		['a deletion that fails without conditions', entity, deleteMany, []],
		[
			'a deletion without a share to stop it',
			entity,
			{ ...deleteMany, conditions: one, options: { limitPercent: 100 } },
			['warning: "Limit (%)" is 100'],
		],
		['all rows would be written', entity, updateMany, ['warning: There are no conditions']],
		['rows that meet a condition', entity, { ...updateMany, conditions: one }, []],
		['rows by JSON', entity, { ...updateMany, selectBy: 'json', filter: '{ "f1": { "$eq": "new" } }' }, []],
		['a dry run of all rows', entity, { ...updateMany, dryRun: true }, []],
		['a sync that deletes', entity, { ...sync, deleteOthers: true }, ['danger: "Delete Other Rows" is on']],
		['its dry run', entity, { ...sync, deleteOthers: true, dryRun: true }, []],
		['a sync that deletes nothing', entity, sync, []],
		['another operation', entity, { resource: 'entity', operation: 'get' }, []],
		[
			'options in use would be dropped',
			grid,
			{ ...update, updateFields: { replaceOptions: true, dropUsedOptions: true } },
			['danger: "Drop Options in Use" is on'],
		],
		['they would be refused', grid, { ...update, updateFields: { replaceOptions: true } }, []],
		[
			'a change of type that drops options in use',
			grid,
			{ ...changeType, replaceOptions: true, dropUsedOptions: true },
			['danger: "Drop Options in Use" is on'],
		],
		['a change of type that keeps them', grid, changeType, []],
	])('%s', (_title, type, parameters, expected) => {
		expect(shownBefore(type, parameters)).toEqual(expected);
	});
});

describe('after a run', () => {
	let world: World;
	let orders: WorldGrid;
	beforeAll(async () => {
		world = await World.start();
		orders = await world.grid({ Order: 'string', Amount: 'integer' });
	});
	afterAll(() => world.stop());

	test('what was skipped is a warning, what was done is not', async () => {
		const written = await orders.run('create', orders.auto(), [{ Order: 'A', Lost: 1 }]);
		expect(written.typedHints).toEqual([
			{
				message: `Not written, because "${orders.grid.name}" has no such column: Lost`,
				type: 'warning',
				location: 'outputPane',
			},
		]);
		const same = await orders.run('upsert', orders.auto(['Order']), [{ Order: 'A' }]);
		expect(same.typedHints.map(({ type }) => type)).toEqual(['info']);
	});

	test('a dry run with invalid items shows a warning', async () => {
		const options = { dryRun: true };
		const bad = await orders.run('create', { ...orders.auto(), options }, [{ Amount: 'many' }]);
		expect(bad.typedHints).toMatchObject([
			{ message: 'Dry run: would change nothing; 1 invalid', type: 'warning' },
		]);
		const good = await orders.run('create', { ...orders.auto(), options }, [{ Amount: 1 }]);
		expect(good.typedHints).toMatchObject([{ message: 'Dry run: would create 1', type: 'info' }]);
	});
});
