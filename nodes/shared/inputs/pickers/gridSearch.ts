import { z } from 'zod/v4';
import {
	type Client,
	DEFAULT_PAGE_SIZE,
	Forbidden,
	type Grid,
	ListReading,
	type ListSource,
	NotFound,
	type Space,
} from '../../../../client';
import { LIST_PAGE, type ListingPage, pageNumber } from './pagedList';

/** A grid and the name that the list shows for it. */
export type ListedGrid = Grid & { label: string };

/** The next entries: a page of spaces, the index of a space on it, a page of its grids. */
const placeSchema = z
	.string()
	.regex(/^\d{1,6} \d{1,6} \d{1,6}$/)
	.catch('')
	.transform((token) => {
		const [spacePage, space = '0', gridPage] = token.split(' ');
		return {
			spacePage: pageNumber.parse(spacePage),
			space: Number(space),
			gridPage: pageNumber.parse(gridPage),
		};
	});

/**
 * The grids of the spaces, from a token on.
 * @param spaceId the only space; all spaces if undefined, whose names are part of the labels
 */
export async function* gridPages(
	client: Client,
	spaceId: string | undefined,
	token: string | undefined,
): AsyncGenerator<ListingPage<ListedGrid>> {
	let { spacePage, space: first, gridPage } = placeSchema.parse(token);
	const spaces = new ListReading(spacesFor(client, spaceId), LIST_PAGE, { from: spacePage });
	for await (const page of spaces.pages()) {
		const nextPage = spaces.hasMore ? `${spaces.next} 0 1` : undefined;
		for (const [offset, space] of page.slice(first).entries()) {
			const index = first + offset;
			const nextSpace = index + 1 < page.length ? `${spacePage} ${index + 1} 1` : nextPage;
			const all = client.grids.list(space, { type: 'persistent' });
			const source = spaceId === undefined ? unlessClosed(all) : all;
			const reading = new ListReading(source, DEFAULT_PAGE_SIZE, { from: gridPage });
			const labelOf = ({ name }: Grid) => (spaceId === undefined ? `${name} (${space.name})` : name);
			for await (const grids of reading.pages())
				yield {
					items: grids.map((grid) => ({ ...grid, label: labelOf(grid) })),
					next: reading.hasMore ? `${spacePage} ${index} ${reading.next}` : nextSpace,
				};
			gridPage = 1;
		}
		first = 0;
		spacePage = spaces.next;
	}
}

/** Empty for a space whose grids this identity may not read, or that was deleted meanwhile. */
function unlessClosed<Item>(source: ListSource<Item>): ListSource<Item> {
	return {
		...source,
		fetchPage: async (request) =>
			await source
				.fetchPage(request)
				.catch((error: unknown) =>
					error instanceof Forbidden || error instanceof NotFound ? { items: [] } : Promise.reject(error),
				),
	};
}

/** The chosen space alone, or all spaces. */
function spacesFor(client: Client, spaceId: string | undefined): ListSource<Space> {
	const all = client.spaces.list();
	if (spaceId === undefined) return all;
	return { ...all, fetchPage: async () => ({ items: [await client.spaces.get(spaceId)] }) };
}
