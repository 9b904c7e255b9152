/** Memory of all kept sortings and of the texts of their selections, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Positions within a grid, sorted, and the version of the grid that they are of. */
interface Sorting {
	readonly version: number;
	readonly positions: Uint32Array;
}

const bytesOf = (selection: string, { positions }: Sorting): number =>
	2 * selection.length + positions.byteLength;

/**
 * Keeps the results of sortings, so that the next page of a list does not sort again what has not
 * changed.
 */
export class KeptSortings {
	/** By selection; the least recently used one is the first. */
	private readonly sortings = new Map<string, Sorting>();
	private size = 0;

	/** @returns undefined if the grid has changed since */
	get(selection: string, version: number): Uint32Array | undefined {
		const kept = this.sortings.get(selection);
		if (!kept) return undefined;
		this.remove(selection);
		if (kept.version !== version) return undefined;
		this.add(selection, kept);
		return kept.positions;
	}

	add(selection: string, sorting: Sorting): void {
		this.remove(selection);
		this.sortings.set(selection, sorting);
		this.size += bytesOf(selection, sorting);
		for (const oldest of this.sortings.keys()) {
			if (this.size <= MAX_BYTES) return;
			this.remove(oldest);
		}
	}

	clear(): void {
		this.sortings.clear();
		this.size = 0;
	}

	private remove(selection: string): void {
		const kept = this.sortings.get(selection);
		if (kept) this.size -= bytesOf(selection, kept);
		this.sortings.delete(selection);
	}
}
