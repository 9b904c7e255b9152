import { z } from 'zod/v4';
import { LIMITS } from '../../rules/limits';
import { allows } from '../../rules/access';
import * as responses from '../../http/responseSchemas';
import { viewCondition, viewOrders } from '../../rules/viewDefinition';
import { badRequest, notFound } from '../../rules/errors';
import { filterSchema, sortingSchema, type Condition } from '../../rules/filter';
import { convertValue, type Field } from '../../rules/fieldTypes';
import { jsonText } from '../../rules/jsonObject';
import {
	entityBody,
	layouts,
	readBody,
	recordBody,
	writeValues,
	type Layout,
	type Values,
} from '../../rules/layouts';
import { parseInput } from '../../http/input';
import { pageQuery, plainPage, rangeOf } from '../../http/paging';
import type { Entity } from '../../store/rows/entities';
import type { EventRecord } from '../../store/events/eventRecords';
import { columnText } from '../../rules/text';
import { pageResponse } from './pages';
import {
	atPersistentGrid,
	createEntity,
	entityPath,
	filterOf,
	callContaining,
	isShown,
	sortingOf,
	viewOf,
	visibleChanges,
	visibleTo,
} from './rowAccess';
import { created } from '../../http/route';
import { inGrid, shownFields, type EntitiesCall, type GridCall } from '../scopes';

/** `layout` with its default, which differs between operations (§4.5). */
const layoutQuery = (standard: Layout) => z.object({ layout: z.enum(layouts).default(standard) });
const fieldLayout = layoutQuery('field');
const indexedLayout = layoutQuery('indexed');

const noMembers = z.strictObject({});

const listQuery = z.object({
	...pageQuery().shape,
	...fieldLayout.shape,
	viewId: columnText(LIMITS.textLength).optional(),
	filter: jsonText(filterSchema).optional(),
	sorting: jsonText(sortingSchema).optional(),
	compose: z.enum(['true', 'false']).default('true'),
});

/** The values of an entity, including computed ones. */
export function allValues(fields: readonly Field[], entity: Entity): Values {
	let values = entity.values;
	for (const field of fields) {
		if (field.type.name === 'createdat')
			values = { ...values, [field.id]: new Date(entity.createdAt).toISOString() };
		if (field.type.name === 'createdby') values = { ...values, [field.id]: entity.createdBy };
	}
	return values;
}

/** The links of §2.6. An entity in a list has only these, a single entity has all. */
const SUMMARY_LINKS = ['self', 'update', 'remove'];

/** Returns a function that makes representations of entities (§2.6) for this caller. */
export function entityPresenter(
	call: EntitiesCall,
	layout: Layout,
	representation: 'full' | 'summary',
	fields = call.fields,
) {
	const only = representation === 'summary' ? SUMMARY_LINKS : undefined;
	const links = call.links.prepareLinks(call.kinds.entity, call.role, call.params, {
		differing: 'entityId',
		only,
	});
	return (entity: Entity) => ({
		_id: entity.id,
		_representation: representation,
		...writeValues(layout, fields, allValues(fields, entity)),
		_links: links(entity.id),
	});
}

/** The addressed entity. @throws ServiceError 404 */
export function entityOf(call: EntitiesCall): Entity {
	const entity = call.store.entities.get(
		call.base.no,
		call.params['entityId'] ?? '',
		viewCondition(call.grid.definition, call.allFields),
	);
	if (!entity) throw notFound('Entity');
	return entity;
}

/** Parses the query of a list: page, layout, view, filter and sorting (§4.5). */
function selectionOf(call: EntitiesCall) {
	const query = parseInput(listQuery, call.query, 'Query');
	const view = viewOf(call, query.viewId);
	const { definition } = view;
	const conditions: Condition[] = [];
	// A confined caller cannot bypass the filter of the view.
	const combined = query.compose === 'true' || !query.filter || call.confined;
	if (definition && combined) conditions.push(viewCondition(definition, call.allFields));
	if (query.filter) conditions.push(filterOf(call, query.filter));
	const orders = query.sorting ? sortingOf(call, query.sorting) : viewOrders(definition, call.allFields);
	const shown = shownFields(view, call.allFields);
	// The address of a view responds with 404 to entities outside it.
	const within = view === call.grid && combined;
	const at = call.grid.definition && !within ? atPersistentGrid(call) : call;
	const parts = conditions.flatMap((one) => (one.op === 'all' ? one.of : [one]));
	const [only] = parts;
	const condition: Condition = parts.length === 1 && only ? only : { op: 'all', of: parts };
	return { query, shown, at, selection: { condition, orders, ...rangeOf(query), caller: call.caller } };
}

