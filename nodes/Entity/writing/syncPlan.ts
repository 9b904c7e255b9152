import { type Entity, type Field, ownMember, type Values } from '../../../client';
import { canonicalKey, hasKeyValue } from '../../shared/rows/equality';
import type { RowKey } from '../keys/keyedRows';
import { refuseKeysOutside, refuseLeaving, refuseSameKeys } from './checks';
import { changeOf, planRow, unwrittenValues, updateOf, type InputRow, type Rules } from './plan';
import type { RowsToWrite } from './settings';
import type { RowChange } from './steps';

/** A row as the input describes it. */
export interface Desired extends InputRow {
	itemIndex: number;
	key: RowKey;
	/** An invalid item is left out, and its row stays as it is. */
	isInvalid?: boolean;
}

/** A row of the grid, as far as a sync needs it: whole rows would take most of the memory. */
interface FoundRow {
	id: string;
	key: RowKey;
	/** Whether it is one of the rows to compare with. */
	isInScope: boolean;
	hasEmptyText: boolean;
	/** Undefined if the row stays as it is. */
	entity: Entity | undefined;
}

/** A change to a row that is not in the input has no item. */
type Step = RowChange & { itemIndex: number | undefined; key: RowKey };

export interface Plan {
	/** Updates, then creations, then changes to rows that are not in the input. */
	steps: Step[];
	unchanged: number;
	/** Number of rows compared with the input. */
	compared: number;
	/** Number of creations and updates that "Rows to Write" leaves out. */
	omitted: number;
	/** Rows that differ where the grid owns the column; undefined if they are not reported. */
	differing: Difference[] | undefined;
}

/** A row after its update, with the values of its item that are not written. */
interface Difference {
	itemIndex: number;
	entity: Entity;
	values: Values;
}

export interface PlanSource {
	desired: readonly Desired[];
	keys: readonly Field[];
	rules: Rules & Required<Pick<Rules, 'keyed'>>;
	/** Whether a row belongs to the rows to compare with; undefined if all do. */
	scope: ((row: Values) => boolean) | undefined;
	/** What happens to rows that are not in the input; values to set by field id. */
	missing: { kind: 'keep' | 'delete' } | { kind: 'setColumns'; values: Values };
	rowsToWrite: RowsToWrite;
	reportsDifferences: boolean;
}

/** Computes the changes that make a grid match the input, without sending anything. */
export class SyncPlan {
	private readonly inInput: ReadonlyMap<string, Desired>;
	private readonly describe: (values: Values) => string;

	/** @throws InvalidInput if a key occurs twice in the input */
	constructor(private readonly source: PlanSource) {
		const { desired, rules } = source;
		this.describe = (values) => rules.keyed?.describe(values) ?? '';
		const inInput = new Map<string, Desired>();
		for (const item of desired) if (!inInput.has(item.key.text)) inInput.set(item.key.text, item);
		if (inInput.size < desired.length)
			refuseSameKeys(desired, 'The input has several rows', (same) => {
				const items = same.map(({ itemIndex }) => itemIndex).join(', ');
				return `${this.describe(same[0]?.values ?? {})} (items ${items})`;
			});
		this.inInput = inInput;
	}

	/** What to keep of a row of the grid. */
	found = (entity: Entity): FoundRow => {
		const { keys, rules, scope } = this.source;
		const text = canonicalKey(keys, entity);
		const item = this.inInput.get(text);
		const isInScope = scope?.(entity) ?? true;
		return {
			id: entity._id,
			key: {
				text: item?.key.text ?? text,
				values: Object.fromEntries(keys.map(({ id }) => [id, ownMember(entity, id)])),
			},
			isInScope,
			hasEmptyText: rules.fields.some(({ id }) => ownMember(entity, id) === ''),
			entity: isInScope && this.isChanged(entity, item) ? entity : undefined,
		};
	};

	private isChanged(entity: Entity, item: Desired | undefined): boolean {
		const { rules } = this.source;
		if (!item) return this.missingChange(entity).kind !== 'unchanged';
		if (item.isInvalid === true) return false;
		return (
			changeOf(item, entity, rules).kind !== 'unchanged' || hasAny(this.differences(item, entity, rules))
		);
	}

