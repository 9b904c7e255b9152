import { hash } from 'crypto';
import { TextNumbers } from '../../../../client/session/textNumbers';
import { Numbers, PackedTexts } from './packedTexts';

/** What the index keeps of a row of the grid, or compares of a row of the file. */
export interface IndexedRow {
	/** One text for all spellings of its key. */
	key: string;
	/** 64 bits of a digest of the values that are compared. */
	digest: Digest;
}
export type Digest = readonly [number, number];

export function digestOf(text: string): Digest {
	const bytes = hash('sha256', text, 'buffer');
	return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
}

/**
 * The rows of a grid by key, each reduced to digests and its id: about 100 bytes, outside of the
 * JavaScript heap.
 */
export class GridIndex {
	private readonly keys = new TextNumbers();
	private readonly first = new Numbers();
	private readonly second = new Numbers();
	/** Where the id of the row with a key is, and 1. */
	private readonly places = new Numbers();
	private readonly ids = new PackedTexts();
	/** Line of the file with the same key, by place; 0 for none. */
	private readonly lines = new Numbers();
	/** Ids of rows with a key that several rows have, by its number. */
	private readonly several = new Map<number, string[]>();
	/** Keys of the file that the grid lacks, and their lines. */
	private readonly missing = new TextNumbers();
	private readonly missingLines = new Numbers();

	/** Number of rows of the grid. */
	get rows(): number {
		return this.ids.length;
	}

	/**
	 * Adds a row of the grid.
	 * @param hasKey false if no line can have its key
	 * @returns the ids of all rows with its key, if there are several
	 */
	add(id: string, { key, digest }: IndexedRow, hasKey: boolean): readonly string[] | undefined {
		const place = this.ids.length;
		this.ids.push(id);
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

	/** Ids of the rows with a key, if there are several. */
	severalWith(key: string): readonly string[] | undefined {
		const number = this.keys.numberOf(key);
		return number === undefined ? undefined : this.several.get(number);
	}

	/** What a row of the file is to the grid. */
	compare({ key, digest }: IndexedRow): 'create' | 'update' | 'unchanged' {
		const number = this.keys.numberOf(key);
		if (number === undefined) return 'create';
		const isSame = this.first.at(number) === digest[0] && this.second.at(number) === digest[1];
		return isSame ? 'unchanged' : 'update';
	}

	/** The id of the row with a key. */
	idOf(key: string): string | undefined {
		const number = this.keys.numberOf(key);
		return number === undefined ? undefined : this.idAt(number);
	}

	/** Notes that a line of the file has a key. @returns the line that had it before, if any */
	claim(key: string, line: number): number | undefined {
		const number = this.keys.numberOf(key);
		const [lines, index] =
			number === undefined
				? ([this.missingLines, this.missing.add(key)] as const)
				: ([this.lines, this.places.at(number) - 1] as const);
		const before = lines.at(index);
		if (before !== 0) return before;
		lines.set(index, line);
		return undefined;
	}

	/** Ids of the rows that no line claimed. */
	*unclaimed(): Generator<string> {
		for (let place = 0; place < this.rows; place++) if (this.lines.at(place) === 0) yield this.ids.at(place);
	}

	private idAt(number: number): string {
		return this.ids.at(this.places.at(number) - 1);
	}
}
