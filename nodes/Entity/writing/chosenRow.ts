import {
	type Client,
	type Entity,
	type Field,
	type Grid,
	InvalidInput,
	NotFound,
	outcomeOf,
} from '../../../client';
import { choice, type Choice } from '../../shared/inputs/choice';
import { type Parameter, shownFor } from '../../shared/inputs/parameter';
import { dryRun } from '../../shared/inputs/options';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import type { BulkWork } from '../../shared/runner/bulk';
import type { ItemContext, ItemsContext } from '../../shared/runner/context';
import type { RowsInDryRun } from './dryRuns';
import { compareAs, comparedFields } from '../keys/compareAs';
import { findRows } from '../keys/findRows';
import { CLEAN_UP, type KeyedGrids, type KeyedRows, readAllAhead, type RowKey } from '../keys/keyedRows';
import { keyValuesOf, matchBy } from '../keys/keyValues';

/** The row that an item chooses, by its id or by a key. */
export type ChosenRow = { entityId: string; rows?: undefined; key?: undefined } | RowByKey;

interface RowByKey {
	entityId?: undefined;
	rows: KeyedRows;
	key: RowKey;
}

interface RowToWrite {
	grid: Grid;
	chosen: ChosenRow;
}

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

	/** The row of an item. @throws InvalidInput if no row is chosen, or a key column has no value */
	of(item: ItemContext, target: { grid: Grid; fields: Field[] }, keyed: KeyedGrids): ChosenRow {
		// Read even if it does not matter, so that a wrong value is reported.
		const fields = comparedFields(item.option(compareAs), target.fields);
		if (item.parameter(this.by) === 'rowId') return { entityId: item.parameter(this.picker) };
		const { rows, values } = keyValuesOf(item, { ...target, fields }, keyed);
		return { rows, key: rows.keyOf(values) };
	}

	/**
	 * How the rows of all items are found and checked before the first write.
	 * @param link of a row to write
	 */
	before(
		context: ItemsContext,
		held: RowsInDryRun,
		link: 'update' | 'remove',
	): Pick<BulkWork<RowToWrite>, 'begin' | 'check'> &
		Required<Pick<BulkWork<RowToWrite>, 'needsCheck' | 'serialKey'>> {
		const { client } = context;
		const isDry = context.at(0).parameter(dryRun);
		return {
			begin: async (all) => {
				const rows = all.map(({ chosen }) => chosen);
				await readAllAhead(rows, context.at(0).option(findRows));
			},
			check: async ({ grid, chosen }) => {
				const row = await rowOf(chosen);
				if (!isDry) return;
				const entity = await this.request(chosen, held.get(grid, row));
				await client.entities.writeLink(grid, entity, link);
			},
			needsCheck: ({ chosen }) => isDry || chosen.rows !== undefined,
			// Items with the same key see what the preceding ones have written.
			serialKey: ({ chosen: { entityId, key } }) => entityId ?? key?.text,
		};
	}

	/**
	 * The row as it is before it is written.
	 * @param isFresh whether a row that was found by its key is read again
	 */
	async present(client: Client, { grid, chosen }: RowToWrite, isFresh: boolean): Promise<Entity> {
		const row = await rowOf(chosen);
		if (typeof row !== 'string' && !isFresh) return row;
		const id = typeof row === 'string' ? row : row._id;
		return await this.request(chosen, client.entities.get(grid, id));
	}

	/** Awaits a request for the row. @throws NotFound, InvalidInput naming the input of the row */
	async request<Value>(chosen: ChosenRow, work: Promise<Value>): Promise<Value> {
		if (!chosen.rows) return await pickedBy(this.picker, work);
		const outcome = await outcomeOf(work);
		if (outcome.state === 'done') return outcome.value;
		// What became of the row is looked up by the next item with its key.
		chosen.rows.forget(chosen.key);
		throw outcome.error instanceof NotFound ? noRow(chosen) : outcome.error;
	}
}

/** The id of a row, or the only row with a key. @throws InvalidInput */
export async function rowOf(chosen: ChosenRow): Promise<string | Entity> {
	if (!chosen.rows) return chosen.entityId;
	const { rows, key } = chosen;
	const matchingRows = await rows.matching(key);
	const refusal = rows.refusalOf(key, matchingRows, { several: CLEAN_UP });
	if (refusal) throw refusal;
	const [row] = matchingRows;
	if (!row) throw noRow(chosen);
	return row;
}

/** Notes the state of a row for later items with its key. @param state undefined if deleted */
export function noteState({ rows, key }: ChosenRow, state: Entity | undefined): void {
	rows?.remember(key, state && rows.hasKey(state, key) ? [state] : []);
}

const noRow = ({ rows, key }: RowByKey) =>
	new InvalidInput(
		`No row has ${rows.describe(key.values)}`,
		'Check the values in "Key Columns". The row may have been deleted.',
	);
