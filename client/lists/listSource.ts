import type { Endpoint } from '../endpoints/endpoints';
import type { Target } from '../endpoints/permission';
import type { Query } from '../hal/links';
import type { FollowOptions, Session } from '../session/session';
import { DEFAULT_PAGE_SIZE, readPage, type ListShape } from './page';
import type { ListSource } from './readList';

interface SourceOptions<Item> extends Pick<ListSource<Item>, 'identity'> {
	query?: Query;
	/** Address instead of the documented path, e.g. that of a public link. */
	href?: string;
}

/** The list that an operation reads. @param target what the list belongs to, or how to find it */
export function listSource<Item>(
	session: Session,
	shape: ListShape<Item>,
	[endpoint, target]: readonly [Endpoint, Target | (() => Promise<Target>)],
	{ identity, query, ...options }: SourceOptions<Item>,
): ListSource<Item> {
	return {
		async fetchPage(request) {
			const of = typeof target === 'function' ? await target() : target;
			const follow: FollowOptions = { ...options, query: { ...query, ...request } };
			return readPage(shape, await session.follow(endpoint, of, follow), request);
		},
		identity,
		limiter: session.limiter,
		// An array that is shorter than requested is the whole list, so none may be cut.
		...(shape.mayBeBare ? { maxPageSize: DEFAULT_PAGE_SIZE } : {}),
	};
}

/** The same list with other items, computed page by page. */
export function mapped<Item, Result>(
	source: ListSource<Item>,
	map: (items: Item[]) => Result[] | Promise<Result[]>,
	identity: (item: Result) => string,
): ListSource<Result> {
	return {
		...source,
		async fetchPage(request) {
			const page = await source.fetchPage(request);
			return { ...page, items: await map(page.items) };
		},
		identity,
	};
}
