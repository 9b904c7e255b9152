import type { Entity, InvalidInput, Values } from '../../../client';
import { unstableListError } from '../../shared/rows/unstableListError';
import { GridIndex, keyIn } from '../keys/gridIndex';
import type { KeyedRows } from '../keys/keyedRows';
import type { RowKey } from '../keys/keyColumns';
import { GridPlan } from './gridPlan';
import {
	changeOf,
	comparedColumns,
	planRow,
	unwrittenValues,
	updateOf,
	type InputRow,
	type Rules,
} from './plan';
import type { RowsToWrite, Scope } from './settings';
import { isUnwritten, type EntityChange, type RowChange } from './steps';

/** An item that can be written. */
export interface SyncItem extends InputRow {
	itemIndex: number;
	key: RowKey;
}

/** A change to a row that is not in the input has no item. */
type Step = RowChange & { itemIndex: number | undefined; key: RowKey };

/** A row after its update, with the values of its item that are not written. */
interface Difference {
	itemIndex: number;
	entity: Entity;
	values: Values;
}

export interface SyncPlan {
	/** Updates, then creations, then changes to rows that are not in the input. */
	steps: Step[];
	/** Number of changes to rows that are not in the input. */
	missing: number;
	totals: GridPlan;
	gridRows: number;
	/** Rows that differ where the grid owns the column; undefined if they are not reported. */
	differing: Difference[] | undefined;
}

export interface SyncPlanSource extends Scope {
	items: readonly SyncItem[];
	/** Items that are left out. */
	invalid: ReadonlyArray<{ itemIndex: number; error: InvalidInput }>;
	keyed: KeyedRows;
	rules: Rules;
	/** Whether rows that are not in the input are deleted, or else get the marks of the rules. */
	deletesOthers: boolean;
	rowsToWrite: RowsToWrite;
	reportsDifferences: boolean;
}

/** Computes the changes that make the grid match. @throws InvalidInput if it kept changing */
export async function planSync(source: SyncPlanSource): Promise<SyncPlan> {
	const { items, keyed, scope, isInScope, deletesOthers, reportsDifferences } = source;
	const { keys, fields, grid } = keyed;
	const { marks = {} } = source.rules;
	const written = new Set(items.flatMap(({ values }) => Object.keys(values)));
	const needs = comparedColumns({ keys, written, marks, scope });
	const itemsByKey = new Map(items.map((item) => [item.key.text, item]));
	const missingChange = (entity: Entity): EntityChange =>
		deletesOthers ? { kind: 'delete', entity, values: {} } : updateOf(source.rules.fields, entity, marks);
	const unwritten = (item: SyncItem, entity: Entity, rules: Rules): Values | undefined => {
		const values = reportsDifferences ? unwrittenValues(item, entity, rules) : {};
		return Object.keys(values).length > 0 ? values : undefined;
	};
	const isChanged = (entity: Entity, item: SyncItem | undefined, rules: Rules) =>
		(item ? changeOf(item, entity, rules) : missingChange(entity)).kind !== 'unchanged' ||
		(item && unwritten(item, entity, rules)) !== undefined;
	const keep = (entity: Entity) => {
		const { key, filled } = keyIn(keys, entity);
		const item = itemsByKey.get(key);
		const isCompared = isInScope(entity);
		return {
			...{ key: item?.key.text ?? key, filled },
			isInScope: isCompared,
			hasEmptyText: fields.some(({ id }) => entity[id] === ''),
			id: entity._id,
			// Whole rows would take most of the memory.
			entity: isCompared && isChanged(entity, item, source.rules) ? entity : undefined,
		};
	};
	const { items: rows, unstable } = await keyed.client.entities.manyAs(grid, keep, {}, { needs });
	if (unstable) throw unstableListError(grid);
	// If no row contains an empty text, the service may not store them, and each run would write
	// them again.
	const rules = { ...source.rules, emptyIsNone: !rows.some(({ hasEmptyText }) => hasEmptyText) };
	const index = new GridIndex(keys.columns.length);
	const entities = new Map<string, Entity>();
	for (const { id, entity, ...row } of rows) {
		index.add(id, row);
		if (entity) entities.set(id, entity);
	}
	const totals = new GridPlan({ ...source, noun: 'item', index });
	const updates: Step[] = [];
	const creations: Step[] = [];
	const differing: Difference[] = [];
	for (const item of items) {
		const { key, itemIndex } = item;
		const id = index.idOf(key.text);
		const entity = id === undefined ? undefined : entities.get(id);
		if (id !== undefined && !entity) {
			// Its row holds the same values.
			const { values } = item;
			const unchanged = { kind: 'unchanged', state: () => ({}), held: values, written: {} } as const;
			totals.add({ key, number: itemIndex, values, ...unchanged });
			continue;
		}
		for (const change of planRow(item, entity ? [entity] : [], rules)) {
			if (isUnwritten(change) || change.kind === 'delete') continue;
			const { kind, values: changed } = change;
			const state = { ...entity, ...changed };
			const compared = { key, number: itemIndex, values: item.values, kind, written: changed };
			const isTaken = totals.add({ ...compared, state: () => state, held: entity });
			if (isTaken) (entity ? updates : creations).push({ ...change, itemIndex, key });
			const values = entity && unwritten(item, entity, rules);
			if (values) differing.push({ itemIndex, entity: isTaken ? { ...entity, ...changed } : entity, values });
		}
	}
	for (const { itemIndex, error } of source.invalid) totals.leaveOut(itemIndex, error);
	const others = [...index.unclaimed()].flatMap((id): Step[] => {
		const entity = entities.get(id);
		if (!entity) return [];
		const change = missingChange(entity);
		if (change.kind === 'update') totals.requireScope(entity, () => ({ ...entity, ...change.values }));
		return [{ ...change, itemIndex: undefined, key: { text: keys.textOf(entity), values: entity } }];
	});
	totals.refuseConflicts();
	return {
		...{ totals, steps: [...updates, ...creations, ...others], missing: others.length },
		...{ gridRows: rows.length, differing: reportsDifferences ? differing : undefined },
	};
}