/**
 * Returns a function that makes items of history and updates feed (see service/README.md) with the
 * current state of the entity. Only existing entities have a link.
 */
export function eventPresenter(call: GridCall) {
	const linksOf = (at: GridCall) =>
		at.links.prepareLinks('entity', at.role, at.params, { differing: 'entityId', only: ['self'] });
	const [here, below] = [linksOf(call), linksOf(atPersistentGrid(call))];
	// A view does not say whether it would show the entity.
	const restoring = call.confined
		? () => ({})
		: call.links.prepareLinks('deletedEntity', call.role, atPersistentGrid(call).params, {
				differing: 'entityId',
			});
	const changesOf = visibleChanges(call);
	const nameOf = (userId: string) =>
		call.confined ? null : (call.store.accounts.user(userId)?.name ?? null);
	return ({ event, entity }: EventRecord) => {
		const { self } = entity ? (callContaining(call, entity.id) === call ? here : below)(entity.id) : {};
		return {
			id: `${call.base.id}-${event.seq}`,
			type: event.type,
			timestamp: new Date(event.at).toISOString(),
			entityId: event.entityId,
			userId: event.userId,
			userName: nameOf(event.userId),
			changes: changesOf(event),
			...(entity ? { entity: writeValues('field', call.fields, allValues(call.fields, entity)) } : {}),
			_links: self ? { entity: self } : event.type === 'deleted' && !entity ? restoring(event.entityId) : {},
		};
	};
}

/** Input and output of the endpoints of entities, below a grid or a public link. */
export const aboutList = { query: listQuery, response: responses.pageOf(responses.entity) };
export const aboutEntity = { query: fieldLayout, response: responses.entity };
export const aboutUpdate = { ...aboutEntity, body: entityBody };

/** A page of the entities. */
export async function listEntities(call: EntitiesCall) {
	const { query, shown, at, selection } = selectionOf(call);
	const page = await call.store.selections.page(call.base.no, selection);
	const present = entityPresenter(at, query.layout, 'summary', shown);
	return pageResponse(page, present, query, call);
}

/** The stored entities of a page, and the fields that it shows. */
export async function entitiesOf(call: EntitiesCall) {
	const { shown, selection } = selectionOf(call);
	return { page: await call.store.selections.page(call.base.no, selection), shown };
}

/** The addressed entity. */
export function getEntity(call: EntitiesCall) {
	const { layout } = parseInput(fieldLayout, call.query, 'Query');
	return entityPresenter(call, layout, 'full')(entityOf(call));
}

/**
 * Writes values to the addressed entity.
 * @param check throws if they may not be written
 * @returns its new state
 */
export function updateEntity(call: EntitiesCall, check?: ValuesCheck) {
	const { layout } = parseInput(fieldLayout, call.query, 'Query');
	return written(call, layout, write(call, layout, check));
}

/** @param values by field, those that are not changed left out */
type ValuesCheck = (before: Entity, values: Values) => void;

const entities = inGrid('/entities');

entities.get('', 'reader', { on: { grid: 'entities', virtualGrid: 'entities' }, ...aboutList }, listEntities);

entities.post(
	'',
	'creator',
	{
		on: { grid: 'addEntity', virtualGrid: 'addEntity' },
		query: indexedLayout,
		body: entityBody,
		response: 'created',
	},
	(call) => {
		const { layout } = parseInput(indexedLayout, call.query, 'Query');
		if (call.body === undefined)
			throw badRequest('The body is missing. For an entity without values, send an empty object');
		const values = readBody(layout, call.fields, call.body, { hideFields: !allows(call.role, 'reader') });
		const entity = createEntity(call, values);
		return created(entityPath(call, entity.id));
	},
);

