import type { Client } from '../../client';
import type { Created } from '../../client/created';
import type { Entity, Values } from '../../client/entities';
import { CreatedUnlocated, InvalidInput, OutcomeUnknown } from '../../client/errors';
import type { Field } from '../../client/fields';
import type { Grid } from '../../client/grids';
import { outcomeOf } from '../../client/limiter';
import { canonicalKey } from '../shared/equality';
import { shown } from '../shared/parameter';

/** More than so many rows of one key are not needed to say that there are several. */
const MATCHES_READ = 20;

/** Milliseconds before each look for a row whose creation has an unknown outcome: it may still be on its way. */
const LOOKS = [0, 500, 2000];

/** How often a row that surely is not there is sent anew. */
const CREATIONS = 3;

/** What became of a row that was to be created. */
export type CreatedRow = ({ outcome: 'created' } & Created) | { outcome: 'existing'; entity: Entity };

/** The rows of a grid as key columns tell them apart. */
export class KeyedRows {
	private readonly turns = new Map<string, Promise<unknown>>();

	constructor(
		private readonly client: Client,
		private readonly grid: Grid,
		private readonly keys: readonly Field[],
	) {}

	/** The key of values, one text for all spellings. @throws InvalidInput where a key column has no value */
	keyOf(values: Values): string {
		for (const field of this.keys)
			if ((values[field.id] ?? null) === null)
				throw new InvalidInput(
					`"${field.name}" is a key column, and there is no value for it`,
					`Give "${field.name}" a value in each item, or choose other key columns.`,
				);
		return canonicalKey(this.keys, values);
	}

	/** Runs work on rows of one key one after the other: two items of the same key would not see each other's row. */
	async inTurn<Result>(values: Values, work: () => Promise<Result>): Promise<Result> {
		const key = this.keyOf(values);
		const before = this.turns.get(key) ?? Promise.resolve();
		const turn = outcomeOf(before).then(work);
		this.turns.set(key, outcomeOf(turn));
		return await turn;
	}

	/** The rows with the key of some values, by `$eq` (§2.8). @throws InvalidInput where the service does not filter */
	async matching(values: Values): Promise<Entity[]> {
		const filter = Object.fromEntries(this.keys.map(({ id }) => [id, { $eq: values[id] }]));
		const { items } = await this.client.entities.many(this.grid, { filter }, MATCHES_READ);
		const key = this.keyOf(values);
		const found = items.filter((entity) => canonicalKey(this.keys, entity) === key);
		if (found.length > 0 || items.length < MATCHES_READ) return found;
		throw new InvalidInput(
			`The service did not filter "${this.grid.name}" by ${this.describe(values)}`,
			'Choose key columns of another type: the service compares these in a way of its own.',
		);
	}

	/**
	 * Creates a row of which there must not be a second one. Where its outcome or address is unknown, the row is looked for, and sent
	 * anew only if it is not there.
	 * @throws OutcomeUnknown where the service gave no answer again and again, CreatedUnlocated where it made a row that cannot be found
	 */
	async create(values: Values): Promise<string> {
		for (let creations = 1; ; creations++) {
			const outcome = await outcomeOf(this.client.entities.create(this.grid, values));
			if (outcome.state === 'done' && outcome.value.id !== null) return outcome.value.id;
			const error = outcome.state === 'done' ? unidentified(outcome.value) : outcome.error;
			const isThere = error instanceof CreatedUnlocated;
			if (!isThere && !(error instanceof OutcomeUnknown)) throw error;
			const found = await this.lookAgain(values);
			if (found) return found._id;
			if (isThere || creations === CREATIONS) throw error;
		}
	}

	/** Creates a row unless there is one with its key already. */
	async createOnce(values: Values): Promise<CreatedRow> {
		return await this.inTurn(values, async () => {
			const [entity] = await this.matching(values);
			if (entity) return { outcome: 'existing', entity };
			return { outcome: 'created', id: await this.create(values), href: '' };
		});
	}

	/** The key in words, e.g. `Order "A-1"`. */
	describe(values: Values): string {
		return this.keys.map((field) => `${field.name} ${shown(values[field.id])}`).join(', ');
	}

	private async lookAgain(values: Values): Promise<Entity | undefined> {
		for (const wait of LOOKS) {
			if (wait > 0) await this.client.session.limiter.rest(wait);
			const [found] = await this.matching(values);
			if (found) return found;
		}
		return undefined;
	}
}

/** The service tells where the new row is, and its id not even there: the row is found by its key. */
function unidentified({ href }: Created): CreatedUnlocated {
	return new CreatedUnlocated(`${href} does not tell the id of the row`, {});
}

/** One `KeyedRows` for each grid and set of keys of an execution, so that items of one key take turns. */
export class KeyedGrids {
	private readonly known = new WeakMap<Grid, Map<string, KeyedRows>>();

	constructor(private readonly client: Client) {}

	of(grid: Grid, keys: readonly Field[]): KeyedRows {
		const ofGrid = this.known.get(grid) ?? new Map<string, KeyedRows>();
		this.known.set(grid, ofGrid);
		const name = JSON.stringify(keys.map(({ id }) => id));
		const rows = ofGrid.get(name) ?? new KeyedRows(this.client, grid, keys);
		ofGrid.set(name, rows);
		return rows;
	}
}
