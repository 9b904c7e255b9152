import type { Client } from '../../../client';
import type { Entity, Values } from '../../../client/resources/entities';
import { InvalidInput } from '../../../client/errors';
import type { Grid } from '../../../client/resources/grids';
import { inBulk } from '../../shared/runner/bulk';
import { changeableGridFields } from '../../shared/inputs/chosenGrid';
import { columnMapper, keysOf } from '../../shared/inputs/columnMapper';
import { columnNaming, outputColumns, returnFullEntity } from '../../shared/inputs/outputOptions';
import type { ItemsContext, Row } from '../../shared/runner/context';
import { batchOperation } from '../../shared/runner/operation';
import { choice } from '../../shared/inputs/choice';
import { columnsToClear, keepOrder, requestsAtATime } from '../../shared/inputs/options';
import { KeyedGrids, type KeyedRows } from '../keyedRows';
import { changesOf, differing } from '../outcome';
import { settleOptions, unknownOptions } from '../unknownOptions';
import { readBack, unlocatedRow, WriteReader } from '../write';

const columns = columnMapper('upsert');
const whenSeveral = choice(
	'whenSeveral',
	'When Several Rows Match',
	{
		fail: { name: 'Fail', description: 'Write nothing for the item; the error lists the rows' },
		all: { name: 'Update All', description: 'Output one item per row' },
		first: { name: 'Update First', description: 'The first row in the order of the grid' },
	},
	{
		default: 'fail',
		description: 'What to do if the key columns of an item match more than one row',
	},
);

export const upsert = batchOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update row',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields: [...changeableGridFields, columns, returnFullEntity, columnNaming],
	options: [columnsToClear, keepOrder, outputColumns, requestsAtATime, unknownOptions, whenSeveral],
	async runAll(context) {
		const { client } = context;
		const reader = new WriteReader(columns);
		const keyed = new KeyedGrids(client);
		const results = await inBulk(context, {
			async prepare(item) {
				const { option } = item;
				const write = await reader.read(item, option(columnsToClear));
				client.entities.mayCreate(write.grid);
				const rows = keyed.of(write.grid, keysOf(write.mapping, write.fields));
				const key = rows.keyOf(write.values);
				return {
					...write,
					rows,
					key,
					names: item.columnNames(write.fields),
					row: item.rowWriter(write.fields),
					full: item.parameter(returnFullEntity),
					several: option(whenSeveral),
				};
			},
			begin: (all) => settleOptions(context, all),
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
			// Side by side, two items with the same key would not see each other's row.
			turnOf: ({ key }) => key,
			inOrder: context.at(0).option(keepOrder),
			unlocated: (write, error) => ({ ...unlocatedRow(write, error), _changes: [] }),
		});
		reader.showHints(context);
		hintUnchanged(
			context,
			results.flatMap((result) => (result instanceof Error ? [] : result)),
		);
		return results;
	},
});

async function change(client: Client, grid: Grid, entity: Entity, changed: Values) {
	if (Object.keys(changed).length === 0) return { state: entity, outcome: 'unchanged' };
	return { state: await client.entities.update(grid, entity, changed), outcome: 'updated' };
}

function ambiguous(rows: KeyedRows, values: Values, found: readonly Entity[]): InvalidInput {
	const ids = found.slice(0, 20).map(({ _id }) => _id);
	return new InvalidInput(
		`${found.length} rows have ${rows.describe(values)}: ${ids.join(', ')}${found.length > ids.length ? ' …' : ''}`,
		'Delete the duplicate rows, add a key column that tells them apart, or change "When Several Rows Match".',
	);
}

/** Reports rows that were not written, because their history shows no change. */
function hintUnchanged({ hint }: Pick<ItemsContext, 'hint'>, rows: readonly Row[]): void {
	const unchanged = rows.filter((row) => '_outcome' in row && row._outcome === 'unchanged').length;
	if (unchanged > 0)
		hint(`${unchanged} of ${rows.length} rows already had these values and were not written.`);
}
