import { changeableGridFields } from '../../shared/inputs/pickers/chosenGrid';
import { columnMapper } from '../../shared/inputs/columns/columnMapper';
import { columnsToClear, dryRun } from '../../shared/inputs/options';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import { columnNaming, outputColumns, simplify } from '../../shared/inputs/output/outputOptions';
import { updatableEntityPicker } from '../../shared/inputs/pickers/entity';
import type { Entity, Values } from '../../../client';
import type { BulkWork } from '../../shared/runner/bulk';
import { batchOperation } from '../../shared/runner/operation';
import { noteState, RowChoice, rowOf, type ChosenRow } from '../writing/chosenRow';
import { compareAs } from '../keys/compareAs';
import { findRows } from '../keys/findRows';
import { KeyedGrids } from '../keys/keyedRows';
import { RowsInDryRun, writeItems } from '../writing/dryRuns';
import { columnRulesOfUpdate, rulesById } from '../writing/columnRules';
import { keepOldValues, onlyIfUnchanged } from '../writing/expectedValues';
import { changeRow, type ChangeShape, type EntityChange, type Unwritten } from '../writing/steps';
import { planRow, type Rules } from '../writing/plan';
import { unknownOptions } from '../writing/unknownOptions';
import { requireValues, WriteReader, type Write } from '../writing/write';

/** One item, read and checked. */
interface UpdateWrite extends Write, ChangeShape {
	chosen: ChosenRow;
	/** What the row must still hold. */
	expected: ReturnType<typeof onlyIfUnchanged.read>;
	/** Whether to output what the row held. */
	keepsOld: boolean;
	rules: Rules;
	/** Whether a rule concerns what the row holds. */
	hasRules: boolean;
	represent: (entity: Entity) => object;
}

const columns = columnMapper('update');
const rowChoice = new RowChoice('Update', updatableEntityPicker);

const WITHOUT_VALUES =
	'Map a value to at least one column; with automatic mapping, name the fields of the item like the columns.';

function withoutValues(count: number, items: number): string {
	return `Items without a value for any column: ${count} of ${items}. Their rows stay as they are.`;
}

export const update = batchOperation({
	value: 'update',
	name: 'Update',
	action: 'Update row',
	description:
		'Change values of a row by its ID or key columns; columns without a mapped value stay as they are',
	fields: [...changeableGridFields, ...rowChoice.fields, columns, dryRun],
	options: [
		columnRulesOfUpdate,
		columnsToClear,
		compareAs,
		findLinkedRowsBy,
		findRows,
		keepOldValues,
		columnNaming,
		onlyIfUnchanged,
		outputColumns,
		simplify,
		unknownOptions,
	],
	async runAll(context) {
		const { client } = context;
		const reader = new WriteReader(context, columns);
		let unchanged = 0;
		const keyed = new KeyedGrids(client);
		const held = new RowsInDryRun(async (grid, id) => await client.entities.get(grid, id));
		const work: BulkWork<UpdateWrite> = {
			async prepare(item) {
				const write = await reader.read(item, item.option(columnsToClear));
				if (Object.keys(write.values).length === 0) {
					if (write.unknown.length > 0) requireValues(write, WITHOUT_VALUES);
					unchanged++;
				}
				const chosen = rowChoice.of(item, write, keyed);
				const shape = { row: item.rowWriter(write.fields), names: item.columnNames(write.fields) };
				const expected = item.option(onlyIfUnchanged);
				const keepsOld = item.option(keepOldValues);
				const { fields } = write;
				const given = item.option(columnRulesOfUpdate);
				const hasRules = given.length > 0;
				const rules: Rules = {
					...{ fields, names: shape.names, matched: 'update', unmatched: 'skip', several: 'all' },
					columns: rulesById(given, fields),
				};
				const represent = item.entityWriter(write.fields);
				return { ...write, ...shape, chosen, represent, expected, keepsOld, rules, hasRules };
			},
			...rowChoice.before(context, held, 'update'),
			async perform(write) {
				const { grid, chosen, values, represent, expected, keepsOld, hasRules } = write;
				// §4.5: the response is the entity in its new state.
				const updated = async (of: string | Entity, changed: Values) => {
					const state = await rowChoice.request(chosen, client.entities.update(grid, of, changed));
					noteState(chosen, state);
					return state;
				};
				if (!expected && !keepsOld && !hasRules) return represent(await updated(await rowOf(chosen), values));
				const entity = await rowChoice.present(client, write, expected !== undefined);
				const change = plannedChange(write, entity);
				const state = change.kind === 'update' ? await updated(entity, change.values) : change.entity;
				return changeRow(change, write, { state });
			},
		};
		const results = await writeItems(context, work, async (write) => {
			const { grid, chosen } = write;
			const entity = await held.get(grid, await rowOf(chosen));
			const change = plannedChange(write, entity);
			const state = { ...entity, ...change.values };
			held.set(grid, entity, state);
			noteState(chosen, state);
			return [change];
		});
		reader.showHints(context);
		if (unchanged > 0) context.hint(withoutValues(unchanged, context.items.length), 'warning');
		return results;
	},
});

/** The change to a row, unless it no longer holds what the item says. */
function plannedChange({ expected, values, rules }: UpdateWrite, entity: Entity): EntityChange | Unwritten {
	const [change] = planRow({ values, expected }, [entity], rules);
	if (!change?.entity) throw new Error('A row that exists has no change');
	return change;
}
