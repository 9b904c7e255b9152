import { addToGroup, type Entity, type Field, InvalidInput, ownMember, type Values } from '../../../client';
import { canonicalKey, hasKeyValue } from '../../shared/rows/equality';
import { CLEAN_UP, type RowKey } from '../keys/keyedRows';
import { differing } from './differences';
import type { WritableValues } from './columnRules';
import type { RowChange } from './rowChanges';
import type { RowsToWrite } from './settings';

/** A row as the input describes it. */
export interface Desired {
	itemIndex: number;
	values: Values;
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
	fields: readonly Field[];
	/** Whether a row belongs to the rows to compare with; undefined if all do. */
	scope: ((row: Values) => boolean) | undefined;
	/** What happens to rows that are not in the input; values to set by field id. */
	missing: { kind: 'keep' | 'delete' } | { kind: 'setColumns'; values: Values };
	rowsToWrite: RowsToWrite;
	/** The values that may be written to a row that exists. */
	writable: WritableValues;
	/** The values of an item in columns that the grid owns; undefined if they are not reported. */
	gridOwned: ((values: Values) => Values) | undefined;
	/** Describes a key for messages. */
	describe: (values: Values) => string;
}

/** Computes the changes that make a grid match the input, without sending anything. */
export class SyncPlan {
	private readonly inInput: ReadonlyMap<string, Desired>;

	/** @throws InvalidInput if a key occurs twice in the input */
	constructor(private readonly source: PlanSource) {
		const { desired, describe } = source;
		const inInput = new Map<string, Desired>();
		for (const item of desired) if (!inInput.has(item.key.text)) inInput.set(item.key.text, item);
		if (inInput.size < desired.length)
			refuseDuplicates(desired, 'The input', (same) => {
				const [first] = same;
				const items = same.map(({ itemIndex }) => itemIndex).join(', ');
				return `${first ? describe(first.values) : ''} (items ${items})`;
			});
		this.inInput = inInput;
	}

	/** What to keep of a row of the grid. */
	found = (entity: Entity): FoundRow => {
		const { keys, fields, scope } = this.source;
		const text = canonicalKey(keys, entity);
		const item = this.inInput.get(text);
		const isInScope = scope?.(entity) ?? true;
		const isChanged =
			isInScope &&
			item?.isInvalid !== true &&
			(item
				? hasChanges({ ...this.changesTo(entity, item), ...this.differences(entity, item) })
				: hasChanges(this.missingChanges(entity)));
		return {
			id: entity._id,
			key: {
				text: item?.key.text ?? text,
				values: Object.fromEntries(keys.map(({ id }) => [id, ownMember(entity, id)])),
			},
			isInScope,
			hasEmptyText: fields.some(({ id }) => ownMember(entity, id) === ''),
			entity: isChanged ? entity : undefined,
		};
	};

	/**
	 * @param all all rows of the grid
	 * @throws InvalidInput if a key occurs twice in the grid, or a row would enter or leave the rows
	 *   to compare with
	 */
	stepsFor(all: readonly FoundRow[]): Plan {
		const { rowsToWrite } = this.source;
		const desired = this.source.desired.filter(({ isInvalid }) => isInvalid !== true);
		const rows = all.filter(({ isInScope }) => isInScope);
		const inGrid = this.byKey(rows);
		this.refuseKeysOutside(all);
		// If no row contains an empty text, the service may not store them, and each run would write
		// them again.
		const keepsNone = !all.some(({ hasEmptyText }) => hasEmptyText);
		const updates: Step[] = [];
		const creations: Step[] = [];
		const differing: Difference[] = [];
		for (const item of desired) {
			const { key, itemIndex, values } = item;
			const row = inGrid.get(key.text);
			if (!row) creations.push({ kind: 'create', itemIndex, key, values });
			else if (row.entity) {
				const { entity } = row;
				const changed = this.changesTo(entity, item, keepsNone);
				if (hasChanges(changed)) updates.push({ kind: 'update', itemIndex, key, entity, values: changed });
				const unwritten = this.differences(entity, item, keepsNone);
				const state = rowsToWrite === 'onlyNew' ? entity : { ...entity, ...changed };
				if (hasChanges(unwritten)) differing.push({ itemIndex, entity: state, values: unwritten });
			}
		}
		const unchanged = desired.length - creations.length - updates.length;
		const steps = [
			...(rowsToWrite === 'onlyNew' ? [] : updates),
			...(rowsToWrite === 'onlyChanged' ? [] : creations),
		];
		const omitted = updates.length + creations.length - steps.length;
		steps.push(...this.missingSteps(rows));
		this.refuseLeaving(steps);
		return {
			...{ steps, unchanged, compared: rows.length, omitted },
			differing: this.source.gridOwned && differing,
		};
	}

