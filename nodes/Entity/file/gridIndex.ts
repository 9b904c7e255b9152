import { type Digest, TextNumbers } from '../../../client';
import { PackedNumbers, PackedTexts } from './packedTexts';

/** The parts of a row that the index stores and compares. */
export interface IndexedRow {
	/** Canonical text of its key. */
	key: string;
	/** Digest of the compared values; 64 bits of it are stored. */
	digest: Digest;
	/** Values that a digest cannot stand for, as JSON; undefined if the plan needs none. */
	held?: string | undefined;
}

/**
 * The rows of a grid by key. Only digests and the id of a row are stored: about 100 bytes per row,
 * outside the JavaScript heap. Values are stored only for rules that need them.
 */
export class GridIndex {
	/** Numbers the distinct keys. */
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
	/** Number of rows whose key a line has. */
	private claimed = 0;
	/** Line of the file with the same key, by index of the row; 0 for none. */
	private readonly lines = new PackedNumbers();
	/** Ids of the rows that share a key, by number of the key. */
	private readonly several = new Map<number, string[]>();
	/** Keys in the file that no row of the grid has, and their lines. */
	private readonly missing = new TextNumbers();
	private readonly missingLines = new PackedNumbers();
	/** Ids of created rows. */
	private readonly createdIds = new PackedTexts();
	/** Index of the created row in `createdIds` plus 1, by number of the missing key. */
	private readonly createdPlaces = new PackedNumbers();
	/** 1 where the service confirmed that this run created the row, by the same index plus 1. */
	private readonly own = new PackedNumbers();

	/** Number of rows to compare with. */
	get rows(): number {
		return this.ids.length;
	}

	/** Number of rows whose key no line has. */
	get unclaimedRows(): number {
		return this.rows - this.claimed;
	}

	/**
	 * Adds a row of the grid.
	 * @param hasKey false if all its key columns are empty, so that no line can have its key
	 * @returns the ids of all rows with its key, if there are several
	 */
	add(id: string, { key, digest, held }: IndexedRow, hasKey: boolean): readonly string[] | undefined {
		const place = this.ids.length;
		this.ids.push(id);
		if (held !== undefined) this.held.push(held);
		this.lines.set(place, 0);
		if (!hasKey) return undefined;
		const before = this.keys.size;
		const number = this.keys.add(key);
		if (number < before) {
			const ids = this.several.get(number) ?? [this.idAt(number)];
			ids.push(id);
			this.several.set(number, ids);
			return ids;
		}
		this.first.set(number, digest[0]);
		this.second.set(number, digest[1]);
		this.places.set(number, place + 1);
		return undefined;
	}

	/** Adds a row outside of the rows to compare with: it is neither changed nor deleted. */
	addOutside(id: string, key: string): void {
		if (this.outsideKeys.add(key) === this.outsideIds.length) this.outsideIds.push(id);
	}

	/** The id of a row outside of the rows to compare with that has a key. */
	outsideIdOf(key: string): string | undefined {
		const number = this.outsideKeys.numberOf(key);
		return number === undefined ? undefined : this.outsideIds.at(number);
	}

	/** Ids of the rows with a key, if there are several. */
	duplicatesOf(key: string): readonly string[] | undefined {
		const number = this.keys.numberOf(key);
		return number === undefined ? undefined : this.several.get(number);
	}

	/** What is stored of the row with a key; undefined if there is none. */
	rowOf(key: string, digest: Digest): { isSame: boolean; held: string } | undefined {
		const number = this.keys.numberOf(key);
		if (number === undefined) return undefined;
		const isSame = this.first.at(number) === digest[0] && this.second.at(number) === digest[1];
		return { isSame, held: this.held.length > 0 ? this.held.at(this.places.at(number) - 1) : '' };
	}

	/** The id of the row with a key. */
	idOf(key: string): string | undefined {
		const number = this.keys.numberOf(key);
		return number === undefined ? undefined : this.idAt(number);
	}

	/** Assigns a key to a line of the file. @returns the earlier line with the same key, if any */
	claim(key: string, line: number): number | undefined {
		const number = this.keys.numberOf(key);
		const [lines, index] =
			number === undefined
				? ([this.missingLines, this.missing.add(key)] as const)
				: ([this.lines, this.places.at(number) - 1] as const);
		const before = lines.at(index);
		if (before !== 0) return before;
		lines.set(index, line);
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

	/** The row that was created for a key. */
	createdRowOf(key: string): { id: string; isOwn: boolean } | undefined {
		const number = this.missing.numberOf(key);
		const place = number === undefined ? 0 : this.createdPlaces.at(number);
		return place === 0 ? undefined : { id: this.createdIds.at(place - 1), isOwn: this.own.at(place) === 1 };
	}

	/** Ids of the rows whose key no line has. */
	*unclaimed(): Generator<string> {
		for (let place = 0; place < this.rows; place++) if (this.lines.at(place) === 0) yield this.ids.at(place);
	}

	private idAt(number: number): string {
		return this.ids.at(this.places.at(number) - 1);
	}
}
