import type { INodeParameters, INodeType } from 'n8n-workflow';
import { Entity } from '../../nodes/Entity/Entity.node';
import { Grid } from '../../nodes/Grid/Grid.node';
import { World } from '../../testbed/world/world';
import type { WorldGrid } from '../../testbed/world/worldGrid';
import { evaluateNodeExpression } from '../fixtures/nodeExpression';

describe('before a run', () => {
	/** Returns the hints whose conditions are true, as n8n evaluates them. */
	function shownBefore(type: INodeType, parameters: INodeParameters) {
		return (type.description.hints ?? [])
			.filter(({ displayCondition = '' }) => {
				const holds = evaluateNodeExpression(type, parameters, displayCondition);
				// The editor requires a boolean.
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
	const sync = { resource: 'entity', operation: 'sync' };
	const update = { resource: 'field', operation: 'update' };

	test.each<[string, INodeType, INodeParameters, string[]]>([
		[
			'a deletion of all rows',
			entity,
			{ ...deleteMany, options: { allRows: true } },
			['danger: There are no conditions and "All Rows" is on'],
		],
		[
			'a deletion of all rows by an empty JSON filter',
			entity,
			{ ...deleteMany, options: { allRows: true, filter: '{}' } },
			['danger: There are no conditions and "All Rows" is on'],
		],
		[
			'a dry run of a deletion of all rows',
			entity,
			{ ...deleteMany, dryRun: true, options: { allRows: true } },
			[],
		],
		[
			'a deletion with All Rows and a condition',
			entity,
			{ ...deleteMany, conditions: one, options: { allRows: true } },
			[],
		],
		['a deletion that fails without conditions', entity, deleteMany, []],
		[
			'a deletion with a limit of 100 %',
			entity,
			{ ...deleteMany, conditions: one, options: { limits: { values: { limitPercent: 100 } } } },
			['warning: "Limit (%)" is 100'],
		],
		['an update of all rows', entity, updateMany, ['warning: There are no conditions']],
		['an update with a condition', entity, { ...updateMany, conditions: one }, []],
		[
			'a sync that deletes',
			entity,
			{ ...sync, rowsNotInInput: 'delete' },
			['danger: Other rows will be deleted'],
		],
		['a dry run of a sync that deletes', entity, { ...sync, rowsNotInInput: 'delete', dryRun: true }, []],
		['a sync that deletes nothing', entity, sync, []],
		[
			'an update that drops options in use',
			grid,
			{ ...update, additionalFields: { replaceOptions: true, dropUsedOptions: true } },
			['danger: "Drop Options in Use" is on'],
		],
		[
			'an update that may not drop options in use',
			grid,
			{ ...update, additionalFields: { replaceOptions: true } },
			[],
		],
	])('the hints for %s', (_title, type, parameters, expected) => {
		expect(shownBefore(type, parameters)).toEqual(expected);
	});
});

describe('after a run', () => {
	const world = World.forTests();
	let orders: WorldGrid;
	beforeAll(async () => {
		orders = await world.grid({ Order: 'string', Amount: 'integer' });
	});

	test('a skipped column is reported as a warning, unchanged rows as information', async () => {
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
});
