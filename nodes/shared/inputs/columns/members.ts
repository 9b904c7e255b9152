import { type Field, InvalidInput } from '../../../../client';
import { sameValue } from '../../rows/equality';
import type { ColumnNames } from '../../rows/columnNames';

/** A member of an input item, and the column that gets its value. */
export interface PlacedMember {
	name: string;
	value: unknown;
	field: Field;
}

/**
 * Finds the column of each member by name, key or id. If a member is the name of one column and the
 * key or id of another, it gets the column that no other member matches.
 * @param stored whether the members are ids stored by the editor; otherwise, names precede ids
 * @returns the members with their columns, and the names that match no column
 * @throws InvalidInput if several columns have the name
 */
export function placeMembers(
	input: object,
	columns: ColumnNames,
	stored = false,
): { placed: PlacedMember[]; unknown: string[] } {
	const placed: PlacedMember[] = [];
	const unknown: string[] = [];
	const open: Array<Omit<PlacedMember, 'field'> & { candidates: readonly Field[] }> = [];
	for (const name of Object.keys(input)) {
		const value: unknown = Reflect.get(input, name);
		const candidates = columns.candidates(name);
		const [field] = candidates;
		if (!field) unknown.push(name);
		else if (candidates.length === 1) placed.push({ name, value, field });
		else open.push({ name, value, candidates });
	}
	if (open.length === 0) return { placed, unknown };
	const taken = new Set(placed.map(({ field }) => field));
	while (open.length > 0) {
		const free = ({ candidates }: { candidates: readonly Field[] }) =>
			candidates.filter((field) => !taken.has(field));
		const next = open.find((one) => free(one).length === 1) ?? open[0];
		if (!next) break;
		const { name, value, candidates } = next;
		const named = stored ? undefined : free(next).find((column) => column.name === name);
		const field = named ?? free(next)[0] ?? candidates[0];
		open.splice(open.indexOf(next), 1);
		if (!field) continue;
		taken.add(field);
		placed.push({ name, value, field });
	}
	return { placed, unknown };
}

/** Requires the same value of two members for one column. @throws InvalidInput naming both */
export function requireSameValue(one: PlacedMember, other: PlacedMember): void {
	if (sameValue(one.field, one.value, other.value)) return;
	throw new InvalidInput(
		`"${one.name}" and "${other.name}" have different values for the column "${one.field.name}"`,
		'Rename or remove one of them in a preceding node, or map the columns manually.',
	);
}