	/**
	 * @param all all rows of the grid
	 * @throws InvalidInput if a key occurs twice in the grid, or a row would enter or leave the rows
	 *   to compare with
	 */
	stepsFor(all: readonly FoundRow[]): Plan {
		const { rowsToWrite, scope, reportsDifferences } = this.source;
		const desired = this.source.desired.filter(({ isInvalid }) => isInvalid !== true);
		const rows = all.filter(({ isInScope }) => isInScope);
		const inGrid = this.byKey(rows);
		const outside = all.filter(({ isInScope, key }) => !isInScope && this.inInput.has(key.text));
		const nameOf = ({ key, id }: FoundRow) => `${this.describe(key.values)} (row ${id})`;
		refuseKeysOutside(outside.length, outside.map(nameOf), 'an item');
		// If no row contains an empty text, the service may not store them, and each run would write
		// them again.
		const rules = { ...this.source.rules, emptyIsNone: !all.some(({ hasEmptyText }) => hasEmptyText) };
		const updates: Step[] = [];
		const creations: Step[] = [];
		const differing: Difference[] = [];
		for (const item of desired) {
			const { key, itemIndex } = item;
			const row = inGrid.get(key.text);
			if (row && !row.entity) continue;
			for (const change of planRow(item, row?.entity ? [row.entity] : [], rules)) {
				if (change.kind === 'create') creations.push({ ...change, itemIndex, key });
				if (change.kind !== 'update' && change.kind !== 'unchanged') continue;
				const { entity, values } = change;
				if (change.kind === 'update') updates.push({ ...change, itemIndex, key });
				const unwritten = this.differences(item, entity, rules);
				const state = rowsToWrite === 'onlyNew' ? entity : { ...entity, ...values };
				if (hasAny(unwritten)) differing.push({ itemIndex, entity: state, values: unwritten });
			}
		}
		const unchanged = desired.length - creations.length - updates.length;
		const steps = [
			...(rowsToWrite === 'onlyNew' ? [] : updates),
			...(rowsToWrite === 'onlyChanged' ? [] : creations),
		];
		const omitted = updates.length + creations.length - steps.length;
		steps.push(...this.missingSteps(rows));
		const leaving = steps.filter(
			({ kind, entity, values }) => scope && kind !== 'delete' && !scope({ ...entity, ...values }),
		);
		refuseLeaving(
			leaving.length,
			leaving.map(({ itemIndex, key }) => {
				const item = itemIndex === undefined ? '' : ` (item ${itemIndex})`;
				return `${this.describe(key.values)}${item}`;
			}),
		);
		return {
			...{ steps, unchanged, compared: rows.length, omitted },
			differing: reportsDifferences ? differing : undefined,
		};
	}

	/** The values of an item that differ from its row where the grid owns the column. */
	private differences(item: Desired, entity: Entity, rules: Rules): Values {
		return this.source.reportsDifferences ? unwrittenValues(item, entity, rules) : {};
	}

	/** The change to a row that is not in the input. */
	private missingChange(entity: Entity): RowChange {
		const { missing, rules } = this.source;
		if (missing.kind === 'setColumns') return updateOf(rules.fields, entity, missing.values);
		return { kind: missing.kind === 'delete' ? 'delete' : 'unchanged', entity, values: {} };
	}

	private missingSteps(rows: readonly FoundRow[]): Step[] {
		return rows.flatMap(({ key, entity }) =>
			entity && !this.inInput.has(key.text)
				? [{ ...this.missingChange(entity), itemIndex: undefined, key }]
				: [],
		);
	}

	/** The rows that an item can match. */
	private byKey(rows: readonly FoundRow[]): Map<string, FoundRow> {
		// A row without a value in a key column matches no item and duplicates no other row.
		const { keys } = this.source;
		const isWhole = (values: Values) => keys.every((field) => hasKeyValue(field, values));
		const keyed = rows.filter(({ key }) => isWhole(key.values) || this.inInput.has(key.text));
		const inGrid = new Map(keyed.map((row) => [row.key.text, row]));
		if (inGrid.size < keyed.length)
			refuseSameKeys(keyed, 'The grid has several rows', (same) => {
				const ids = same.map(({ id }) => id).join(', ');
				return `${this.describe(same[0]?.key.values ?? {})} (rows ${ids})`;
			});
		return inGrid;
	}
}

const hasAny = (values: Values) => Object.keys(values).length > 0;
