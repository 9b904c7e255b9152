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
import { rowKey, type ChangedRow, type EntityChange, type RowChange } from './steps';

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

interface Execution<Change> {
	/** Columns of the grid, with the rules by which they are compared. */
	fields: readonly Field[];
	/** Creates a row, or writes to one that was created meanwhile. */
	create: (change: Change) => Promise<ChangedRow>;
	/** Whether rows are created one after another. */
	inOrder?: boolean;
}

/** Carries out changes with adaptive concurrency; changes to the same row run in order. */
export async function carryOut<Change extends RowChange & { grid: Grid }>(
	client: Client,
	changes: readonly Change[],
	{ fields, create, inOrder = false }: Execution<Change>,
): Promise<Array<Outcome<ChangedRow>>> {
	const ready = changes.map((value): Outcome<Change> => ({ state: 'done', value }));
	return await performAll<Change, ChangedRow>(client, ready, {
		resultWithoutRequest: ({ kind, entity }) => (kind === 'unchanged' ? { state: entity } : undefined),
		perform: async (change) =>
			change.kind === 'create' ? await create(change) : await send(client, change.grid, change, fields),
		serialKey: ({ grid, entity }) => (entity ? rowKey(grid, entity._id) : inOrder ? 'create' : undefined),
	});
}
