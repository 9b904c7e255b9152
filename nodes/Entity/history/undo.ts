import { type Client, type Entity, type Grid, InvalidInput, NotFound, outcomeOf } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { columnNaming } from '../../shared/inputs/output/outputOptions';
import { openGridWithFields } from '../../shared/inputs/pickers/chosenGrid';
import type { ItemContext } from '../../shared/runner/context';
import { changeLimit, stopAt } from '../writing/changeLimits';
import { writeItems, type ItemWrite } from '../writing/items';
import { writeOperation } from '../writing/runLog';
import { writing } from '../writing/settings';
import { changeRow, rowKey } from '../writing/steps';
import { newRow, type RowTarget } from '../writing/targets';
import { unlocatedRow } from '../writing/write';
import { valuesThatFit, ifUnfit } from './fitting';
import { PastChanges, recordedChange } from './pastChanges';

const changedSince = choice(
	'changedSince',
	'Values Changed Since',
	{
		keep: { name: 'Keep', description: 'What somebody has edited since stays, and a reason names it' },
		overwrite: { name: 'Overwrite', description: 'The earlier values are written all the same' },
	},
	{ default: 'keep', description: 'What happens to values that were changed after the changes to undo' },
);

/** The changes of a row, at the first item about it; later items add theirs. */
interface UndoWrite extends ItemWrite {
	entityId: string;
	past: PastChanges;
}

const wordsOf = (words: Readonly<Record<string, string>>) => new Map(Object.entries(words));
const DONE = wordsOf({ create: 'recreated', update: 'reverted', delete: 'removed', conflict: 'kept' });
const PLANNED = wordsOf({ create: 'recreate', update: 'revert', delete: 'remove', conflict: 'kept' });

export const undo = writeOperation({
	value: 'undo',
	name: 'Undo Changes',
	action: 'Undo changes of rows',
	description:
		'Take back what a write has done, value by value. Takes the output of a write, or the changes that Get Changes lists. A recreated row has a new ID.',
	fields: [changedSince, changeLimit],
	options: [columnNaming, ifUnfit, writing()],
	async runAll(context) {
		const { client } = context;
		const { parameter } = context.at(0);
		const overwrites = parameter(changedSince) === 'overwrite';
		const rows = new Map<string, UndoWrite>();
		const planOf = ({ past, fields }: UndoWrite, present: Entity | undefined) => {
			const change = past.undo(present, overwrites);
			if (change.kind !== 'create' && change.kind !== 'update') return change;
			const { values, reasons } = valuesThatFit(context.at(0), fields, change.values);
			return { ...change, values, reasons: [...(change.reasons ?? []), ...reasons] };
		};
		const prepare = async (item: ItemContext): Promise<UndoWrite[]> => {
			const { grid, fields } = await openGridWithFields(client, item.parameter);
			const record = recordedChange(item.item.json);
			const key = rowKey(grid, record.entityId);
			const shape = { row: item.rowWriter(fields), names: item.columnNames(fields) };
			const write: UndoWrite = {
				...{ grid, fields, values: {}, addsOptions: false, ...shape, entityId: record.entityId },
				past: rows.get(key)?.past ?? new PastChanges(fields, shape.names),
				target: rows.has(key) ? newRow : rowIfThere(client, grid, record.entityId),
				rules: { fields, names: shape.names, matched: 'keep' },
				plan: (matches) => [planOf(write, matches[0])],
			};
			write.past.add(record);
			// Several items about one row count as one change.
			if (rows.has(key)) return [{ ...write, plan: () => [] }];
			rows.set(key, write);
			return [write];
		};
		return await writeItems<UndoWrite>(context, {
			prepare,
			isCounted: true,
			refuse: () => {
				for (const { grid, past } of rows.values()) if (past.hasDeleted) client.entities.mayCreate(grid);
				const most = parameter(changeLimit);
				const excess = `${rows.size} rows were changed, more than "Refuse Above" allows (${most})`;
				const advice = 'Look at the plan with "Dry Run", then raise "Refuse Above".';
				const isTooMany = rows.size > most;
				stopAt(isTooMany ? new InvalidInput(excess, advice) : undefined, context.at(0));
			},
			create: async ({ grid }, values) => {
				const { id } = await client.entities.create(grid, values);
				return id === null ? {} : { id };
			},
			unlocated: (write, error) => {
				const { values } = planOf(write, undefined);
				return unlocatedRow({ row: write.row, values }, error);
			},
			output(write, change, done) {
				const _outcome = (done ? DONE : PLANNED).get(change.kind) ?? change.kind;
				const _reasons = change.reasons ?? [];
				return { ...changeRow(write, change, done), _id: done?.id ?? write.entityId, _outcome, _reasons };
			},
		});
	},
});

/** A row that may have been deleted. */
const rowIfThere = (client: Client, grid: Grid, entityId: string): RowTarget => ({
	...newRow,
	serialKey: entityId,
	matching: async () => {
		const reading = await outcomeOf(client.entities.get(grid, entityId));
		if (reading.state === 'done') return [reading.value];
		if (reading.error instanceof NotFound) return [];
		throw reading.error;
	},
});
