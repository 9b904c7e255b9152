import { z } from 'zod/v4';
import type { Client } from '../../../client';
import type { Entity, Values } from '../../../client/resources/entities';
import { InvalidInput } from '../../../client/errors';
import type { Grid } from '../../../client/resources/grids';
import { inBulk } from '../../shared/runner/bulk';
import { writableGridFields } from '../../shared/inputs/chosenGrid';
import { columnMapper, keysOf } from '../../shared/inputs/columnMapper';
import { columnNaming, outputColumns, returnFullEntity } from '../../shared/inputs/outputOptions';
import { namesOf, rowWriter } from '../../shared/rows/output';
import type { ItemsContext, Operation, Row } from '../../shared/runner/operation';
import { columnsToClear, keepOrder, optionsOf, requestsAtATime } from '../../shared/inputs/options';
import { parameter as input } from '../../shared/inputs/parameter';
import { KeyedGrids, type KeyedRows } from '../keyedRows';
import { changesOf, differing } from '../outcome';
import { readBack, unlocatedRow, WriteReader } from '../write';

const columns = columnMapper('upsert');
const whenSeveral = input(
	{
		displayName: 'When Several Rows Match',
		name: 'whenSeveral',
		type: 'options',
		options: [
			{ name: 'Name Them and Fail', value: 'fail', description: 'Write nothing for this item' },
			{ name: 'Update All', value: 'all', description: 'Outputs one row for each' },
			{ name: 'Update the First', value: 'first', description: 'In the order of the grid' },
		],
		default: 'fail',
		description: 'What to do with an item whose key columns match more than one row of the grid',
	},
	z.enum(['fail', 'all', 'first']),
);
const options = optionsOf(columnsToClear, keepOrder, outputColumns, requestsAtATime, whenSeveral);

export const upsert: Operation = {
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update an entity',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields: [...writableGridFields, columns, returnFullEntity, columnNaming, options],
	async runAll(context) {
		const { hint } = context;
		const ofAll = context.parameter(options, 0);
		const client = context.client.limitedTo(ofAll(requestsAtATime));
		const reader = new WriteReader(columns);
		const keyed = new KeyedGrids(client);
		const results = await inBulk(context, client, {
			async prepare(item) {
				const option = item.parameter(options);
				const write = await reader.read(item, option(columnsToClear));
				client.entities.mayCreate(write.grid);
				const rows = keyed.of(write.grid, keysOf(write.mapping, write.fields));
				const key = rows.keyOf(write.values);
				const by = item.parameter(columnNaming);
				return {
					...write,
					rows,
					key,
					names: namesOf(write.fields, by),
					row: rowWriter(write.fields, { by, only: option(outputColumns), hint }),
					full: item.parameter(returnFullEntity),
					several: option(whenSeveral),
				};
			},
			async perform({ grid, fields, values, rows, names, row, full, several }) {
				const found = await rows.matching(values);
				if (found.length === 0) {
					const sent = { ...values, _id: await rows.create(values) };
					const entity = full ? await readBack(context, client, grid, sent) : sent;
					return { ...row(entity), _outcome: 'created', _changes: [] };
				}
				const chosen = several === 'first' ? found.slice(0, 1) : found;
				if (several === 'fail' && found.length > 1) throw ambiguous(rows, values, found);
				const written: object[] = [];
				for (const entity of chosen) {
					const changed = differing(fields, entity, values);
					const { state, outcome } = await change(client, grid, entity, changed);
					const _changes = changesOf(names, entity, changed);
					written.push({ ...row(state), _outcome: outcome, _changes });
				}
				return written;
			},
			// Two items of one key would not see each other's row.
			turnOf: ({ key }) => key,
			inOrder: ofAll(keepOrder),
			unlocated: (write, error) => ({ ...unlocatedRow(write, error), _changes: [] }),
		});
		reader.tell(context);
		tellUnchanged(
			context,
			results.flatMap((result) => (result instanceof Error ? [] : result)),
		);
		return results;
	},
};

async function change(client: Client, grid: Grid, entity: Entity, changed: Values) {
	if (Object.keys(changed).length === 0) return { state: entity, outcome: 'unchanged' };
	return { state: await client.entities.update(grid, entity, changed), outcome: 'updated' };
}

function ambiguous(rows: KeyedRows, values: Values, found: readonly Entity[]): InvalidInput {
	const ids = found.slice(0, 20).map(({ _id }) => _id);
	return new InvalidInput(
		`${found.length} rows have ${rows.describe(values)}: ${ids.join(', ')}${found.length > ids.length ? ' …' : ''}`,
		'Remove the rows that are too many, add a key column that tells them apart, or choose otherwise in "When Several Rows Match".',
	);
}

/** Says how many rows were left alone, since no write shows in their history. */
function tellUnchanged({ hint }: Pick<ItemsContext, 'hint'>, rows: readonly Row[]): void {
	const unchanged = rows.filter((row) => '_outcome' in row && row._outcome === 'unchanged').length;
	if (unchanged > 0)
		hint(`Of ${rows.length} rows ${unchanged} had these values already: nothing was written to them.`);
}
