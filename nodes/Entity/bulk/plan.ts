import { addToGroup } from '../../../client/formats/grouping';
import { ownMember } from '../../../client/formats/json';
import type { Entity, Values } from '../../../client/resources/entities';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import { canonicalKey } from '../../shared/rows/equality';
import { KeyNotation } from '../keys/keyNotation';
import { differing } from '../writing/differences';
import type { RowChange } from '../writing/rowChanges';

/** A row as the input describes it. */
export interface Desired {
	itemIndex: number;
	values: Values;
	/** Canonical text of its key. */
	key: string;
}

/** A row of the grid, as far as a sync needs it: whole rows would take most of the memory. */
interface FoundRow {
	id: string;
	/** Canonical text of its key. */
	key: string;
	/** Its values in the key columns. */
	keyValues: Values;
	hasEmptyText: boolean;
	/** Undefined if the row stays as it is. */
	entity: Entity | undefined;
}

/** A deletion has no input item. */
type Step = RowChange & { itemIndex: number | undefined };

export interface Plan {
	/** Updates, then creations, then deletions. */
	steps: Step[];
	unchanged: number;
}

export interface PlanSource {
	desired: readonly Desired[];
	keys: readonly Field[];
	fields: readonly Field[];
	/** Whether to delete rows that are not in the input. */
	deleteOthers: boolean;
	/** Describes a key for messages. */
	describe: (values: Values) => string;
}

/** Computes the changes that make a grid match the input, without sending anything. */
export class SyncPlan {
	private readonly inInput: ReadonlyMap<string, Desired>;
	private readonly notation: KeyNotation;

	/** @throws InvalidInput if a key occurs twice in the input */
	constructor(private readonly source: PlanSource) {
		const { desired, describe } = source;
		const inInput = new Map<string, Desired>();
		for (const item of desired) if (!inInput.has(item.key)) inInput.set(item.key, item);
		if (inInput.size < desired.length)
			refuseDuplicates(desired, 'The input', (same) => {
				const [first] = same;
				const items = same.map(({ itemIndex }) => itemIndex).join(', ');
				return `${first ? describe(first.values) : ''} (items ${items})`;
			});
		this.inInput = inInput;
		this.notation = new KeyNotation(source.keys);
	}

	/** What to keep of a row of the grid. */
	found = (entity: Entity): FoundRow => {
		const { keys, fields, deleteOthers } = this.source;
		this.notation.see(entity);
		const key = canonicalKey(keys, entity);
		const item = this.inInput.get(key);
		const isChanged = item ? hasChanges(differing(fields, entity, item.values)) : deleteOthers;
		return {
			id: entity._id,
			key: item?.key ?? key,
			keyValues: Object.fromEntries(keys.map(({ id }) => [id, ownMember(entity, id)])),
			hasEmptyText: fields.some(({ id }) => ownMember(entity, id) === ''),
			entity: isChanged ? entity : undefined,
		};
	};

	/**
	 * @param rows all rows of the grid
	 * @throws InvalidInput if a key occurs twice in the grid, or its keys cannot be compared
	 */
	stepsFor(rows: readonly FoundRow[]): Plan {
		this.notation.end();
		const { desired, fields, deleteOthers } = this.source;
		const inGrid = this.byKey(rows);
		// If no row contains an empty text, the service may not store them, and each run would write
		// them again.
		const keepsNone = !rows.some(({ hasEmptyText }) => hasEmptyText);
		const steps: Step[] = [];
		const creations: Step[] = [];
		for (const { key, itemIndex, values } of desired) {
			const row = inGrid.get(key);
			if (!row) creations.push({ kind: 'create', itemIndex, values });
			else if (row.entity) {
				const { entity } = row;
				const changed = differing(fields, entity, values, keepsNone);
				if (hasChanges(changed)) steps.push({ kind: 'update', itemIndex, entity, values: changed });
			}
		}
		const unchanged = desired.length - creations.length - steps.length;
		steps.push(...creations);
		if (deleteOthers)
			for (const { key, entity } of rows) {
				if (!entity || this.inInput.has(key)) continue;
				steps.push({ kind: 'delete', itemIndex: undefined, entity, values: {} });
			}
		return { steps, unchanged };
	}

	/** The rows that an item can match. */
	private byKey(rows: readonly FoundRow[]): Map<string, FoundRow> {
		// A row without a value in a key column matches no item and duplicates no other row.
		const { keys, describe } = this.source;
		const isWhole = (values: Values) => keys.every(({ id }) => (ownMember(values, id) ?? '') !== '');
		const keyed = rows.filter(({ keyValues, key }) => isWhole(keyValues) || this.inInput.has(key));
		const inGrid = new Map(keyed.map((row) => [row.key, row]));
		if (inGrid.size < keyed.length)
			refuseDuplicates(keyed, 'The grid', (same) => {
				const [first] = same;
				return `${first ? describe(first.keyValues) : ''} (rows ${same.map(({ id }) => id).join(', ')})`;
			});
		return inGrid;
	}
}

const hasChanges = (values: Values) => Object.keys(values).length > 0;

/** @throws InvalidInput naming the rows that share a key */
function refuseDuplicates<Item extends { key: string }>(
	items: readonly Item[],
	where: string,
	name: (same: readonly Item[]) => string,
): never {
	const groups = new Map<string, Item[]>();
	for (const item of items) addToGroup(groups, item.key, item);
	const several = [...groups.values()].filter(({ length }) => length > 1);
	const names = several.slice(0, 10).map(name).join('; ');
	const more = several.length > 10 ? `; and ${several.length - 10} more` : '';
	throw new InvalidInput(
		`${where} has several rows with the same key: ${names}${more}; nothing was written`,
		'Remove the duplicate rows, or add a key column that tells them apart.',
	);
}
