import { z } from 'zod/v4';
import * as responses from '../../http/responseSchemas';
import { cutCondition, cutOrders } from '../../rules/cut';
import type { Condition } from '../../rules/filter';
import { layouts } from '../../rules/layouts';
import { pageQuery, read, windowOf } from '../../http/paging';
import { storableText } from '../../rules/text';
import { entityPresenter } from './entities';
import { pageResponse } from './pages';
import { belowBase, viewOf } from './reach';
import { inGrid, shownFields } from '../scopes';

/** §8: a preview has the first four fields of the schema. */
const PREVIEW_FIELDS = 4;

const searchQuery = z.object({
	...pageQuery(50).shape,
	matching: z.string().max(1000).default(''),
	viewId: storableText.optional(),
	layout: z.enum(layouts).default('field'),
});

const grid = inGrid('');

grid.get(
	'/query',
	'reader',
	{
		on: { grid: 'query', virtualGrid: 'query' },
		query: searchQuery,
		response: responses.pageOf(responses.entity),
	},
	async (call) => {
		const query = read(searchQuery, call.query, 'Query');
		const view = viewOf(call, query.viewId);
		const fields = shownFields(view, call.allFields);
		const conditions: Condition[] = [];
		if (view.cut) conditions.push(cutCondition(view.cut, call.allFields));
		if (query.matching !== '') conditions.push({ op: 'search', fields, text: query.matching });
		const page = await call.store.selections.page(call.base.no, {
			condition: { op: 'all', of: conditions },
			orders: cutOrders(view.cut, call.allFields),
			...windowOf(query),
		});
		// Entities outside the addressed view are 404 below its address.
		const at = view === call.grid ? call : belowBase(call);
		const present = entityPresenter(at, query.layout, 'summary', fields.slice(0, PREVIEW_FIELDS));
		return pageResponse(page, present, query, call.url);
	},
);

export const searchRoutes = grid.routes;