entities.get('/:entityId', 'reader', { on: { entity: 'self' }, ...aboutEntity }, getEntity);

/** Writes values and returns the new state of the entity. */
function write(call: EntitiesCall, layout: Layout, check?: ValuesCheck) {
	const before = entityOf(call);
	const named = readBody(layout, call.fields, call.body, { current: allValues(call.fields, before) });
	check?.(before, named);
	const entity = call.store.entities.update(call.base.no, before.id, named, call.actor);
	if (!entity) throw notFound('Entity');
	return entity;
}

/**
 * The new state of an entity. If the update removes it from the addressed view, its links point
 * below the grid or are omitted.
 */
function written(call: EntitiesCall, layout: Layout, entity: Entity) {
	const at = callContaining(call, entity.id);
	const view = entityPresenter(at ?? call, layout, 'full', call.fields)(entity);
	return at ? view : { ...view, _links: {} };
}

entities.put('/:entityId', 'writer', { on: { entity: 'update' }, ...aboutUpdate }, updateEntity);

entities.post(
	'/:entityId/update',
	'writer',
	{ on: { entity: 'updateByKeyAndField' }, ...aboutEntity, body: recordBody },
	(call) => {
		// §4.5: the body is always keyAndField; layout applies to the response only.
		const { layout } = parseInput(fieldLayout, call.query, 'Query');
		return written(call, layout, write(call, 'keyAndField'));
	},
);

entities.delete('/:entityId', 'writer', { on: { entity: 'remove' }, response: responses.deleted }, (call) => {
	const { id } = entityOf(call);
	call.store.entities.remove(call.base.no, id, call.actor);
	return 'deleted';
});

/** What the columns of a grid accept now of former values; those of removed columns stay. */
const fitting = (call: GridCall) => {
	const fields = new Map(call.allFields.map((field) => [field.id, field]));
	const removed = new Set(call.store.fields.removed(call.base.no).map(({ field }) => field.id));
	return (values: Values): Values =>
		Object.fromEntries(
			Object.entries(values).flatMap(([id, value]) => {
				const field = fields.get(id);
				if (field) return [[id, convertValue(field, value)] as const];
				return removed.has(id) ? [[id, value] as const] : [];
			}),
		);
};

// Not in the specification: a deletion can be undone, and links to the entity work again.
entities.post(
	'/:entityId/restore',
	'writer',
	{ on: { deletedEntity: 'restore' }, ...aboutEntity, body: noMembers, optional: true },
	(call) => {
		parseInput(noMembers, call.body ?? {}, 'Body');
		const { layout } = parseInput(fieldLayout, call.query, 'Query');
		const id = call.params['entityId'] ?? '';
		if (call.confined) throw notFound('Deleted entity');
		if (call.store.entities.get(call.base.no, id)) throw badRequest('The entity is not deleted');
		const entity = call.store.entities.restore(call.base.no, id, fitting(call), call.actor);
		if (!entity) throw notFound('Deleted entity');
		return written(call, layout, entity);
	},
);

entities.get(
	'/:entityId/events',
	'reader',
	{ on: { entity: 'events' }, query: plainPage, response: responses.pageOf(responses.event) },
	async (call) => {
		const page = parseInput(plainPage, call.query, 'Query');
		const window = rangeOf(page);
		const entityId = call.params['entityId'] ?? '';
		if (!isShown(call, entityId) && call.store.entities.get(call.base.no, entityId)) throw notFound('Entity');
		const visible = visibleTo(call);
		const numbers = visible
			? await call.store.visibleEvents.page(call.base.no, visible, { entityId, newestFirst: true, ...window })
			: call.store.events.ofEntity(call.base.no, entityId, window.offset, window.limit);
		// The history outlives its entity, but may be trimmed; an unknown ID has none.
		if (numbers.total === 0) entityOf(call);
		const records = call.store.eventRecords.page(call.base.no, numbers, visible?.condition);
		return pageResponse(records, eventPresenter(call), page, call);
	},
);

export const entityRoutes = entities.routes;
