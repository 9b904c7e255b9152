import { isDeepStrictEqual } from 'node:util';
import { LIMITS, sizeText } from '../../rules/limits';
import { z } from 'zod/v4';
import { allows } from '../../rules/access';
import * as responses from '../../http/responseSchemas';
import { badRequest, notFound } from '../../rules/errors';
import { listOf } from '../../rules/jsonObject';
import { filterSchema, parseFilter, parseSorting, sortingSchema } from '../../rules/filter';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import { plainPage, rangeOf } from '../../http/paging';
import type { ViewDefinition } from '../../rules/viewDefinition';
import { freeName, nameText } from '../../rules/text';
import type { Grid } from '../../store/structure/grids';
import { fieldOf } from './fields';
import { gridView } from './grids';
import { pageResponse } from '../rows/pages';
import { created } from '../../http/route';
import { inGrid, roleOn, type GridCall } from '../scopes';
import { symbol } from './spaces';

const name = nameText(LIMITS.nameLength);

const newView = z.strictObject({
	name: name.optional(),
	key: nameText(LIMITS.keyLength).optional(),
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

function checkSize(definition: ViewDefinition): void {
	if (Buffer.byteLength(JSON.stringify(definition)) > LIMITS.definitionBytes)
		throw badRequest(
			`The columns, filter and sorting of a view have at most ${sizeText(LIMITS.definitionBytes)} as JSON`,
		);
}

/**
 * Refuses a definition with unknown fields (§7: unknown field identifier).
 * @param before the stored definition: its unchanged parts are accepted even if they no longer fit
 *   the fields
 */
function checkDefinition(
	call: GridCall,
	definition: ViewDefinition,
	before?: ViewDefinition,
): ViewDefinition {
	checkSize(definition);
	for (const id of definition.fields ?? []) fieldOf(call, id);
	if (new Set(definition.fields).size !== definition.fields?.length)
		throw badRequest('A view cannot show a field twice');
	if (!isDeepStrictEqual(definition.filter, before?.filter)) parseFilter(definition.filter, call.allFields);
	if (!isDeepStrictEqual(definition.sorting, before?.sorting))
		parseSorting(definition.sorting, call.allFields);
	return definition;
}

const grid = inGrid('');

grid.get(
	'/virtualgrids',
	'reader',
	{ on: { grid: 'virtualGrids' }, query: plainPage, response: responses.pageOf(responses.grid) },
	(call) => {
		const page = parseInput(plainPage, call.query, 'Query');
		const isAccessible = (no: number) => !call.confined || allows(roleOn(call, { no }).role, 'reader');
		const views = call.store.grids.pageOfViews(call.base.no, isAccessible, rangeOf(page));
		// Each view may be shared with another role.
		const callOn = (view: Grid) => ({ ...call, role: roleOn(call, view).role });
		return pageResponse(views, (view) => gridView(callOn(view), view, false), page, call);
	},
);

grid.post(
	'/virtualgrids',
	'admin',
	{ on: { grid: 'addVirtualGrid' }, body: newView, response: 'created' },
	(call) => {
		const { name: given, key, icon, fields, filter, sorting } = parseInput(newView, call.body, 'Body');
		const definition = checkDefinition(call, { fields, filter, sorting });
		const taken = (candidate: string) => call.store.grids.isTaken(call.space.id, 'name', candidate);
		const view = call.store.grids.create(
			call.space.id,
			{ name: given ?? freeName('View', '', taken), key, icon },
			{ base: call.base, definition },
		);
		return created(
			expandPath('/api/users/:userId/spaces/:spaceId/grids/:gridId', { ...call.params, gridId: view.id }),
		);
	},
);

/** The definition of the addressed virtual grid. @throws ServiceError 404 for a persistent grid */
function definitionOf(call: GridCall): ViewDefinition {
	if (!call.grid.definition) throw notFound('Virtual grid');
	return call.grid.definition;
}

grid.put(
	'',
	'admin',
	{ on: { virtualGrid: 'replace' }, body: viewChange, response: responses.nothing },
	(call) => {
		const before = definitionOf(call);
		const { name: wanted, fields, filter, sorting } = parseInput(viewChange, call.body, 'Body');
		const definition = checkDefinition(call, { fields, filter, sorting: sorting ?? before.sorting }, before);
		call.store.grids.update(call.grid, { name: wanted, definition });
		return {};
	},
);

grid.post(
	'/FilterChange',
	'admin',
	{ on: { virtualGrid: 'filterChange' }, body: filterChange, response: responses.nothing },
	(call) => {
		const before = definitionOf(call);
		const { filter } = parseInput(filterChange, call.body, 'Body');
		const definition = { ...before, filter };
		checkSize(definition);
		parseFilter(filter, call.allFields);
		call.store.grids.update(call.grid, { definition });
		return {};
	},
);

export const viewRoutes = grid.routes;
