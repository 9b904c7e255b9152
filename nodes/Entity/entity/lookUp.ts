import { deepCopy } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Entity } from '../../../client/resources/entities';
import { InvalidInput } from '../../../client/errors';
import { gridFields, openGridWithFields } from '../../shared/inputs/pickers/chosenGrid';
import { keyColumns } from '../../shared/inputs/columns/columnMapper';
import { columnChoice } from '../../shared/inputs/selection/conditions';
import { requestsAtATime } from '../../shared/inputs/options';
import { columnNaming, outputColumns } from '../../shared/inputs/output/outputOptions';
import { choice } from '../../shared/inputs/choice';
import { parameter as input } from '../../shared/inputs/parameter';
import { ColumnNames } from '../../shared/rows/columnNames';
import { RowWithFiles } from '../../shared/rows/output';
import { isBlank, toServiceValue } from '../../shared/rows/values';
import { inBulk } from '../../shared/runner/bulk';
import { batchOperation } from '../../shared/runner/operation';
import { findRows } from '../keys/findRows';
import { KeyedGrids, readAllAhead } from '../keys/keyedRows';

const LABEL = 'Match Rows By';
const matchBy = input(
	{
		displayName: LABEL,
		name: 'matchBy',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add column',
		default: {},
		description: 'The columns that tell which row belongs to an item, with the value of the item',
		options: [
			{
				displayName: 'Column',
				name: 'key',
				values: [
					columnChoice,
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. {{ $json.customerNumber }}',
						description: 'The value to look for. An item without a value matches no row.',
					},
				],
			},
		],
	},
	z
		.looseObject({ key: z.array(z.object({ column: z.string().min(1), value: z.unknown() })).default([]) })
		.transform(({ key }) => key),
);
const whenUnmatched = choice(
	'whenUnmatched',
	'When No Row Matches',
	{
		drop: { name: 'Drop Item', description: 'The item is not output' },
		fail: { name: 'Fail', description: 'The item goes to the error output, if the node has one' },
		keep: { name: 'Keep Item', description: 'The item is output with null instead of a row' },
	},
	{ default: 'keep', description: 'What to do with an item if no row is found' },
);
const whenSeveral = choice(
	'whenSeveral',
	'When Several Rows Match',
	{
		fail: { name: 'Fail', description: 'The error lists the rows' },
		all: { name: 'Output All', description: 'Output one item per row' },
		first: { name: 'Use First', description: 'The first row in the order of the grid' },
	},
	{ default: 'fail', description: 'What to do with an item if several rows are found' },
);
const putResultIn = input(
	{
		displayName: 'Put Result In',
		name: 'putResultIn',
		type: 'string',
		default: 'row',
		placeholder: 'e.g. customer',
		description:
			'The field of the item that gets the row. Leave it empty to put the columns beside the fields of the item.',
	},
	z.string().trim(),
);

export const lookUp = batchOperation({
	value: 'lookUp',
	name: 'Look Up',
	action: 'Look up rows',
	description: 'Add to each item the row of a grid that belongs to it',
	fields: [...gridFields, matchBy, putResultIn, whenUnmatched, whenSeveral, columnNaming],
	options: [findRows, outputColumns, requestsAtATime],
	async runAll(context) {
		const { client } = context;
		const keyed = new KeyedGrids(client);
		const output = new WeakSet<Entity>();
		return await inBulk(context, {
			async prepare({ item, parameter, rowWriter, timezone }) {
				const { grid, fields } = await openGridWithFields(client, parameter);
				const given = parameter(matchBy);
				const keys = keyColumns(
					given.map(({ column }) => column),
					fields,
					LABEL,
				);
				const values = Object.fromEntries(
					given.map(({ column, value }) => {
						const field = ColumnNames.of(fields).get(column, LABEL);
						return [field.id, isBlank(value) ? null : toServiceValue(field, value, timezone)];
					}),
				);
				const rows = keyed.of(grid, keys);
				const isComplete = keys.every(({ id }) => values[id] !== null);
				return {
					item,
					rows,
					values,
					key: isComplete ? rows.keyOf(values) : undefined,
					row: rowWriter(fields),
					member: parameter(putResultIn),
					unmatched: parameter(whenUnmatched),
					several: parameter(whenSeveral),
				};
			},
			begin: async (all) => {
				await readAllAhead(all, context.at(0).option(findRows));
			},
			async perform({ item, rows, values, key, row, member, unmatched, several }) {
				const matches = key === undefined ? [] : await rows.matching(values);
				if (matches.length === 0) {
					if (unmatched === 'drop') return [];
					if (unmatched === 'fail')
						throw new InvalidInput(
							`No row has ${rows.describe(values)}`,
							`Add the row, or choose another way in "When No Row Matches".`,
						);
				}
				if (matches.length > 1 && several === 'fail')
					throw new InvalidInput(
						`${matches.length} rows have ${rows.listed(values, matches)}`,
						'Add a column that tells them apart, or choose another way in "When Several Rows Match".',
					);
				const chosen = several === 'all' ? matches : matches.slice(0, 1);
				const results = chosen.length === 0 ? [undefined] : chosen;
				return results.map((entity) => {
					// A node after this one may change an item, and no other one with it.
					const result = entity && (output.has(entity) ? deepCopy(row(entity)) : row(entity));
					if (entity) output.add(entity);
					const joined =
						member === '' ? { ...item.json, ...result } : { ...item.json, [member]: result ?? null };
					return item.binary ? new RowWithFiles(joined, item.binary) : joined;
				});
			},
		});
	},
});
