import {
	type Client,
	CreatedUnlocated,
	type Entity,
	type Grid,
	mayBeThere,
	NotFound,
	outcomeOf,
	OutcomeUnknown,
	type Values,
} from '../../../client';
import type { RowKey } from './keyColumns';

/** Waits before each search for a new row that the service does not return yet, in milliseconds. */
const SEARCH_DELAYS_MS = [0, 500, 2000];

/** The same after no answer or a gateway's: the service may still be working on the creation. */
const LATE_SEARCH_DELAYS_MS = [...SEARCH_DELAYS_MS, 4000];

/** Attempts to create a row that was found to be missing. */
const MAX_CREATE_ATTEMPTS = 3;

/** A row that this run has created, or found after an unknown outcome. */
export interface CreatedRow {
	readonly key: RowKey;
	readonly id: string;
	/** Whether the service confirmed that this run created it. */
	readonly isOwn: boolean;
	/** As sent, by field id. */
	readonly values: Values;
	/** Whether a later item has the key, too, so that the row may hold other values. */
	isMetAgain?: boolean;
}

/** Creates the rows of keys, each once. */
export class Creations {
	/** Rows that this run has created, by key: a list may not have them yet. */
	readonly rows = new Map<string, CreatedRow>();
	/** Errors of creations whose row may exist or appear later, by key. */
	private readonly unconfirmed = new Map<string, OutcomeUnknown | CreatedUnlocated>();

	/** @param listed the rows with a key that a list of the grid has now */
	constructor(
		private readonly place: { client: Client; grid: Grid },
		private readonly listed: (key: RowKey) => Promise<readonly Entity[]>,
	) {}

	/**
	 * Creates a row without risking a duplicate: after an unknown outcome, searches for the row and
	 * repeats the request only if it is missing.
	 * @returns its id
	 * @throws OutcomeUnknown or CreatedUnlocated, also for each later item with the same key
	 */
	async create(key: RowKey, values: Values): Promise<string> {
		const unconfirmed = this.unconfirmed.get(key.text);
		if (unconfirmed) throw unconfirmed;
		for (let attempts = 1; ; attempts++) {
			const creating = await outcomeOf(this.send(values));
			if (creating.state === 'done') return this.keep({ key, id: creating.value, values, isOwn: true });
			const { error } = creating;
			if (!mayBeThere(error)) throw error;
			const search = mayBeRepeated(error)
				? await outcomeOf(this.awaited(async () => (await this.listed(key))[0], searchDelays(error)))
				: undefined;
			if (search?.state === 'done' && search.value)
				return this.keep({ key, id: search.value._id, values, isOwn: false });
			if (search?.state === 'done' && attempts < MAX_CREATE_ATTEMPTS) continue;
			this.unconfirmed.set(key.text, error);
			throw error;
		}
	}

	/** The row that this run has created for a key, if it is still there. */
	async rowOf({ text }: RowKey): Promise<Entity | undefined> {
		const created = this.rows.get(text);
		if (!created) return undefined;
		const { client, grid } = this.place;
		return await this.awaited(async () => {
			const reading = await outcomeOf(client.entities.get(grid, created.id));
			if (reading.state === 'done') return reading.value;
			if (reading.error instanceof NotFound) return undefined;
			throw reading.error;
		}, SEARCH_DELAYS_MS);
	}

	private async send(values: Values): Promise<string> {
		const { client, grid } = this.place;
		const { id, href } = await client.entities.create(grid, values);
		if (id !== null) return id;
		throw new CreatedUnlocated(`The address ${href} does not contain the row's ID`, {});
	}

	private keep(row: CreatedRow): string {
		this.rows.set(row.key.text, row);
		return row.id;
	}

	/** Looks for a row several times, with waits in between. */
	private async awaited(
		look: () => Promise<Entity | undefined>,
		delays: readonly number[],
	): Promise<Entity | undefined> {
		for (const wait of delays) {
			if (wait > 0) await this.place.client.session.limiter.waitWithoutSlot(wait);
			const row = await look();
			if (row) return row;
		}
		return undefined;
	}
}

/** Whether to repeat a creation whose row is missing; below 400 it may still appear. */
const mayBeRepeated = (error: OutcomeUnknown | CreatedUnlocated): boolean =>
	error instanceof OutcomeUnknown && (error.facts.status ?? 500) >= 400;

const searchDelays = ({ facts: { status = 504 } }: OutcomeUnknown | CreatedUnlocated) =>
	status === 504 ? LATE_SEARCH_DELAYS_MS : SEARCH_DELAYS_MS;
