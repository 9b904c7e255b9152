import { z } from 'zod/v4';
import * as responses from '../../http/responseSchemas';
import { badRequest, notFound } from '../../rules/errors';
import { parseInput } from '../../http/input';
import { collectionOf, plainPage } from '../../http/paging';
import { inGrid, inSpace, linksFor } from '../scopes';

// Not in the specification: what the page deletes can be restored.

const noMembers = z.strictObject({});
/** Requests without input: the body is missing or an empty object. */
const noInput = { body: noMembers, optional: true, response: responses.nothing } as const;

const discarding = inGrid('/discard');

discarding.post('', 'admin', { on: { grid: 'discard' }, ...noInput }, (call) => {
	parseInput(noMembers, call.body ?? {}, 'Body');
	if (call.grid.baseNo !== null) throw badRequest('A view is deleted, not discarded');
	call.store.grids.discard(call.grid);
	return {};
});

const grids = inSpace('/discardedGrids');

grids.get(
	'',
	'admin',
	{
		on: { space: 'discardedGrids' },
		query: plainPage,
		response: responses.pageOf(responses.discardedGrid),
	},
	(call) => {
		const page = parseInput(plainPage, call.query, 'Query');
		const list = collectionOf(call.store.grids.discarded(call.space.id), page, call.url);
		const view = ({ grid, discardedAt }: (typeof list.items)[number]) => ({
			id: grid.id,
			name: grid.name,
			discardedAt: new Date(discardedAt).toISOString(),
			_links: linksFor(call, 'discardedGrid', { gridId: grid.id }),
		});
		return { ...list, items: list.items.map(view) };
	},
);

grids.post('/:gridId/restore', 'admin', { on: { discardedGrid: 'restore' }, ...noInput }, (call) => {
	parseInput(noMembers, call.body ?? {}, 'Body');
	const found = call.store.grids
		.discarded(call.space.id)
		.find(({ grid }) => grid.id === call.params['gridId']);
	if (!found) throw notFound('Discarded grid');
	call.store.grids.restore(call.space.id, found.grid);
	return {};
});

const fields = inGrid('/removedFields');

fields.get(
	'',
	'admin',
	{ on: { grid: 'removedFields' }, query: plainPage, response: responses.pageOf(responses.removedField) },
	(call) => {
		const page = parseInput(plainPage, call.query, 'Query');
		const list = collectionOf(call.store.fields.removed(call.base.no), page, call.url);
		const view = ({ field, removedAt }: (typeof list.items)[number]) => ({
			id: field.id,
			name: field.name,
			removedAt: new Date(removedAt).toISOString(),
			_links: linksFor(call, 'removedField', { fieldId: field.id }),
		});
		return { ...list, items: list.items.map(view) };
	},
);

fields.post('/:fieldId/restore', 'admin', { on: { removedField: 'restore' }, ...noInput }, (call) => {
	parseInput(noMembers, call.body ?? {}, 'Body');
	if (!call.store.fields.restore(call.base.no, call.params['fieldId'] ?? '')) throw notFound('Removed field');
	return {};
});

export const restoringRoutes = [...discarding.routes, ...grids.routes, ...fields.routes];