	/**
	 * The values of an item that differ from its row. What Set Columns has written to a row is
	 * cleared when the row returns.
	 */
	private changesTo(entity: Entity, { values }: Desired, keepsNone = false): Values {
		const { fields, missing, writable } = this.source;
		const setColumns = missing.kind === 'setColumns' ? Object.entries(missing.values) : [];
		const isStillSet = ([id, value]: [string, unknown]) =>
			!Object.hasOwn(values, id) && !hasChanges(differing(fields, entity, { [id]: value }));
		const cleared = Object.fromEntries(setColumns.filter(isStillSet).map(([id]) => [id, null]));
		return differing(fields, entity, { ...writable(entity, values), ...cleared }, keepsNone);
	}

	/** The values of an item that differ from its row where the grid owns the column. */
	private differences(entity: Entity, { values }: Desired, keepsNone = false): Values {
		const { fields, gridOwned } = this.source;
		return gridOwned ? differing(fields, entity, gridOwned(values), keepsNone) : {};
	}

	/** The values to set in a row that is not in the input; one that says so if it is deleted. */
	private missingChanges(entity: Entity): Values {
		const { fields, missing } = this.source;
		if (missing.kind === 'setColumns') return differing(fields, entity, missing.values);
		return missing.kind === 'delete' ? { deleted: true } : {};
	}

	private missingSteps(rows: readonly FoundRow[]): Step[] {
		const { missing } = this.source;
		const steps: Step[] = [];
		for (const { key, entity } of rows) {
			if (!entity || this.inInput.has(key.text)) continue;
			const kind = missing.kind === 'delete' ? 'delete' : 'update';
			const values = kind === 'delete' ? {} : this.missingChanges(entity);
			steps.push({ kind, itemIndex: undefined, key, entity, values });
		}
		return steps;
	}

	/** @throws InvalidInput for a key that a row outside of the rows to compare with has */
	private refuseKeysOutside(all: readonly FoundRow[]): void {
		const { describe } = this.source;
		const outside = all.filter(({ isInScope, key }) => !isInScope && this.inInput.has(key.text));
		if (outside.length === 0) return;
		const names = outside.slice(0, MAX_NAMED).map(({ id, key }) => `${describe(key.values)} (row ${id})`);
		throw new InvalidInput(
			`${outside.length === 1 ? 'A row' : `${outside.length} rows`} that "Compare With" leaves out already ${outside.length === 1 ? 'has' : 'have'} the key of an item: ${names.join('; ')}; nothing was written`,
			'Another source may feed that row. Add a key column that tells the sources apart, correct the conditions, or remove the item.',
		);
	}

	/** @throws InvalidInput for a row that would not meet the conditions after it is written */
	private refuseLeaving(steps: readonly Step[]): void {
		const { scope, describe } = this.source;
		if (!scope) return;
		const leaving = steps.filter(
			({ kind, entity, values }) => kind !== 'delete' && !scope({ ...entity, ...values }),
		);
		if (leaving.length === 0) return;
		const names = leaving.slice(0, MAX_NAMED).map(({ itemIndex, key }) => {
			const item = itemIndex === undefined ? '' : ` (item ${itemIndex})`;
			return `${describe(key.values)}${item}`;
		});
		throw new InvalidInput(
			`${leaving.length === 1 ? 'A row' : `${leaving.length} rows`} would not meet the conditions of "Compare With" after this run: ${names.join('; ')}; nothing was written`,
			'The next run would not find them. Map a value that meets the conditions to the columns in them, or correct the conditions.',
		);
	}

	/** The rows that an item can match. */
	private byKey(rows: readonly FoundRow[]): Map<string, FoundRow> {
		// A row without a value in a key column matches no item and duplicates no other row.
		const { keys, describe } = this.source;
		const isWhole = (values: Values) => keys.every((field) => hasKeyValue(field, values));
		const keyed = rows.filter(({ key }) => isWhole(key.values) || this.inInput.has(key.text));
		const inGrid = new Map(keyed.map((row) => [row.key.text, row]));
		if (inGrid.size < keyed.length)
			refuseDuplicates(keyed, 'The grid', (same) => {
				const [first] = same;
				return `${first ? describe(first.key.values) : ''} (rows ${same.map(({ id }) => id).join(', ')})`;
			});
		return inGrid;
	}
}

/** Maximum number of rows that a message names. */
const MAX_NAMED = 10;

const hasChanges = (values: Values) => Object.keys(values).length > 0;

/** @throws InvalidInput naming the rows that share a key */
function refuseDuplicates<Item extends { key: RowKey }>(
	items: readonly Item[],
	where: 'The input' | 'The grid',
	name: (same: readonly Item[]) => string,
): never {
	const groups = new Map<string, Item[]>();
	for (const item of items) addToGroup(groups, item.key.text, item);
	const several = [...groups.values()].filter(({ length }) => length > 1);
	const names = several.slice(0, MAX_NAMED).map(name).join('; ');
	const more = several.length > MAX_NAMED ? `; and ${several.length - MAX_NAMED} more` : '';
	throw new InvalidInput(
		`${where} has several rows with the same key: ${names}${more}; nothing was written`,
		where === 'The grid'
			? CLEAN_UP
			: 'Remove the duplicate items (the node "Remove Duplicates" does), or add a key column that tells them apart.',
	);
}
