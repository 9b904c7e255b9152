import type { Entity, Values } from '../../../client/resources/entities';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import { canonicalKey } from '../../shared/rows/equality';
import { differing } from '../outcome';

/** A row as the input wants it. */
export interface Desired {
	itemIndex: number;
	values: Values;
	/** One text for all spellings of its key. */
	key: string;
}

export type Step =
	| { kind: 'update'; itemIndex: number; entity: Entity; values: Values }
	| { kind: 'create'; itemIndex: number; values: Values }
	| { kind: 'delete'; entity: Entity };

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
	/** Whether rows that the input does not have are deleted. */
	deleteOthers: boolean;
	/** Says a key in words. */
	describe: (values: Values) => string;
}

/**
 * What makes a grid the mirror of the input. Pure; nothing is sent.
 * @throws InvalidInput where a key stands twice in the input or in the grid
 */
export function planOf({ desired, rows, keys, fields, deleteOthers, describe }: PlanSource): Plan {
	const wanted = byKey(desired, ({ key }) => key);
	refuseDuplicates(wanted, 'The input', (same) => {
		const [first] = same;
		const items = same.map(({ itemIndex }) => itemIndex).join(', ');
		return `${first ? describe(first.values) : ''} (items ${items})`;
	});
	// A row without a value in a key column is no row of the input's, and no duplicate of another one.
	const isWhole = (entity: Entity) => keys.every(({ id }) => (entity[id] ?? '') !== '');
	const keyed = rows.filter((entity) => isWhole(entity) || wanted.has(canonicalKey(keys, entity)));
	const there = byKey(keyed, (entity) => canonicalKey(keys, entity));
	refuseDuplicates(there, 'The grid', (same) => {
		const [first] = same;
		return `${first ? describe(first) : ''} (rows ${same.map(({ _id }) => _id).join(', ')})`;
	});
	// A grid without any empty text may belong to a service that keeps none: to write one would never come to an end.
	const keepsNone = !rows.some((entity) => fields.some(({ id }) => entity[id] === ''));
	const steps: Step[] = [];
	const creations: Step[] = [];
	for (const { key, itemIndex, values } of desired) {
		const entity = there.get(key)?.[0];
		const changed = entity && differing(fields, entity, values, keepsNone);
		if (!entity || !changed) creations.push({ kind: 'create', itemIndex, values });
		else if (Object.keys(changed).length > 0)
			steps.push({ kind: 'update', itemIndex, entity, values: changed });
	}
	const unchanged = desired.length - creations.length - steps.length;
	steps.push(...creations);
	if (deleteOthers)
		for (const entity of rows) {
			const isWanted = wanted.has(canonicalKey(keys, entity));
			if (!isWanted) steps.push({ kind: 'delete', entity });
		}
	return { steps, unchanged };
}

/**
 * Stops a plan that would delete too large a part of the grid: an empty or broken source looks like that.
 * @param percent the largest share of the rows that may be deleted
 * @throws InvalidInput
 */
export function refuseTooManyDeletions(plan: Plan, rows: number, percent: number): void {
	const deletions = plan.steps.filter(({ kind }) => kind === 'delete').length;
	if (deletions * 100 <= rows * percent) return;
	throw new InvalidInput(
		`${deletions} of the ${rows} rows of the grid would be deleted, which is more than ${percent} %; nothing was written`,
		'Check that the input is complete. If so many rows are to go, raise "Deletion Limit (%)".',
	);
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
		`${where} has several rows of the same key: ${names}${more}; nothing was written`,
		'Remove the rows that are too many, or add a key column that tells them apart.',
	);
}
