import { addToGroup, type Field, type NewField } from '../../../client';
import { ROW_MEMBERS } from '../../shared/rows/columnNames';
import { inferType } from '../../shared/rows/inferType';

/** The result of comparing the wanted columns with those of a grid. */
export interface EnsurePlan {
	missing: NewField[];
	existing: string[];
	/** Existing columns with another type, which stay unchanged. */
	different: Array<{ name: string; type: string; wanted: string }>;
}

/** Compares the wanted columns with the present ones, by name, key or id. */
export function planColumns(wanted: readonly NewField[], fields: readonly Field[]): EnsurePlan {
	const plan: EnsurePlan = { missing: [], existing: [], different: [] };
	for (const column of wanted) {
		const field = fieldFor(column, fields);
		if (!field) {
			if (!plan.missing.some(({ name }) => name === column.name)) plan.missing.push(column);
			continue;
		}
		plan.existing.push(field.name);
		if (field.type.name !== column.type.name)
			plan.different.push({ name: field.name, type: field.type.name, wanted: column.type.name });
	}
	return plan;
}

function fieldFor({ name, key }: NewField, fields: readonly Field[]): Field | undefined {
	return (
		fields.find((field) => field.name === name) ??
		fields.find((field) => field.key === (key ?? name)) ??
		fields.find(({ id }) => id === name)
	);
}

/** A column for each member of the items. `skipped` lists those whose type cannot be inferred. */
export function columnsOf(
	items: readonly object[],
	fields: readonly Field[],
): { columns: NewField[]; skipped: Array<{ name: string; reason: string }> } {
	const values = new Map<string, unknown[]>();
	for (const [member, value] of items.flatMap((item) => Object.entries(item))) {
		// Writes ignore spaces around the name of a member, too, unless a column has them.
		const trimmed = member.trim();
		const isExact = trimmed !== member && fields.some((field) => field.name === member);
		const name = isExact ? member : trimmed;
		if (name !== '' && !ROW_MEMBERS.has(name)) addToGroup(values, name, value);
	}
	const columns: NewField[] = [];
	const skipped: Array<{ name: string; reason: string }> = [];
	for (const [name, all] of values) {
		// An existing column keeps its type, which is more reliable than the values of one run.
		const present = fieldFor({ name, type: { name: '' } }, fields)?.type.name;
		const type = present ?? inferType(all);
		if (type !== undefined) columns.push({ name, type: { name: type } });
		else if (all.every((value) => value === null || value === undefined || value === ''))
			skipped.push({ name, reason: 'No item has a value from which to infer the type' });
		else skipped.push({ name, reason: 'No column type fits all its values' });
	}
	return { columns, skipped };
}
