import {
	isSuccess,
	withJson,
	type Exchange,
	type Json,
	type JsonObject,
	type Step,
	type VariantRequest,
	type VariantResponse,
} from '../exchange';
import { changesIn, eventEntry, lastOfEach, rowEntry, type Change } from './feedEntry';
import type { Feed } from './feedSettings';

/** Pages of the embedded service that hold all that a test makes. */
const WHOLE = 1000;

const gridOf = ({ path }: VariantRequest) => path.replace(/\/(updates|entities\/.*)$/, '');

const paged = ({ query }: VariantRequest) => ({
	page: Number(query.get('pageIndex') ?? '1'),
	size: Number(query.get('pageSize') ?? '300'),
});

export function feedStep(settings: Feed): Step {
	return {
		request(request, { endpoint }) {
			if (endpoint !== 'updates' && endpoint !== 'events') return request;
			// A page or a moment that the service refuses stays refused.
			const { page, size } = paged(request);
			const since = request.query.get('since');
			if (!(page >= 1 && size >= 1) || (endpoint === 'updates' && !isMoment(since))) return request;
			const query = new URLSearchParams({ pageIndex: '1', pageSize: String(WHOLE) });
			if (endpoint === 'updates') query.set('since', '1970-01-01T00:00:00Z');
			return { ...request, query };
		},
		response(response, exchange, request) {
			const { endpoint } = exchange;
			if (endpoint !== 'updates' && endpoint !== 'events') return response;
			return endpoint === 'updates'
				? dated(updates(response, exchange, request, settings), exchange, settings)
				: history(response, request, settings);
		},
	};
}

const isMoment = (text: string | null) =>
	text !== null && /(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text));

const dated = (response: VariantResponse, { now }: Exchange, { date }: Feed): VariantResponse => ({
	...response,
	headers: { ...response.headers, date: new Date(now + date).toUTCString() },
});

function history(response: VariantResponse, request: VariantRequest, settings: Feed): VariantResponse {
	return withJson(response, (body) => {
		const changes = changesIn(body, gridOf(request));
		if (!changes) return body;
		const inOrder = settings.history === 'newest first' ? changes : changes.reverse();
		return pageOf(
			inOrder.map((change) => eventEntry(change, settings)),
			request,
		);
	});
}

function updates(
	response: VariantResponse,
	{ now }: Exchange,
	request: VariantRequest,
	settings: Feed,
): VariantResponse {
	const all =
		isSuccess(response) && response.body.kind === 'json'
			? changesIn(response.body.value, gridOf(request))
			: undefined;
	if (!all) return response;
	const since = request.query.get('since') ?? '';
	const shown = all.filter((change) => {
		const time = Date.parse(change.timestamp);
		return time + settings.late <= now && isSince(time, Date.parse(since), settings.since);
	});
	const entries = entriesOf(shown, all, settings);
	return { ...response, body: { kind: 'json', value: shapeOf(entries, request, settings) } };
}

function isSince(time: number, since: number, how: Feed['since']): boolean {
	const unit = how === 'of the second' ? 1000 : 1;
	const from = Math.floor(since / unit) * unit;
	return how === 'exclusive' ? time > from : time >= from;
}

function inOrder(changes: readonly Change[], order: Feed['order']): Change[] {
	if (order === 'ascending') return [...changes];
	if (order === 'descending') return [...changes].reverse();
	// Some order that is none of time, and the same at each reading.
	const last = (id: string) => id.split('').reverse().join('');
	return [...changes].sort((a, b) => (last(a.entityId) + a.id < last(b.entityId) + b.id ? -1 : 1));
}

function entriesOf(shown: readonly Change[], all: readonly Change[], settings: Feed): JsonObject[] {
	const { order } = settings;
	if (settings.entry === 'row')
		return inOrder(lastOfEach(shown), order).map((change) => rowEntry(change, all, settings));
	return inOrder(shown, order).map((change) => eventEntry(change, settings));
}

function shapeOf(entries: JsonObject[], request: VariantRequest, { shape }: Feed): Json {
	const page = pageOf(entries, request);
	return shape === 'page' ? page : page.items;
}

function pageOf(entries: JsonObject[], request: VariantRequest): JsonObject & { items: JsonObject[] } {
	const { page, size } = paged(request);
	const items = entries.slice((page - 1) * size, page * size);
	return {
		page,
		pageSize: size,
		size: items.length,
		numberOfItems: entries.length,
		numberOfPages: Math.ceil(entries.length / size),
		items,
		_links: {},
	};
}
