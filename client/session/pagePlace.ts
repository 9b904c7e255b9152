/** Which page of a list: `size` members for each page, the first page is 1 (§4). */
export interface PagePlace {
	page: number;
	size: number;
}

/**
 * The place whose page begins with the same member and holds fewer.
 * @param most the page size wanted; by default half. The result is the largest one that a page can
 * begin with that member at
 */
export function smallerPage({ page, size }: PagePlace, most = Math.floor(size / 2)): PagePlace {
	const before = (page - 1) * size;
	let smaller = Math.max(1, Math.min(most, size - 1));
	while (before % smaller !== 0) smaller--;
	return { page: before / smaller + 1, size: smaller };
}

/**
 * The place after a page; pages twice as large from there on, if one can begin there and none is
 * larger than `most`.
 */
export function largerPage({ page, size }: PagePlace, most: number): PagePlace {
	const before = page * size;
	const larger = Math.min(2 * size, most);
	return larger > size && before % larger === 0
		? { page: before / larger + 1, size: larger }
		: { page: page + 1, size };
}

/** The smallest page that holds as many members from a position on as one can, up to `wanted`. */
export function pageFrom(position: number, wanted: number, most: number): PagePlace {
	let best = { page: position + 1, size: 1 };
	let held = 1;
	for (let size = 2; size <= most && held < wanted; size++) {
		const holds = Math.min(wanted, size - (position % size));
		if (holds > held) [best, held] = [{ page: Math.floor(position / size) + 1, size }, holds];
	}
	return best;
}
