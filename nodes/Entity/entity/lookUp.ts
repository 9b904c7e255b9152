import { z } from 'zod/v4';
import type { Entity } from '../../../client/resources/entities';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import { keyColumns } from '../../shared/inputs/columnMapper';
import { columnChoice } from '../../shared/inputs/conditions';
import { optionsOf, requestsAtATime } from '../../shared/inputs/options';
import { columnNaming, outputColumns } from '../../shared/inputs/outputOptions';
import { parameter as input } from '../../shared/inputs/parameter';
import { ColumnNames } from '../../shared/rows/columnNames';
import { rowWriter, RowWithFiles } from '../../shared/rows/output';
import { toServiceValue } from '../../shared/rows/values';
import { inBulk } from '../../shared/runner/bulk';
import type { Operation } from '../../shared/runner/operation';
import { findRows, KeyedGrids } from '../keyedRows';

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
const whenUnmatched = input(
	{
		displayName: 'When No Row Matches',
		name: 'whenUnmatched',
		type: 'options',
		options: [
			{ name: 'Drop the Item', value: 'drop', description: 'The item is not output' },
			{ name: 'Fail', value: 'fail', description: 'Or goes to the error output, if the node has one' },
			{ name: 'Keep the Item', value: 'keep', description: 'With null in place of the row' },
		],
		default: 'keep',
		description: 'What to do with an item for which no row is found',
	},
	z.enum(['drop', 'fail', 'keep']),
);
const whenSeveral = input(
	{
		displayName: 'When Several Rows Match',
		name: 'whenSeveral',
		type: 'options',
		options: [
			{ name: 'Fail', value: 'fail', description: 'Name the rows' },
			{ name: 'Output All', value: 'all', description: 'One output item for each row' },
			{ name: 'Take the First', value: 'first', description: 'In the order of the grid' },
		],
		default: 'fail',
		description: 'What to do with an item for which more than one row is found',
	},
	z.enum(['all', 'fail', 'first']),
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
const options = optionsOf(findRows, outputColumns, requestsAtATime);

export const lookUp: Operation = {
	value: 'lookUp',
	name: 'Look Up',
	action: 'Look up entities',
	description: 'Add to each item the row of a grid that belongs to it',
	fields: [...gridFields, matchBy, putResultIn, whenUnmatched, whenSeveral, columnNaming, options],
	async runAll(context) {
		const ofAll = context.parameter(options, 0);
		const client = context.client.limitedTo(ofAll(requestsAtATime));
		const keyed = new KeyedGrids(client);
		const found = new Map<string, Promise<Entity[]>>();
		return await inBulk(context, client, {
			async prepare({ item, parameter, timezone }) {
				const { grid, fields } = await chosenGrid(client, parameter);
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
				const option = parameter(options);
				const shape = { by: parameter(columnNaming), only: option(outputColumns), hint: context.hint };
				return {
					item,
					rows,
					values,
					key: isComplete ? rows.keyOf(values) : undefined,
					row: rowWriter(fields, shape),
					member: parameter(putResultIn),
					unmatched: parameter(whenUnmatched),
					several: parameter(whenSeveral),
					keys,
				};
			},
			async begin(all) {
				for (const rows of new Set(all.map((one) => one.rows))) {
					const wanted = all.flatMap((one) => (one.rows === rows && one.key !== undefined ? [one.key] : []));
					await rows.readAhead(new Set(wanted), ofAll(findRows));
				}
			},
			async perform({ item, rows, values, key, row, member, unmatched, several, keys }) {
				const name = `${rows.name} ${String(key)}`;
				const reading = key === undefined ? Promise.resolve([]) : (found.get(name) ?? rows.matching(values));
				found.set(name, reading);
				const matches = await reading;
				const described = describe(keys, values);
				if (matches.length === 0) {
					if (unmatched === 'drop') return [];
					if (unmatched === 'fail')
						throw new InvalidInput(
							`No row has ${described}`,
							`Add the row, or choose another way in "When No Row Matches".`,
						);
				}
				if (matches.length > 1 && several === 'fail')
					throw new InvalidInput(
						`${matches.length} rows have ${described}: ${matches
							.slice(0, 20)
							.map(({ _id }) => _id)
							.join(', ')}`,
						'Add a column that tells them apart, or choose another way in "When Several Rows Match".',
					);
				const chosen = several === 'all' ? matches : matches.slice(0, 1);
				const results = chosen.length === 0 ? [undefined] : chosen;
				return results.map((entity) => {
					const result = entity && row(entity);
					const joined =
						member === '' ? { ...item.json, ...result } : { ...item.json, [member]: result ?? null };
					return item.binary ? new RowWithFiles(joined, item.binary) : joined;
				});
			},
		});
	},
};

const isBlank = (value: unknown) => value === undefined || value === null || value === '';

/** The key in words, e.g. `Order "A-1"`. */
function describe(keys: readonly Field[], values: Readonly<Record<string, unknown>>): string {
	return keys.map(({ id, name }) => `${name} ${JSON.stringify(values[id] ?? null)}`).join(', ');
}
