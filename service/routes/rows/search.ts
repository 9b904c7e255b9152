import { z } from 'zod/v4';
import { LIMITS } from '../../rules/limits';
import * as responses from '../../http/responseSchemas';
import { viewCondition, viewOrders } from '../../rules/viewDefinition';
import type { Condition } from '../../rules/filter';
import { layouts } from '../../rules/layouts';
import { parseInput } from '../../http/input';
import { pageQuery, rangeOf } from '../../http/paging';
import { columnText } from '../../rules/text';
import { entityPresenter } from './entities';
import { pageResponse } from './pages';
import { atPersistentGrid, viewOf } from './rowAccess';
import { inGrid, shownFields } from '../scopes';

/** §8: a preview has the first four fields of the schema. */
const PREVIEW_FIELDS = 4;

const searchQuery = z.object({
	...pageQuery(50).shape,
	matching: z.string().max(LIMITS.textLength).default(''),
	viewId: columnText(LIMITS.textLength).optional(),
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
		const query = parseInput(searchQuery, call.query, 'Query');
		const view = viewOf(call, query.viewId);
		const fields = shownFields(view, call.allFields);
		const conditions: Condition[] = [];
		if (view.definition) conditions.push(viewCondition(view.definition, call.allFields));
		if (query.matching !== '') conditions.push({ op: 'search', fields, text: query.matching });
		const page = await call.store.selections.page(call.base.no, {
			condition: { op: 'all', of: conditions },
			orders: viewOrders(view.definition, call.allFields),
			...rangeOf(query),
			caller: call.caller,
		});
		// The address of a view responds with 404 to entities outside it.
		const at = view === call.grid ? call : atPersistentGrid(call);
		const present = entityPresenter(at, query.layout, 'summary', fields.slice(0, PREVIEW_FIELDS));
		return pageResponse(page, present, query, call);
	},
);

export const searchRoutes = grid.routes;
