import type { Client } from '../../../client';
import { addToGroup } from '../../../client/formats/grouping';
import type { Entity } from '../../../client/resources/entities';
import type { Field } from '../../../client/resources/fields';
import type { Grid } from '../../../client/resources/grids';
import { outcomeOf } from '../../../client/http/limiter';
import { canonicalKey } from '../../shared/rows/equality';
import { unstableListError } from '../../shared/rows/unstableListError';
import { KeyNotation } from './keyNotation';

/** Row ids by key, each list in the order of the grid. */
type IdsByKey = Map<string, string[]>;

/** The ids of all rows of a grid by key, for keys that the service cannot filter by. */
export class KeyIndex {
	private current: Promise<IdsByKey> | undefined;
	private next: Promise<IdsByKey> | undefined;

	constructor(
		private readonly client: Client,
		private readonly grid: Grid,
		private readonly keys: readonly Field[],
	) {}

	/** @param isFresh whether to read the grid again */
	async find(key: string, isFresh = false): Promise<string[]> {
		const read = await (isFresh ? this.readAgain() : (this.current ?? this.read()));
		return read.get(key) ?? [];
	}

	/** Calls made during a read share the next one. */
	private async readAgain(): Promise<IdsByKey> {
		this.next ??= outcomeOf<unknown>(this.current ?? Promise.resolve()).then(() => {
			this.next = undefined;
			return this.read();
		});
		return await this.next;
	}

	private read(): Promise<IdsByKey> {
		const reading = this.readAll();
		this.current = reading;
		// A failed read is not cached.
		reading.catch(() => {
			if (this.current === reading) this.current = undefined;
		});
		return reading;
	}

	private async readAll(): Promise<IdsByKey> {
		const notation = new KeyNotation(this.keys);
		const keep = (entity: Entity): [string, string] => {
			notation.see(entity);
			return [canonicalKey(this.keys, entity), entity._id];
		};
		const needs = this.keys.map(({ id }) => id);
		const { items, unstable } = await this.client.entities.manyAs(this.grid, keep, {}, { needs });
		if (unstable) throw unstableListError(this.grid);
		notation.end();
		const ids: IdsByKey = new Map();
		for (const [key, id] of items) addToGroup(ids, key, id);
		return ids;
	}
}
