import { ownMember } from '../../../client/formats/json';
import type { Entity, Values } from '../../../client/resources/entities';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import { canonicalKey } from '../../shared/rows/equality';
import { differing } from '../writing/differences';
import type { RowChange } from '../writing/rowChanges';

/** A row as the input describes it. */
interface Desired {
	itemIndex: number;
	values: Values;
	/** Canonical text of its key. */
	key: string;
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
	/** All rows of the grid. */
	rows: readonly Entity[];
	keys: readonly Field[];
	fields: readonly Field[];
	/** Whether to delete rows that are not in the input. */
	deleteOthers: boolean;
	/** Describes a key for messages. */
	describe: (values: Values) => string;
}

/**
 * Computes the changes that make a grid match the input, without sending anything.
 * @throws InvalidInput if a key occurs twice in the input or in the grid
 */
export function planSync({ desired, rows, keys, fields, deleteOthers, describe }: PlanSource): Plan {
	const inInput = byKey(desired, ({ key }) => key);
	refuseDuplicates(inInput, 'The input', (same) => {
		const [first] = same;
		const items = same.map(({ itemIndex }) => itemIndex).join(', ');
		return `${first ? describe(first.values) : ''} (items ${items})`;
	});
	// A row without a value in a key column matches no item and duplicates no other row.
	const isWhole = (entity: Entity) => keys.every(({ id }) => (ownMember(entity, id) ?? '') !== '');
	const keyed = rows.filter((entity) => isWhole(entity) || inInput.has(canonicalKey(keys, entity)));
	const inGrid = byKey(keyed, (entity) => canonicalKey(keys, entity));
	refuseDuplicates(inGrid, 'The grid', (same) => {
		const [first] = same;
		return `${first ? describe(first) : ''} (rows ${same.map(({ _id }) => _id).join(', ')})`;
	});
	// If no row contains an empty text, the service may not store them, and each run would write them
	// again.
	const keepsNone = !rows.some((entity) => fields.some(({ id }) => ownMember(entity, id) === ''));
	const steps: Step[] = [];
	const creations: Step[] = [];
	for (const { key, itemIndex, values } of desired) {
		const entity = inGrid.get(key)?.[0];
		const changed = entity && differing(fields, entity, values, keepsNone);
		if (!entity || !changed) creations.push({ kind: 'create', itemIndex, values });
		else if (Object.keys(changed).length > 0)
			steps.push({ kind: 'update', itemIndex, entity, values: changed });
	}
	const unchanged = desired.length - creations.length - steps.length;
	steps.push(...creations);
	if (deleteOthers)
		for (const entity of rows) {
			if (inInput.has(canonicalKey(keys, entity))) continue;
			steps.push({ kind: 'delete', itemIndex: undefined, entity, values: {} });
		}
	return { steps, unchanged };
}

function byKey<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
	const groups = new Map<string, Item[]>();
	for (const item of items) {
		const key = keyOf(item);
		const group = groups.get(key);
		if (group) group.push(item);
		else groups.set(key, [item]);
	}
	return groups;
}

function refuseDuplicates<Item>(
	groups: ReadonlyMap<string, Item[]>,
	where: string,
	name: (same: readonly Item[]) => string,
): void {
	const several = [...groups.values()].filter(({ length }) => length > 1);
	if (several.length === 0) return;
	const names = several.slice(0, 10).map(name).join('; ');
	const more = several.length > 10 ? `; and ${several.length - 10} more` : '';
	throw new InvalidInput(
		`${where} has several rows with the same key: ${names}${more}; nothing was written`,
		'Remove the duplicate rows, or add a key column that tells them apart.',
	);
}
