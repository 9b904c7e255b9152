import { cutCondition } from '../../rules/cut';
import { badRequest, notFound } from '../../rules/errors';
import {
	parseFilter,
	parseSorting,
	type Condition,
	type FilterJson,
	type Order,
	type SortingJson,
} from '../../rules/filter';
import { isComputed, type Field } from '../../rules/fieldTypes';
import type { Values } from '../../rules/layouts';
import { fill } from '../../http/links';
import type { Entity } from '../../store/rows/entities';
import type { ChangeEvent } from '../../store/events/events';
import type { Grid } from '../../store/structure/grids';
import type { Store } from '../../store/store';
import type { Visible } from '../../store/events/visibleEvents';
import type { GridCall } from '../scopes';

/**
 * What a caller reaches of a grid. One with a role in the space reaches all of it, by whatever
 * address. A confined caller (a share of a stateful view, a public link) reaches the rows and
 * columns that the addressed grid shows.
 */

/**
 * The view that `viewId` names, or the grid as addressed.
 * @throws ServiceError 404 for one that this caller does not reach
 */
export function viewOf(call: GridCall, viewId: string | undefined): Grid {
	if (viewId === undefined || viewId === call.grid.id) return call.grid;
	const view = call.confined ? undefined : call.store.grids.get(viewId);
	if (view?.baseNo !== call.base.no) throw notFound('View');
	return view;
}

/**
 * The same call by the address of the grid that holds all entities: a view shows only some of them.
 */
export const belowBase = (call: GridCall): GridCall => ({
	...call,
	params: { ...call.params, gridId: call.base.id },
});

/** Whether the addressed grid shows an entity. */
const isShown = ({ store, base, grid, allFields }: GridCall, entityId: string): boolean =>
	!grid.cut || store.entities.get(base.no, entityId, cutCondition(grid.cut, allFields)) !== undefined;

/**
 * The call by an address below which this entity is found; undefined if the caller reaches it by
 * none.
 */
export function reaching(call: GridCall, entityId: string): GridCall | undefined {
	if (isShown(call, entityId)) return call;
	return call.confined ? undefined : belowBase(call);
}

/** The address of an entity that was just created. */
export const entityPath = (call: GridCall, entityId: string): string =>
	fill('/api/users/:userId/spaces/:spaceId/grids/:gridId/entities/:entityId', {
		...(reaching(call, entityId) ?? call).params,
		entityId,
	});

/**
 * A filter that the caller sent.
 * @throws ServiceError 400 also for a hidden field, where the caller reaches none
 */
export const filterOf = (call: GridCall, filter: FilterJson): Condition => parseFilter(filter, call.nameable);

/** A sorting that the caller sent: by a hidden field it would tell its values. */
export const sortingOf = (call: GridCall, sorting: SortingJson): Order[] =>
	parseSorting(sorting, call.nameable);

/** Where an entity is created, and by whom. */
interface Creation {
	readonly store: Store;
	readonly grid: Grid;
	readonly base: Grid;
	readonly allFields: readonly Field[];
	/** Whether what is created must lie within what the grid shows. */
	readonly confined: boolean;
}

/**
 * Creates an entity. Within a view it takes the values that the view's filter asks for with `$eq`,
 * where none are given.
 * @throws ServiceError 400 when a confined caller would create it outside of the view
 */
export function createEntity(place: Creation, given: Values, actor: string): Entity {
	const { store, grid, base, allFields, confined } = place;
	if (!confined || !grid.cut) return store.entities.create(base.no, given, actor);
	const condition = cutCondition(grid.cut, allFields);
	const values = { ...given };
	for (const part of condition.op === 'all' ? condition.of : [condition]) {
		if (part.op !== 'eq' || isComputed(part.field)) continue;
		values[part.field.id] ??= part.value;
	}
	return store.transaction(() => {
		const entity = store.entities.create(base.no, values, actor);
		if (!store.entities.get(base.no, entity.id, condition))
			throw badRequest('With these values the entry would lie outside of what you may see');
		return entity;
	});
}

/** The fields that decide whether an entity lies within a condition. */
function fieldsOf(condition: Condition): string[] {
	if ('field' in condition) return [condition.field.id];
	if ('fields' in condition) return condition.fields.map((field) => field.id);
	return condition.op === 'not' ? fieldsOf(condition.of) : condition.of.flatMap(fieldsOf);
}

/** What a confined caller sees of the change log; undefined where the caller sees all of it. */
export function visibleTo(call: GridCall): Visible | undefined {
	if (!call.confined) return undefined;
	const condition = cutCondition(call.grid.cut, call.allFields);
	const shown = call.fields.map((field) => field.id);
	return { condition, fieldIds: [...new Set([...shown, ...fieldsOf(condition)])] };
}

/**
 * The changes of an event as this caller may see them. With a filter nobody knows whether the row
 * was within the view at that time, so a confined caller hears that it changed and not from what to
 * what.
 */
export function visibleChanges(call: GridCall): (event: ChangeEvent) => ChangeEvent['changes'] {
	if (!call.confined) return (event) => event.changes;
	if (fieldsOf(cutCondition(call.grid.cut, call.allFields)).length > 0) return () => [];
	const shown = new Set(call.fields.map((field) => field.id));
	return (event) => event.changes.filter((change) => shown.has(change.fieldId));
}
