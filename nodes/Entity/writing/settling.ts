import { type Entity, isWritable, NotFound, outcomeOf, ownMember, type Values } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { isEmptyCell } from '../../shared/rows/values';
import type { ItemContext, ItemsContext, Result } from '../../shared/runner/context';
import { differing, storedOtherwise, type StoredValue } from './differences';
import { storedMember } from './steps';
import { StoredValues } from './storedValues';
import type { CreatedRow } from '../keys/creations';
import type { RowKey } from '../keys/keyColumns';
import { CLEAN_UP, type KeyedGrids, type KeyedRows } from '../keys/keyedRows';

/** Another run may just have looked for a key, and be about to create its row. */
export const FIRST_LOOK_DELAY_MS = 1000;

/** Waits before each look for duplicates, in milliseconds: another run may be settling them. */
const LOOK_DELAYS_MS = [FIRST_LOOK_DELAY_MS, 1000, 2000];

export const duplicatesMadeMeanwhile = choice(
	'duplicatesMadeMeanwhile',
	'Duplicates Made Meanwhile',
	{
		report: { name: 'Report', description: 'Name them in the items and in a hint' },
		settle: {
			name: 'Settle',
			description: 'Delete the rows that this run has made, if they are unchanged; name the others',
		},
	},
	{
		default: 'settle',
		description:
			'What to do with rows that another process created with the same key during the run. Whichever is chosen, a run that has created rows looks for their keys once more at its end, a second later.',
	},
);

/** What became of a created row whose key exists twice. */
export interface Settlement {
	/** `settled`: the row was deleted, and `id` stays. */
	outcome: 'settled' | 'duplicate';
	id: string;
	reason: string;
}

interface SettlingSettings {
	/** Whether the row that stays gets the values of the deleted one. */
	writesValues: boolean;
	/** Whether a row of another run may be changed; any if omitted. */
	mayChange?: ((row: Entity) => boolean) | undefined;
}

/**
 * Looks once more for the keys of created rows. If a key exists twice, the row with the smaller id
 * stays, whoever looks; a run deletes only rows that it has created and nobody has changed.
 * @param results of the operation
 * @returns the same, with the rows of duplicate keys named
 */
export async function settled(
	context: ItemsContext,
	results: ReadonlyArray<Result | Error>,
	keyed: Pick<KeyedGrids, 'all'>,
	settings: SettlingSettings,
): Promise<Array<Result | Error>> {
	const stored: StoredRows = new Map();
	const item = context.at(0);
	const settlements = await settlementsOf(item, keyed.all, settings, stored);
	if (settlements.size + stored.size === 0) return [...results];
	const { columnNames } = item;
	const completed = (row: object) => {
		const { rows, values } = stored.get(String(ownMember(row, '_id'))) ?? {};
		return named(rows ? { ...row, ...storedMember(columnNames(rows.fields), values) } : row, settlements);
	};
	return results.map((result) => {
		if (result instanceof Error) return result;
		return Array.isArray(result) ? result.map(completed) : completed(result);
	});
}

/** What the service stored otherwise in created rows, by their ids. */
type StoredRows = Map<string, { rows: KeyedRows; values: StoredValue[] }>;

/**
 * What became of created rows whose keys exist twice, by their ids; hints name them.
 * @param stored receives what the service stored otherwise
 */
export async function settlementsOf(
	{ hint, option }: Pick<ItemContext, 'hint' | 'option'>,
	written: readonly KeyedRows[],
	settings: SettlingSettings,
	stored: StoredRows = new Map(),
): Promise<ReadonlyMap<string, Settlement>> {
	const duplicates = option(duplicatesMadeMeanwhile);
	const settlements = new Map<string, Settlement>();
	for (const one of written) {
		const looking = await outcomeOf(new Settling(one, { ...settings, duplicates }, stored).run(settlements));
		if (looking.state === 'failed') hintUnchecked(hint, looking.error);
		else if (looking.value) hint(looking.value, 'warning');
	}
	const otherwise = new StoredValues();
	for (const { values } of stored.values()) otherwise.add(values);
	otherwise.showHints(hint, ' in new rows');
	showHints(hint, [...settlements.values()]);
	return settlements;
}

export function hintUnchecked(hint: ItemsContext['hint'], error: unknown): void {
	const reason = error instanceof Error ? error.message : String(error);
	hint(`Whether others created rows with the same keys could not be checked: ${reason}`, 'warning');
}

function named(row: object, settlements: ReadonlyMap<string, Settlement>): object {
	const settlement = settlements.get(String(ownMember(row, '_id')));
	if (!settlement) return row;
	const { id, outcome, reason } = settlement;
	return { ...row, _id: id, _outcome: outcome, _reasons: [reason] };
}

function showHints(hint: ItemsContext['hint'], settlements: readonly Settlement[]): void {
	const duplicates = settlements.filter(({ outcome }) => outcome === 'duplicate');
	const count = settlements.length - duplicates.length;
	if (count > 0)
		hint(
			`Another run created ${count === 1 ? 'a row' : `${count} rows`} with the same key at the same time; settled.`,
		);
	const [first] = duplicates;
	if (first)
		hint(
			`${duplicates.length === 1 ? 'A key exists' : `${duplicates.length} keys exist`} twice: ${first.reason}. ${CLEAN_UP}`,
			'warning',
		);
}

