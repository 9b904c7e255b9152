import {
	type Client,
	type Entity,
	type Field,
	type Grid,
	NotFound,
	type Outcome,
	outcomeOf,
} from '../../../client';
import { performAll } from '../../shared/runner/bulk';
import type { KeyedRows } from '../keys/keyedRows';
import type { RowKey } from '../keys/keyColumns';
import { addedMeanwhile } from './checks';
import { storedOtherwise } from './differences';
import { changeOf, type InputRow, type Rules } from './plan';
import type { ChangedRow, EntityChange, RowChange } from './steps';

/** Carries out a change to a row that exists. */
export async function send(
	client: Client,
	grid: Grid,
	{ kind, entity, values }: EntityChange,
	fields: readonly Field[],
): Promise<ChangedRow> {
	if (kind === 'update') {
		const state = await client.entities.update(grid, entity, values);
		return { state, stored: storedOtherwise(fields, values, state) };
	}
	if (kind !== 'delete') return { state: entity };
	const removal = await outcomeOf(client.entities.remove(grid, entity));
	if (removal.state === 'done') return { state: entity };
	// A row that another writer has deleted is gone, as wanted.
	if (removal.error instanceof NotFound) return { state: entity, isGone: true };
	throw removal.error;
}

/** How a row that was found to be missing is created. */
interface Creation {
	keyed: KeyedRows;
	rules: Rules;
	/** Whether a row may be written to; any if omitted. */
	isInScope?: (row: Entity) => boolean;
	/** Finds the rows with its key once more. @param isChanged whether another run has written one */
	find: (key: RowKey, isChanged: boolean) => Promise<readonly Entity[]>;
}

/** Creates a row in its turn; if another run was faster, plans and writes that row instead. */
export async function createInTurn(
	row: InputRow & { key: RowKey },
	{ keyed, rules, isInScope, find }: Creation,
): Promise<ChangedRow> {
	const { key, values } = row;
	return await keyed.inTurn(key, async (isChanged) => {
		const matches = await find(key, isChanged);
		const [match] = matches;
		if (!match) return { id: await keyed.createOnce(key, values) };
		const isOutside = isInScope?.(match) === false;
		if (matches.length > 1 || isOutside)
			throw addedMeanwhile(keyed.keys.describeRows(key, matches), { isOutside });
		const instead = changeOf(row, match, rules);
		return { ...(await send(keyed.client, keyed.grid, instead, rules.fields)), instead };
	});
}

/**
 * Carries out the changes to a grid with adaptive concurrency.
 * @param create creates a row, or writes to one that was created meanwhile
 * @param inOrder whether rows are created one after another
 */
export async function carryOut<Change extends RowChange>(
	{ client, grid, fields }: KeyedRows,
	changes: readonly Change[],
	create: (change: Change) => Promise<ChangedRow>,
	inOrder: boolean,
): Promise<Array<Outcome<ChangedRow>>> {
	const ready = changes.map((value): Outcome<Change> => ({ state: 'done', value }));
	return await performAll<Change, ChangedRow>(client, ready, {
		perform: async (change) =>
			change.kind === 'create' ? await create(change) : await send(client, grid, change, fields),
		serialKey: ({ entity }) => entity?._id ?? (inOrder ? 'create' : undefined),
	});
}
