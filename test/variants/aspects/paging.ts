import { aspect, type Settings } from '../aspect';
import {
	isJsonObject,
	withJson,
	without,
	type EndpointName,
	type JsonObject,
	type Step,
	type VariantResponse,
} from '../exchange';
import { isWhole, type Lists } from './lists';

/** §8: a maximum page size is not shown. */
export const paging = aspect(
	'page sizes: capped at a few items, refused above 500, stated as requested although capped; pages without links; how many pages an empty list has; missing counts; pages after the last one missing (404)',
	{
		cap: [1000, 2, 3, 7, 25],
		tooLarge: ['capped', 'refused'],
		stated: ['actual', 'requested'],
		links: [true, false],
		emptyPages: [0, 1],
		/** Which counts of §2.2 a page has; -1 stands for an unknown number. */
		counts: ['all', 'items', 'pages', 'none', '-1'],
		afterLast: ['empty', '404'],
	},
);

const LISTS: ReadonlySet<EndpointName | undefined> = new Set<EndpointName>([
	'accessKeys',
	'spaces',
	'resources',
	'shares',
	'invitations',
	'grids',
	'views',
	'statefulViews',
	'viewShares',
	'forms',
	'updates',
	'query',
	'entities',
	'events',
]);
/** Pages that the aspect `feed` writes without links. */
const UNLINKED: ReadonlySet<EndpointName | undefined> = new Set<EndpointName>(['updates', 'events']);
/** The largest page where larger ones are refused: the default of 300 is promised (§8). */
const LARGEST = 500;

export function pagingStep(
	{ cap, tooLarge, stated, links, emptyPages, counts, afterLast }: Settings<typeof paging.dials>,
	lists: Lists,
): Step {
	const isCounted = counts !== 'none' && counts !== '-1';
	// Without counts and links, nothing shows that other items follow a page with fewer than stated.
	const isLinked = (endpoint: EndpointName | undefined) => links && !UNLINKED.has(endpoint);
	return {
		request(request, { endpoint }) {
			if (!LISTS.has(endpoint) || isWhole(lists, endpoint)) return request;
			const query = new URLSearchParams(request.query);
			const size = requestedSize(query, endpoint);
			const isRefused = tooLarge === 'refused' && size > LARGEST;
			// The embedded service refuses a page of no items.
			query.set('pageSize', String(isRefused ? 0 : Math.min(size, cap)));
			return { ...request, query };
		},
		response(response, { endpoint }, { query }) {
			if (!LISTS.has(endpoint)) return response;
			const isFirst = (query.get('pageIndex') ?? '1') === '1';
			if (afterLast === '404' && !isFirst && isEmptyPage(response)) return NO_SUCH_PAGE;
			return withJson(response, (page) => {
				if (!isJsonObject(page) || typeof page['numberOfPages'] !== 'number') return page;
				const pages = page['numberOfPages'] === 0 ? emptyPages : page['numberOfPages'];
				const isStated = stated === 'requested' && (isCounted || isLinked(endpoint));
				const size = isStated ? { pageSize: requestedSize(query, endpoint) } : {};
				return counted({ ...page, ...size, numberOfPages: pages, ...(links ? {} : { _links: {} }) }, counts);
			});
		},
	};
}

function requestedSize(query: URLSearchParams, endpoint: EndpointName | undefined): number {
	const size = query.get('pageSize');
	return size === null ? (endpoint === 'query' ? 50 : 300) : Number(size);
}

const NO_SUCH_PAGE: VariantResponse = {
	status: 404,
	headers: {},
	body: { kind: 'json', value: { status: 404, message: 'No such page' } },
};

function isEmptyPage({ status, body }: VariantResponse): boolean {
	if (status !== 200 || body.kind !== 'json' || !isJsonObject(body.value)) return false;
	const { items } = body.value;
	return Array.isArray(items) && items.length === 0;
}

function counted(page: JsonObject, counts: Settings<typeof paging.dials>['counts']): JsonObject {
	switch (counts) {
		case 'all':
			return page;
		case 'items':
			return without(page, 'numberOfPages', 'size');
		case 'pages':
			return without(page, 'numberOfItems', 'size');
		case 'none':
			return without(page, 'numberOfItems', 'numberOfPages', 'size');
		case '-1':
			return { ...page, numberOfItems: -1, numberOfPages: -1 };
	}
}
