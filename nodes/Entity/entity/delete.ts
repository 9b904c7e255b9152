import type { Entity } from '../../../client';
import { changeableGrid } from '../../shared/inputs/pickers/chosenGrid';
import { dryRun } from '../../shared/inputs/options';
import { removableEntityPicker } from '../../shared/inputs/pickers/entity';
import type { BulkWork } from '../../shared/runner/bulk';
import { batchOperation } from '../../shared/runner/operation';
import { noteState, RowChoice, rowOf, type ChosenRow } from '../writing/chosenRow';
import { compareAs } from '../keys/compareAs';
import { findRows } from '../keys/findRows';
import { KeyedGrids } from '../keys/keyedRows';
import { RowsInDryRun, writeItems } from '../writing/dryRuns';
import { conflictsOf, keepOldValues, onlyIfUnchanged } from '../writing/expectedValues';
import { changeRow, type ChangeShape, type EntityChange, type Unwritten } from '../writing/steps';
import type { Writing } from '../writing/unknownOptions';

/** One item, read and checked. */
interface Deletion extends Writing, ChangeShape {
	chosen: ChosenRow;
	/** What the row must still hold. */
	expected: ReturnType<typeof onlyIfUnchanged.read>;
	/** Whether to output what the row held. */
	keepsOld: boolean;
}

const rowChoice = new RowChoice('Delete', removableEntityPicker);

export const deleteEntity = batchOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete row',
	description: 'Delete a row of a grid permanently, by its ID or key columns',
	fields: [...changeableGrid.fields, ...rowChoice.fields, dryRun],
	options: [compareAs, findRows, keepOldValues, onlyIfUnchanged],
	async runAll(context) {
		const { client } = context;
		const keyed = new KeyedGrids(client);
		const held = new RowsInDryRun(async (grid, id) => await client.entities.get(grid, id));
		const work: BulkWork<Deletion> = {
			async prepare(item) {
				const { grid, fields } = await changeableGrid.open(client, item.parameter);
				const shape = { row: item.rowWriter(fields), names: item.columnNames(fields) };
				const chosen = rowChoice.of(item, { grid, fields }, keyed);
				const expected = item.option(onlyIfUnchanged);
				const keepsOld = item.option(keepOldValues);
				return { grid, fields, ...shape, chosen, values: {}, addsOptions: false, expected, keepsOld };
			},
			...rowChoice.before(context, held, 'remove'),
			async perform(deletion) {
				const { grid, chosen, expected, keepsOld } = deletion;
				const entity =
					expected || keepsOld ? await rowChoice.present(client, deletion, Boolean(expected)) : undefined;
				const change = entity && plannedDeletion(deletion, entity);
				if (change?.kind === 'conflict') return changeRow(change, deletion, {});
				const row = entity ?? (await rowOf(chosen));
				await rowChoice.request(chosen, client.entities.remove(grid, row));
				noteState(chosen, undefined);
				if (!change) return { deleted: true, _id: typeof row === 'string' ? row : row._id };
				return { deleted: true, ...changeRow(change, deletion, {}) };
			},
		};
		return await writeItems(context, work, async (deletion) => {
			const { grid, chosen } = deletion;
			const entity = await held.get(grid, await rowOf(chosen));
			const change = plannedDeletion(deletion, entity);
			if (change.kind === 'delete') {
				held.set(grid, entity, undefined);
				noteState(chosen, undefined);
			}
			return [change];
		});
	},
});

/** The deletion of a row, unless it no longer holds what the item says. */
function plannedDeletion({ expected = [], ...shape }: Deletion, entity: Entity): EntityChange | Unwritten {
	const reasons = conflictsOf(expected, shape, entity);
	return reasons.length > 0
		? { kind: 'conflict', entity, values: {}, reasons }
		: { kind: 'delete', entity, values: {} };
}
