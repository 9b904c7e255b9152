import { viewCondition } from '../../rules/viewDefinition';
import { badRequest, notFound } from '../../rules/errors';
import {
	parseFilter,
	parseSorting,
	type Condition,
	type FilterJson,
	type Order,
	type SortingJson,
} from '../../rules/filter';
import { isComputed } from '../../rules/fieldTypes';
import type { Values } from '../../rules/layouts';
import { expandPath } from '../../http/links';
import type { Entity } from '../../store/rows/entities';
import type { ChangeEvent } from '../../store/events/events';
import type { Grid } from '../../store/structure/grids';
import type { Visible } from '../../store/events/visibleEvents';
import type { EntitiesCall, GridCall } from '../scopes';

/**
 * Access to the rows and columns of a grid. Callers with a role in the space can access all of them
 * at any address. A confined caller (a share of a stateful view, a public link) can access only
 * what the addressed grid shows.
 */

/**
 * The view of `viewId`, or else the addressed grid.
 * @throws ServiceError 404 for a view that the caller cannot access
 */
export function viewOf(call: EntitiesCall, viewId: string | undefined): Grid {
	if (viewId === undefined || viewId === call.grid.id) return call.grid;
	const view = call.confined ? undefined : call.store.grids.get(viewId);
	if (view?.baseNo !== call.base.no) throw notFound('View');
	return view;
}

/** The same call at the address of the persistent grid, which contains all entities. */
export const atPersistentGrid = <C extends EntitiesCall>(call: C): C => ({
	...call,
	params: { ...call.params, gridId: call.base.id },
});

/** Whether the addressed grid shows an entity. */
export const isShown = ({ store, base, grid, allFields }: EntitiesCall, entityId: string): boolean =>
	!grid.definition ||
	store.entities.get(base.no, entityId, viewCondition(grid.definition, allFields)) !== undefined;

/** The call at an address that contains the entity; undefined if the caller cannot access it. */
export function callContaining<C extends EntitiesCall>(call: C, entityId: string): C | undefined {
	if (isShown(call, entityId)) return call;
	return call.confined ? undefined : atPersistentGrid(call);
}

/** The path of a new entity. */
export const entityPath = (call: GridCall, entityId: string): string =>
	expandPath('/api/users/:userId/spaces/:spaceId/grids/:gridId/entities/:entityId', {
		...(callContaining(call, entityId) ?? call).params,
		entityId,
	});

/**
 * Parses a filter from a caller.
 * @throws ServiceError 400, also for a hidden field if the caller is confined
 */
export const filterOf = (call: EntitiesCall, filter: FilterJson): Condition =>
	parseFilter(filter, call.queryableFields);

/**
 * Parses a sorting from a caller. Hidden fields are refused, because the order would reveal their
 * values.
 */
export const sortingOf = (call: EntitiesCall, sorting: SortingJson): Order[] =>
	parseSorting(sorting, call.queryableFields);

/**
 * Creates an entity. In a view, omitted values default to those that the filter requires with
 * `$eq`.
 * @throws ServiceError 400 if a confined caller would create it outside the view
 */
export function createEntity(call: EntitiesCall, given: Values): Entity {
	const { store, grid, base, allFields, confined, actor } = call;
	if (!confined || !grid.definition) return store.entities.create(base.no, given, actor);
	const condition = viewCondition(grid.definition, allFields);
	const values = { ...given };
	for (const part of condition.op === 'all' ? condition.of : [condition]) {
		if (part.op !== 'eq' || isComputed(part.field)) continue;
		values[part.field.id] ??= part.value;
	}
	return store.transaction(() => {
		const entity = store.entities.create(base.no, values, actor);
		if (!store.entities.get(base.no, entity.id, condition))
			throw badRequest('With these values, the entity would not be in the view that you may access');
		return entity;
	});
}

/** The fields that a condition depends on. */
function fieldsOf(condition: Condition): string[] {
	if ('field' in condition) return [condition.field.id];
	if ('fields' in condition) return condition.fields.map((field) => field.id);
	return condition.op === 'not' ? fieldsOf(condition.of) : condition.of.flatMap(fieldsOf);
}

/** The part of the change log that a confined caller may see; undefined without a restriction. */
export function visibleTo(call: GridCall): Visible | undefined {
	if (!call.confined) return undefined;
	const condition = viewCondition(call.grid.definition, call.allFields);
	const shown = call.fields.map((field) => field.id);
	return { condition, fieldIds: [...new Set([...shown, ...fieldsOf(condition)])] };
}

/**
 * The changes of an event that the caller may see. With a filter, a confined caller gets no values,
 * because it is unknown whether the row was in the view at that time.
 */
export function visibleChanges(call: GridCall): (event: ChangeEvent) => ChangeEvent['changes'] {
	if (!call.confined) return (event) => event.changes;
	if (fieldsOf(viewCondition(call.grid.definition, call.allFields)).length > 0) return () => [];
	const shown = new Set(call.fields.map((field) => field.id));
	return (event) => event.changes.filter((change) => shown.has(change.fieldId));
}
