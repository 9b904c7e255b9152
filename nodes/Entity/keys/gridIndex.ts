import { type Digest, TextNumbers, type Values } from '../../../client';
import { hasKeyValue } from '../../shared/rows/equality';
import type { KeyColumns } from './keyColumns';
import { PackedNumbers, PackedTexts } from './packedTexts';

/** The parts of a row that the index stores and compares. */
export interface IndexedRow {
	/** Canonical text of its key. */
	key: string;
	/** Number of key columns that have a value. */
	filled: number;
	/** Whether it is one of the rows to compare with; others are neither changed nor deleted. */
	isInScope: boolean;
	/** Digest of the compared values; 64 bits of it are stored. */
	digest?: Digest | undefined;
	/** Values that a digest cannot stand for, as JSON; undefined if the plan needs none. */
	held?: string | undefined;
}

/** The key of a row, as the index stores it. */
export function keyIn(keys: KeyColumns, row: Values): Pick<IndexedRow, 'key' | 'filled'> {
	return { key: keys.textOf(row), filled: keys.columns.filter((field) => hasKeyValue(field, row)).length };
}

const NONE: Digest = [0, 0, 0, 0];

/**
 * The rows of a grid by key. Only digests and the id of a row are stored: about 100 bytes per row,
 * outside the JavaScript heap. Values are stored only for rules that need them.
 */
export class GridIndex {
	private readonly keys = new TextNumbers();
	/** The two halves of each digest, by number of the key. */
	private readonly first = new PackedNumbers();
	private readonly second = new PackedNumbers();
	/** Index of the row in `ids` plus 1, by number of the key. */
	private readonly places = new PackedNumbers();
	private readonly ids = new PackedTexts();
	/** Values by index of the row, if the plan needs them. */
	private readonly held = new PackedTexts();
	/** Keys of rows outside of the rows to compare with, and the ids of these rows. */
	private readonly outsideKeys = new TextNumbers();
	private readonly outsideIds = new PackedTexts();
	/** Number of rows whose key an input row has. */
	private claimed = 0;
	/** Number in the input of the row with the same key, plus 1, by index of the row; 0 for none. */
	private readonly claims = new PackedNumbers();
	/** Ids of the rows that share a key, by number of the key. */
	private readonly several = new Map<number, string[]>();
	/** The same by key, of rows that have a value in each key column. */
	readonly duplicates = new Map<string, readonly string[]>();
	/** Keys in the input that no row of the grid has, and their numbers there. */
	private readonly missing = new TextNumbers();
	private readonly missingClaims = new PackedNumbers();
	private readonly createdIds = new PackedTexts();
	/** Index of the created row in `createdIds` plus 1, by number of the missing key. */
	private readonly createdPlaces = new PackedNumbers();
	/** 1 where the service confirmed that this run created the row, by the same index plus 1. */
	private readonly own = new PackedNumbers();

	/** Number of rows to compare with. */
	get rows(): number {
		return this.ids.length;
	}

	/** Number of rows whose key no input row has. */
	get unclaimedRows(): number {
		return this.rows - this.claimed;
	}

	/** @param keyColumns number of key columns */
	constructor(private readonly keyColumns: number) {}

	/** Adds a row of the grid. Without a value in a key column, no input row can have its key. */
	add(id: string, { key, filled, isInScope, digest = NONE, held }: IndexedRow): void {
		if (!isInScope) {
			if (this.outsideKeys.add(key) === this.outsideIds.length) this.outsideIds.push(id);
			return;
		}
		const row = this.ids.length;
		this.ids.push(id);
		if (held !== undefined) this.held.push(held);
		this.claims.set(row, 0);
		if (filled === 0) return;
		const before = this.keys.size;
		const number = this.keys.add(key);
		if (number === before) {
			this.first.set(number, digest[0]);
			this.second.set(number, digest[1]);
			this.places.set(number, row + 1);
			return;
		}
		const ids = this.several.get(number) ?? [this.idAt(number)];
		ids.push(id);
		this.several.set(number, ids);
		// Rows with an incomplete key are duplicates only if an input row has the same key.
		if (filled === this.keyColumns) this.duplicates.set(key, ids);
	}

	/** The id of a row outside of the rows to compare with that has a key. */
	outsideIdOf(key: string): string | undefined {
		const number = this.outsideIds.length > 0 ? this.outsideKeys.numberOf(key) : undefined;
		return number === undefined ? undefined : this.outsideIds.at(number);
	}

	/** Ids of the rows with a key, if there are several. */
	duplicatesOf(key: string): readonly string[] | undefined {
		const number = this.several.size > 0 ? this.keys.numberOf(key) : undefined;
		return number === undefined ? undefined : this.several.get(number);
	}

	/** What is stored of the row with a key; undefined if there is none. */
	rowOf(key: string, digest: Digest): { isSame: boolean; held: string } | undefined {
		const number = this.keys.numberOf(key);
		if (number === undefined) return undefined;
		const isSame = this.first.at(number) === digest[0] && this.second.at(number) === digest[1];
		return { isSame, held: this.held.length > 0 ? this.held.at(this.places.at(number) - 1) : '' };
	}

	idOf(key: string): string | undefined {
		const number = this.keys.numberOf(key);
		return number === undefined ? undefined : this.idAt(number);
	}

	/** Assigns a key to an input row. @returns the number of an earlier one with the same key */
	claim(key: string, input: number): number | undefined {
		const number = this.keys.numberOf(key);
		const [claims, index] =
			number === undefined
				? ([this.missingClaims, this.missing.add(key)] as const)
				: ([this.claims, this.places.at(number) - 1] as const);
		const before = claims.at(index);
		if (before !== 0) return before - 1;
		claims.set(index, input + 1);
		if (number !== undefined) this.claimed++;
		return undefined;
	}

	/** Notes that a row was created for a missing key. @param isOwn see `CreatedRow` */
	addCreated(key: string, id: string, isOwn: boolean): void {
		this.createdIds.push(id);
		const place = this.createdIds.length;
		this.createdPlaces.set(this.missing.add(key), place);
		this.own.set(place, isOwn ? 1 : 0);
	}

	createdRowOf(key: string): { id: string; isOwn: boolean } | undefined {
		const number = this.missing.numberOf(key);
		const place = number === undefined ? 0 : this.createdPlaces.at(number);
		return place === 0 ? undefined : { id: this.createdIds.at(place - 1), isOwn: this.own.at(place) === 1 };
	}

	/** Ids of the rows whose key no input row has. */
	*unclaimed(): Generator<string> {
		for (let place = 0; place < this.rows; place++) if (this.claims.at(place) === 0) yield this.ids.at(place);
	}

	private idAt(number: number): string {
		return this.ids.at(this.places.at(number) - 1);
	}
}
