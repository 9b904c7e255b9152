/** Positions of all kept sortings, of which each takes four bytes. */
const MAX_POSITIONS = 8 * 1024 * 1024;

/** Positions within a grid, sorted, and the version of the grid that they are of. */
interface Sorting {
	readonly version: number;
	readonly positions: Uint32Array;
}

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
		this.size += sorting.positions.length;
		for (const oldest of this.sortings.keys()) {
			if (this.size <= MAX_POSITIONS) return;
			this.remove(oldest);
		}
	}

	clear(): void {
		this.sortings.clear();
		this.size = 0;
	}

	private remove(selection: string): void {
		this.size -= this.sortings.get(selection)?.positions.length ?? 0;
		this.sortings.delete(selection);
	}
}