/** Settles the duplicates of one grid. */
class Settling {
	constructor(
		private readonly rows: KeyedRows,
		private readonly settings: SettlingSettings & { duplicates: 'report' | 'settle' },
		private readonly stored: StoredRows,
	) {}

	/**
	 * @param settlements receives what became of created rows, by their ids
	 * @returns a warning if the service stores keys otherwise than they were sent
	 */
	async run(settlements: Map<string, Settlement>): Promise<string | undefined> {
		const { rows } = this;
		const { client } = rows;
		let pending: readonly CreatedRow[] = [...rows.creations.rows.values()];
		let warning: string | undefined;
		for (const [look, wait] of LOOK_DELAYS_MS.entries()) {
			if (pending.length === 0) break;
			await client.session.limiter.waitWithoutSlot(wait);
			await rows.lookAgain(pending.map(({ key }) => key));
			const foundFor = ({ key }: CreatedRow) => rows.known(key) ?? [];
			const isDuplicate = (row: CreatedRow) => foundFor(row).length > 1;
			const isFirst = look === 0;
			if (isFirst) warning = await this.changedKey(pending.find((row) => foundFor(row).length === 0));
			if (isFirst) for (const row of pending) this.compare(row, foundFor(row));
			const duplicates = pending.filter(isDuplicate);
			const settling = isFirst ? duplicates : [];
			const { outcomes } = await client.session.limiter.run(settling, async (row) => {
				const settlement = await this.settle(row, foundFor(row));
				if (settlement) settlements.set(row.id, settlement);
			});
			const failure = outcomes.find((outcome) => outcome.state === 'failed');
			if (failure) throw failure.error;
			if (look === LOOK_DELAYS_MS.length - 1)
				for (const row of duplicates) settlements.set(row.id, this.duplicate(row.key, row.id, foundFor(row)));
			// A creation with an unknown outcome may be carried out later, beside the row that was found.
			pending = pending.filter((row) => !settlements.has(row.id) && (isDuplicate(row) || !row.isOwn));
		}
		return warning;
	}

	/** Compares a created row with what was sent: its list has been read anyway. */
	private compare({ id, values: sent, isMetAgain }: CreatedRow, matches: readonly Entity[]): void {
		const { rows } = this;
		const own = matches.find(({ _id }) => _id === id);
		const values = own && !isMetAgain ? storedOtherwise(rows.fields, sent, own) : [];
		if (values.length > 0) this.stored.set(id, { rows, values });
	}

	/** A service may cut, round or clean a value, or write it in lower case. */
	private async changedKey(created: CreatedRow | undefined): Promise<string | undefined> {
		if (!created) return undefined;
		const { rows } = this;
		const { client, grid } = rows;
		const reading = await outcomeOf(client.entities.get(grid, created.id));
		// Its list may not have the row yet.
		const isSame = reading.state === 'failed' || rows.keys.hasKey(reading.value, created.key);
		if (isSame) return undefined;
		return `The service stored ${rows.keys.describe(created.key.values)} as ${rows.keys.describe(reading.value)}: another run will not find the row and creates it again. Write the key as the service stores it.`;
	}

	/** @returns undefined if the row stays, at least for now */
	private async settle(
		{ key, id, values, isOwn }: CreatedRow,
		found: readonly Entity[],
	): Promise<Settlement | undefined> {
		const { rows } = this;
		const { client, grid, fields } = rows;
		const [stays] = [...found].sort((one, other) => (one._id < other._id ? -1 : 1));
		const { duplicates, writesValues, mayChange } = this.settings;
		if (duplicates === 'report' || !isOwn || !stays || stays._id === id) return undefined;
		if (mayChange?.(stays) === false) return undefined;
		const own = await outcomeOf(client.entities.get(grid, id));
		if (own.state === 'failed' || !this.isUnchanged(own.value, values)) return undefined;
		const changed = writesValues ? differing(fields, stays, values) : {};
		const keeping = await outcomeOf(
			Object.keys(changed).length > 0
				? client.entities.update(grid, stays, changed)
				: client.entities.get(grid, stays._id),
		);
		// A row that is gone, or may not be written, is no reason to delete the own one.
		if (keeping.state === 'failed') return undefined;
		const removal = await outcomeOf(client.entities.remove(grid, own.value));
		if (removal.state === 'failed' && !(removal.error instanceof NotFound)) return undefined;
		const reason = `Another run created a row with ${rows.keys.describe(key.values)} at the same time: row ${stays._id} stays, row ${id} was deleted`;
		return { outcome: 'settled', id: stays._id, reason };
	}

	/** Whether a row holds exactly what this run has written to it. */
	private isUnchanged(row: Entity, values: Values): boolean {
		const { fields } = this.rows;
		if (Object.keys(differing(fields, row, values, true)).length > 0) return false;
		return fields.every((field) => {
			if (!isWritable(field) || Object.hasOwn(values, field.id)) return true;
			const value = ownMember(row, field.id);
			return isEmptyCell(value) || value === false;
		});
	}

	private duplicate(key: RowKey, id: string, matches: readonly Entity[]): Settlement {
		const reason = `${matches.length} rows have ${this.rows.keys.describeRows(key, matches)}`;
		return { outcome: 'duplicate', id, reason };
	}
}
