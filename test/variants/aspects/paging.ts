import { aspect, type Settings } from '../aspect';
import { isJsonObject, withJson, type EndpointName, type Step, type VariantResponse } from '../exchange';

/** §8: a maximum page size is not shown. */
export const paging = aspect({
	cap: [1000, 2, 3, 7, 25],
	tooLarge: ['capped', 'refused'],
	links: [true, false],
	emptyPages: [0, 1],
	afterLast: ['empty', '404'],
});

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
/** The largest page where larger ones are refused: the default of 300 is promised (§8). */
const LARGEST = 500;

export function pagingStep(
	{ cap, tooLarge, links, emptyPages, afterLast }: Settings<typeof paging.dials>,
	isBare: (endpoint: EndpointName | undefined) => boolean,
): Step {
	return {
		request(request, { endpoint }) {
			// A bare array that is shorter than requested is the end of its list.
			if (!LISTS.has(endpoint) || isBare(endpoint)) return request;
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
				return { ...page, numberOfPages: pages, ...(links ? {} : { _links: {} }) };
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
