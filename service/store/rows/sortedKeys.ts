import type { Order } from '../../rules/filter';
import type { Database, SqlValue } from '../files/database';
import { sortKeyOf } from './conditions';

let tables = 0;

/**
 * Positions in the order of a sorting, in a temporary table that SQLite sorts while it is filled.
 * Fill it in slices and drop it at the end. Ties follow the creation order in the direction of the
 * first field.
 */
export class SortedKeys {
	private readonly name = `temp.sorted_${(tables += 1)}`;
	private readonly columns: string;
	private readonly order: string;

	constructor(
		private readonly db: Database,
		private readonly orders: readonly Order[],
	) {
		const direction = (descending: boolean | undefined) => (descending ? 'DESC' : 'ASC');
		this.order = [
			...orders.map(({ descending }, n) => `k${n} ${direction(descending)}`),
			`pos ${direction(orders[0]?.descending)}`,
		].join(', ');
		this.columns = [...orders.map((_, n) => `k${n}`), 'pos'].join(', ');
		db.exec(`CREATE TABLE ${this.name} (${this.columns}, PRIMARY KEY (${this.order})) WITHOUT ROWID`);
	}

	/** Adds rows. @param source table and condition @returns their number */
	add(source: string, ...values: SqlValue[]): number {
		const keys = this.orders.map(sortKeyOf).join(', ');
		return this.db.scratch(
			`INSERT OR IGNORE INTO ${this.name} SELECT ${keys}, pos FROM ${source}`,
			...values,
		);
	}

	/**
	 * Removes and returns the first positions.
	 * @param use receives them before, and a selection of the keys and `pos` with the limit as value
	 */
	take(limit: number, use?: (positions: readonly number[], first: string) => void): number[] {
		const rows = `FROM ${this.name} ORDER BY ${this.order} LIMIT ?`;
		const positions = this.db.all<{ pos: number }>(`SELECT pos ${rows}`, limit).map(({ pos }) => pos);
		const first = `SELECT ${this.columns} ${rows}`;
		use?.(positions, first);
		this.db.scratch(`DELETE FROM ${this.name} WHERE (${this.columns}) IN (${first})`, limit);
		return positions;
	}

	drop(): void {
		this.db.forgetStatements(this.name);
		this.db.exec(`DROP TABLE IF EXISTS ${this.name}`);
	}
}
