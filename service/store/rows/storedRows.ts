import type { Values } from '../../rules/layouts';
import type { Database } from '../files/database';
import { AS_CREATED } from '../events/events';
import type { Indexes } from './indexes';

/** Key and ID of a row. */
interface RowKey {
	readonly pos: number;
	readonly id: string;
}

/** Empty cells are not stored. */
export const stored = (values: Values): string =>
	JSON.stringify(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)));

/**
 * Changes of stored rows, with all that depends on their values: the creation event, which lacks
 * them while the row is unchanged, and the indexes.
 */
export class StoredRows {
	constructor(
		private readonly db: Database,
		private readonly indexes: Indexes,
	) {}

	/** @param changed IDs of the fields whose values differ */
	update(grid: number, { pos, id }: RowKey, values: Values, changed: readonly string[]): void {
		this.keepCreation(pos, id);
		this.indexes.change(grid, pos, changed, () => {
			this.db.run('UPDATE rows SET v = ? WHERE pos = ?', stored(values), pos);
		});
	}

	remove(grid: number, { pos, id }: RowKey): void {
		this.keepCreation(pos, id);
		this.indexes.remove(grid, pos);
		this.db.run('DELETE FROM rows WHERE pos = ?', pos);
	}

	private keepCreation(pos: number, id: string): void {
		this.db.run(
			`UPDATE events SET changes = (SELECT v FROM rows WHERE pos = ?)
			 WHERE entity = ? AND type = 'created' AND changes = '${AS_CREATED}'`,
			pos,
			id,
		);
	}
}
