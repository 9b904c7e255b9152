import type { Entity, Layout } from '../../client';
import { MISREAD_BY_N8N } from '../shared/rows/columnNames';
import { rawRow, type ColumnNaming } from '../shared/rows/output';

/** §2.7: layouts by column naming, because a public link has no schema to name columns by. */
export const layoutFor: Readonly<Record<ColumnNaming, Layout>> = {
	name: 'property',
	key: 'key',
	id: 'field',
};

/** Members of an entity that are not columns (§2.6). */
const NOTATION: ReadonlySet<string> = new Set(['_id', '_links', '_representation', '_embedded']);

/** A row behind a public link as a row of output. */
export function linkedRow(entity: Entity, simple: boolean): object {
	if (!simple) return rawRow(entity);
	const values = Object.entries(entity).filter(([name]) => !NOTATION.has(name));
	const named = values.map(([name, value]) => [MISREAD_BY_N8N.has(name) ? `${name} (column)` : name, value]);
	return Object.fromEntries([['_id', entity._id], ...named]);
}
