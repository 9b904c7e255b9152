import { aspect, type Settings } from '../aspect';
import { isJsonObject, withJson, type EndpointName, type Step } from '../exchange';

/**
 * §2.2 gives every list one shape, and §4 calls only some of
 * them paged: of the others it says no more than "lists".
 */
export const lists = aspect({
	shape: ['page', 'array', 'array of a page'],
});
export type Lists = Settings<typeof lists.dials>;

const NOT_CALLED_PAGED: ReadonlySet<EndpointName | undefined> = new Set<EndpointName>([
	'accessKeys',
	'resources',
	'shares',
	'invitations',
	'views',
	'statefulViews',
	'viewShares',
	'forms',
]);

/** Whether a list comes without counts. */
export const isBareList = ({ shape }: Lists, endpoint: EndpointName | undefined): boolean =>
	shape !== 'page' && NOT_CALLED_PAGED.has(endpoint);

/** More than any of these lists ever holds. */
const ALL = '1000';

export function listsStep(settings: Lists): Step {
	const { shape } = settings;
	return {
		request(request, { endpoint }) {
			if (shape !== 'array' || !isBareList(settings, endpoint)) return request;
			const query = new URLSearchParams(request.query);
			query.set('pageIndex', '1');
			query.set('pageSize', ALL);
			return { ...request, query };
		},
		response(response, { endpoint }) {
			if (!isBareList(settings, endpoint)) return response;
			return withJson(response, (page) =>
				isJsonObject(page) && Array.isArray(page['items']) ? page['items'] : page,
			);
		},
	};
}
