import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod/v4';
import { allows } from '../../rules/access';
import * as responses from '../../http/responseSchemas';
import { badRequest, notFound } from '../../rules/errors';
import { listOf } from '../../rules/jsonObject';
import { filterSchema, parseFilter, parseSorting, sortingSchema } from '../../rules/filter';
import { fill } from '../../http/links';
import { collectionOf, plainPage, read } from '../../http/paging';
import type { Cut } from '../../rules/cut';
import { MAX_KEY_LENGTH, MAX_NAME_LENGTH, freeName, nameText } from '../../rules/text';
import { fieldOf } from './fields';
import { gridView } from './grids';
import { created } from '../../http/route';
import { inGrid, roleOn, type GridCall } from '../scopes';
import { symbol } from './spaces';

const name = nameText(MAX_NAME_LENGTH);

const newView = z.strictObject({
	name: name.optional(),
	key: nameText(MAX_KEY_LENGTH).optional(),
	icon: symbol.optional(),
	fields: listOf(z.string()),
	filter: filterSchema,
	sorting: sortingSchema.default({}),
});
const viewChange = z.strictObject({
	name,
	fields: listOf(z.string()),
	filter: filterSchema,
	sorting: sortingSchema.optional(),
});
const filterChange = z.strictObject({ filter: filterSchema });

/**
 * Refuses a cut with unknown fields (§7: unknown field identifier).
 * @param before the stored cut: its unchanged parts are accepted even if they no longer fit the
 *   fields
 */
function checkCut(call: GridCall, cut: Cut, before?: Cut): Cut {
	for (const id of cut.fields ?? []) fieldOf(call, id);
	if (new Set(cut.fields).size !== cut.fields?.length) throw badRequest('A view shows each field once');
	if (!isDeepStrictEqual(cut.filter, before?.filter)) parseFilter(cut.filter, call.allFields);
	if (!isDeepStrictEqual(cut.sorting, before?.sorting)) parseSorting(cut.sorting, call.allFields);
	return cut;
}

const grid = inGrid('');

grid.get(
	'/virtualgrids',
	'reader',
	{ on: { grid: 'virtualGrids' }, query: plainPage, response: responses.pageOf(responses.grid) },
	(call) => {
		const page = read(plainPage, call.query, 'Query');
		const views = call.store.grids.views(call.base.no);
		const reached = call.confined ? views.filter((view) => allows(roleOn(call, view).role, 'reader')) : views;
		const list = collectionOf(reached, page, call.url);
		return { ...list, items: list.items.map((view) => gridView(call, view, false)) };
	},
);

grid.post(
	'/virtualgrids',
	'admin',
	{ on: { grid: 'addVirtualGrid' }, body: newView, response: 'created' },
	(call) => {
		const { name: given, key, icon, fields, filter, sorting } = read(newView, call.body, 'Body');
		const cut = checkCut(call, { fields, filter, sorting });
		const taken = (candidate: string) => call.store.grids.taken(call.space.id, 'name', candidate);
		const view = call.store.grids.create(
			call.space.id,
			{ name: given ?? freeName('View', '', taken), key, icon },
			{ base: call.base, cut },
		);
		return created(
			fill('/api/users/:userId/spaces/:spaceId/grids/:gridId', { ...call.params, gridId: view.id }),
		);
	},
);

/** The cut of the addressed virtual grid. @throws ServiceError 404 for a persistent grid */
function cutOf(call: GridCall): Cut {
	if (!call.grid.cut) throw notFound('Virtual grid');
	return call.grid.cut;
}

grid.put(
	'',
	'admin',
	{ on: { virtualGrid: 'replace' }, body: viewChange, response: responses.nothing },
	(call) => {
		const before = cutOf(call);
		const { name: wanted, fields, filter, sorting } = read(viewChange, call.body, 'Body');
		const cut = checkCut(call, { fields, filter, sorting: sorting ?? before.sorting }, before);
		call.store.grids.update(call.grid, { name: wanted, cut });
		return {};
	},
);

grid.post(
	'/FilterChange',
	'admin',
	{ on: { virtualGrid: 'filterChange' }, body: filterChange, response: responses.nothing },
	(call) => {
		const before = cutOf(call);
		const { filter } = read(filterChange, call.body, 'Body');
		parseFilter(filter, call.allFields);
		call.store.grids.update(call.grid, { cut: { ...before, filter } });
		return {};
	},
);

export const viewRoutes = grid.routes;
