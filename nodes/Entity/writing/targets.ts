import { type Entity, type Grid, NotFound, outcomeOf } from '../../../client';
import { choice, type Choice } from '../../shared/inputs/choice';
import { dryRun } from '../../shared/inputs/options';
import { type Parameter, shownFor } from '../../shared/inputs/parameter';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import type { GridColumns } from '../../shared/rows/viewFit';
import type { ItemContext } from '../../shared/runner/context';
import { compareAs, comparedFields } from '../keys/compareAs';
import { CLEAN_UP, type KeyedGrids, type KeyedRows } from '../keys/keyedRows';
import type { RowKey } from '../keys/keyColumns';
import { keyValuesOf, matchBy } from '../keys/keyValues';
import { keepOldValues, onlyIfUnchanged } from './expectedValues';
import type { Rules } from './plan';
import type { Write } from './write';

/** The rows of the grid that an item concerns. */
export interface RowTarget {
	/** Items with the same text are written in the order of the items. */
	readonly serialKey: string | undefined;
	readonly rows?: KeyedRows;
	readonly key?: RowKey;
	/** The rows, if they are known without a request. */
	known(): readonly Entity[] | undefined;
	/** @param how `fresh` for a row as it is now, `beforeCreation` to look for a missing one again */
	matching(how?: 'fresh' | 'beforeCreation'): Promise<readonly Entity[]>;
	/** Writes while no other run of this process writes a row with the key. */
	inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
	/** Notes the rows that a write leaves, for later items. */
	remember(rows: readonly Entity[]): void;
	/** Awaits a write. @throws what it throws, naming the input that chooses the row */
	request<Value>(writing: Promise<Value>): Promise<Value>;
}

/** A new row, whatever the grid holds. */
export const newRow: RowTarget = {
	serialKey: undefined,
	known: () => undefined,
	matching: () => Promise.resolve([]),
	inTurn: (work) => work(),
	remember: () => undefined,
	request: (writing) => writing,
};

/**
 * A row that conditions have selected.
 * @param serialKey the row across grids
 * @param states of such rows as preceding items leave them
 */
export function selectedRow(serialKey: string, entity: Entity, states: Map<string, Entity>): RowTarget {
	const present = () => [states.get(serialKey) ?? entity];
	return {
		...newRow,
		serialKey,
		known: present,
		matching: () => Promise.resolve(present()),
		remember: ([state]) => {
			if (state) states.set(serialKey, state);
		},
	};
}

/** A row that an item chooses by its ID; it is read again for each item. */
function rowById({ client }: ItemContext, grid: Grid, picker: Parameter<string>, id: string): RowTarget {
	const request = async <Value>(writing: Promise<Value>) => await pickedBy(picker, writing);
	return {
		...newRow,
		serialKey: id,
		matching: async () => [await request(client.entities.get(grid, id))],
		request,
	};
}

export class RowsByKey implements RowTarget {
	constructor(
		readonly rows: KeyedRows,
		readonly key: RowKey,
	) {}

	get serialKey(): string {
		return this.key.text;
	}

	known(): readonly Entity[] | undefined {
		return this.rows.known(this.key);
	}

	async matching(how?: 'fresh' | 'beforeCreation'): Promise<readonly Entity[]> {
		const { rows, key } = this;
		if (how === 'beforeCreation') return await rows.matchingBeforeCreation(key);
		const matches = await rows.matching(key);
		const [only] = matches;
		if (how !== 'fresh' || !only || matches.length > 1) return matches;
		const reading = await outcomeOf(rows.client.entities.get(rows.grid, only._id));
		if (reading.state === 'done') return [reading.value];
		rows.forget(key);
		if (reading.error instanceof NotFound) return [];
		throw reading.error;
	}

	async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
		return await this.rows.inTurn(this.key, work);
	}

	remember(rows: readonly Entity[]): void {
		const created = this.rows.creations.rows.get(this.key.text);
		if (created) created.isMetAgain = true;
		this.rows.remember(
			this.key,
			rows.filter((row) => this.rows.keys.hasKey(row, this.key)),
		);
	}

	async request<Value>(writing: Promise<Value>): Promise<Value> {
		const outcome = await outcomeOf(writing);
		if (outcome.state === 'done') return outcome.value;
		// What became of the row is looked up by the next item with its key.
		this.rows.forget(this.key);
		throw outcome.error;
	}
}

/** The rows that an item chooses by key columns. @throws InvalidInput without a key value */
function rowsByKeyColumns(item: ItemContext, place: GridColumns, keyed: KeyedGrids): RowTarget {
	const { rows, values } = keyValuesOf(item, place, keyed);
	return new RowsByKey(rows, rows.keys.keyOf(values));
}

const NO_ROW = 'Check the values in "Key Columns". The row may have been deleted.';

/** The inputs of an operation that writes one row for each item. */
export class RowChoice {
	readonly fields: ReadonlyArray<Parameter<unknown>>;
	private readonly by: Choice<'rowId' | 'keyColumns'>;

	/** @param verb such as `Update` */
	constructor(
		verb: string,
		private readonly picker: Parameter<string>,
	) {
		this.by = choice(
			'rowBy',
			`${verb} By`,
			{
				rowId: { name: 'Row ID', description: 'The item has the ID of the row' },
				keyColumns: {
					name: 'Key Columns',
					description: 'The item has the values of columns that identify the row',
				},
			},
			{
				default: 'rowId',
				description: 'How to choose the row. Key Columns need no node that looks for the row first.',
			},
		);
		this.fields = [
			this.by,
			shownFor(picker, { rowBy: ['rowId'] }),
			shownFor(matchBy, { rowBy: ['keyColumns'] }),
		];
	}

	/** What an item writes to its row. @throws InvalidInput without a row or a key value */
	writeOf(
		item: ItemContext,
		{ grid, fields, values, addsOptions }: Pick<Write, 'grid' | 'fields' | 'values' | 'addsOptions'>,
		keyed: KeyedGrids,
		{ matched, columns }: Pick<Rules, 'matched' | 'columns'>,
	) {
		const expected = item.option(onlyIfUnchanged);
		/** Whether the output depends on what the row held. */
		const looks = expected !== undefined || columns !== undefined || item.option(keepOldValues);
		// The output of a deletion has the whole row.
		const compared = matched === 'delete' ? fields.map(({ id }) => id) : Object.keys(values);
		const needs = looks || item.parameter(dryRun) ? compared : [];
		// Read even if it does not matter, so that a wrong value is reported.
		const compareFields = comparedFields(item.option(compareAs), fields);
		const target =
			item.parameter(this.by) === 'rowId'
				? rowById(item, grid, this.picker, item.parameter(this.picker))
				: rowsByKeyColumns(item, { grid, fields: compareFields }, keyed);
		const { rows, key } = target;
		rows?.search.need(needs);
		const row = item.rowWriter(fields);
		const names = item.columnNames(fields);
		const rules: Rules = {
			...{ fields, names, matched, columns, keys: rows?.keys },
			...{ unmatched: { advice: NO_ROW }, several: { advice: CLEAN_UP } },
		};
		return { grid, fields, values, addsOptions, row, names, target, key, expected, rules, looks };
	}
}
