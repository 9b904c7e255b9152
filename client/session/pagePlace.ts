/** A page of a list with `size` members per page; the first page is 1 (§4). */
export interface PagePlace {
	page: number;
	size: number;
}

/**
 * A smaller page that begins with the same member.
 * @param most maximum page size; by default half of the current one. The result is the largest size
 * at which a page begins with that member
 */
export function smallerPage({ page, size }: PagePlace, most = Math.floor(size / 2)): PagePlace {
	const before = (page - 1) * size;
	let smaller = Math.max(1, Math.min(most, size - 1));
	while (before % smaller !== 0) smaller--;
	return { page: before / smaller + 1, size: smaller };
}

/**
 * The next page, of twice the size if such a page begins there and is not larger than `most`.
 */
export function largerPage({ page, size }: PagePlace, most: number): PagePlace {
	const before = page * size;
	const larger = Math.min(2 * size, most);
	return larger > size && before % larger === 0
		? { page: before / larger + 1, size: larger }
		: { page: page + 1, size };
}

/** The smallest page with the maximum number of members from a position on, up to `wanted`. */
export function pageFrom(position: number, wanted: number, most: number): PagePlace {
	let best = { page: position + 1, size: 1 };
	let held = 1;
	for (let size = 2; size <= most && held < wanted; size++) {
		const holds = Math.min(wanted, size - (position % size));
		if (holds > held) [best, held] = [{ page: Math.floor(position / size) + 1, size }, holds];
	}
	return best;
}
