import { z } from 'zod/v4';
import { LIMITS } from '../../rules/limits';
import { propertiesObject } from '../../rules/jsonObject';
import * as responses from '../../http/responseSchemas';
import { timeWithOffset } from '../../rules/times';
import { viewProblems } from '../../rules/viewDefinition';
import { jsonSchemaOf, isComputed, type Field } from '../../rules/fieldTypes';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import { pageQuery, rangeOf } from '../../http/paging';
import type { Grid } from '../../store/structure/grids';
import { freeName, nameText } from '../../rules/text';
import { eventPresenter } from '../rows/entities';
import { pageResponse } from '../rows/pages';
import { visibleTo } from '../rows/rowAccess';
import { created } from '../../http/route';
import { inGrid, inSpace, linksFor, openGridOf, type GridCall, type SpaceCall } from '../scopes';
import { symbol } from './spaces';

const name = nameText(LIMITS.nameLength);
const key = nameText(LIMITS.keyLength);
const properties = propertiesObject;

const newGrid = z.strictObject({
	name,
	key: key.optional(),
	createView: z.boolean().default(false),
	icon: symbol.optional(),
	properties: properties.optional(),
});
const gridChange = z.strictObject({ name, key, icon: symbol, properties }).partial();
const listQuery = z.object({ ...pageQuery().shape, type: z.enum(['persistent', 'virtual']).optional() });
const updatesQuery = z.object({
	...pageQuery().shape,
	// A `+` that is not percent-encoded is decoded as a space.
	since: z.preprocess(
		(text) => (typeof text === 'string' ? text.replace(/ (?=\d\d(:?\d\d)?$)/, '+') : text),
		timeWithOffset,
	),
});

/** A field (§2.5). */
export function fieldView(call: SpaceCall, gridId: string, field: Field) {
	const { id, name: fieldName, key: fieldKey, description, type } = field;
	const _links = linksFor(call, 'field', { gridId, fieldId: id });
	return { id, name: fieldName, key: fieldKey, description, type, schema: jsonSchemaOf(type), _links };
}

/**
 * A grid (§2.4).
 * @param full whether to return the full representation, which in version 2 has `fields`
 */
export function gridView(call: SpaceCall, grid: Grid, full: boolean) {
	const virtual = grid.baseNo !== null;
	const opened = full ? openGridOf(call.store, grid) : undefined;
	// Filter and sorting would reveal hidden columns.
	const selection =
		opened && grid.definition && !call.confined
			? {
					filter: grid.definition.filter,
					sorting: grid.definition.sorting,
					problems: viewProblems(grid.definition, opened.allFields),
				}
			: {};
	const fields = call.version2 ? opened?.fields : undefined;
	return {
		_representation: full ? 'full' : 'summary',
		id: grid.id,
		name: grid.name,
		key: grid.key,
		type: virtual ? 'virtual' : 'persistent',
		metaType: 'grid',
		displayValue: grid.name,
		icon: grid.icon,
		properties: grid.properties,
		...selection,
		...(fields ? { fields: fields.map((field) => fieldView(call, grid.id, field)) } : {}),
		_links: linksFor(call, virtual ? 'virtualGrid' : 'grid', { gridId: grid.id }),
	};
}

/** JSON Schema of the entities of a grid, by field ID. */
export function entitySchema(call: Pick<GridCall, 'grid' | 'url'>, fields: readonly Field[]) {
	const property = (field: Field) => ({
		title: field.name,
		...(field.description === null ? {} : { description: field.description }),
		anyOf: [jsonSchemaOf(field.type), { type: 'null' }],
		...(isComputed(field) ? { readOnly: true } : {}),
		'x-key': field.key,
		'x-type': field.type,
	});
	return {
		$schema: 'https://json-schema.org/draft/2020-12/schema',
		type: 'object',
		title: call.grid.name,
		properties: Object.fromEntries(fields.map((field) => [field.id, property(field)])),
		additionalProperties: false,
		_links: { self: { href: call.url, method: 'get' } },
	};
}

const grids = inSpace('/grids');

grids.get(
	'',
	'reader',
	{ on: { space: 'grids' }, query: listQuery, response: responses.pageOf(responses.grid) },
	(call) => {
		const query = parseInput(listQuery, call.query, 'Query');
		const page = call.store.grids.page(call.space.id, query.type, rangeOf(query));
		return pageResponse(page, (grid) => gridView(call, grid, false), query, call);
	},
);

grids.post('', 'admin', { on: { space: 'addGrid' }, body: newGrid, response: 'created' }, (call) => {
	const { createView, ...given } = parseInput(newGrid, call.body, 'Body');
	const grid = call.store.transaction(() => {
		const made = call.store.addGrid(call.space.id, given);
		if (createView) {
			// The first view needs a different name: names are unique among all grids of the space
			// (§8).
			const definition = { fields: null, filter: {}, sorting: {} };
			const viewName = freeName(given.name, ' view', (candidate) =>
				call.store.grids.isTaken(call.space.id, 'name', candidate),
			);
			call.store.grids.create(call.space.id, { name: viewName }, { base: made, definition });
		}
		return made;
	});
	return created(
		expandPath('/api/users/:userId/spaces/:spaceId/grids/:gridId', { ...call.params, gridId: grid.id }),
	);
});

const grid = inGrid('');

grid.get('', 'reader', { on: { grid: 'self', virtualGrid: 'self' }, response: responses.grid }, (call) =>
	gridView(call, call.grid, true),
);

grid.patch(
	'',
	'admin',
	{ on: { grid: 'update', virtualGrid: 'update' }, body: gridChange, response: responses.nothing },
	(call) => {
		call.store.grids.update(call.grid, parseInput(gridChange, call.body, 'Body'));
		return {};
	},
);

grid.delete(
	'',
	'admin',
	{ on: { grid: 'remove', virtualGrid: 'remove' }, response: responses.deleted },
	(call) => {
		call.store.removeGrid(call.grid);
		return 'deleted';
	},
);

grid.get(
	'/schema',
	'reader',
	{ on: { grid: 'schema', virtualGrid: 'schema' }, response: responses.schema },
	(call) => entitySchema(call, call.fields),
);

grid.get(
	'/updates',
	'reader',
	{
		on: { grid: 'updates', virtualGrid: 'updates' },
		query: updatesQuery,
		response: responses.pageOf(responses.event),
	},
	async (call) => {
		const query = parseInput(updatesQuery, call.query, 'Query');
		const window = rangeOf(query);
		const since = Date.parse(query.since);
		const visible = visibleTo(call);
		const numbers = visible
			? await call.store.visibleEvents.page(call.base.no, visible, { since, ...window })
			: call.store.events.since(call.base.no, since, window.offset, window.limit);
		const records = call.store.eventRecords.page(call.base.no, numbers, visible?.condition);
		return pageResponse(records, eventPresenter(call), query, call);
	},
);

export const gridRoutes = [...grids.routes, ...grid.routes];
