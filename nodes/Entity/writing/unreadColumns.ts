import { z } from 'zod/v4';
import { type Field, fieldSchema } from '../../../client';
import { mappedValues, type Mapping } from '../../shared/inputs/columns/storedColumns';
import { ROW_MEMBERS } from '../../shared/rows/columnNames';

/** A column as n8n's mapper stores it in the workflow. */
const knownColumn = z.looseObject({
	id: z.string().min(1),
	displayName: z.string().catch(''),
	type: z.string().catch(''),
});

/** Types of §2.5 by the mapper's types; values of other types are passed on unchanged. */
const TYPES = new Map(Object.entries({ string: 'string', number: 'decimal', boolean: 'boolean' }));

/**
 * The columns of a grid that cannot be read: those stored in the workflow by the editor, plus one
 * per other member to write, whose name must be a column's key or id (§2.7, keyAndField).
 */
export function unreadColumns(mapping: Mapping, input: object): Field[] {
	const automatic = mapping.mappingMode === 'autoMapInputData';
	const given: Readonly<Record<string, unknown>> = { ...(automatic ? input : mappedValues(mapping)) };
	const known = (mapping.schema ?? []).flatMap((column) => {
		const parsed = knownColumn.safeParse(column);
		if (!parsed.success) return [];
		const { id, displayName, type } = parsed.data;
		const name =
			type === 'dateTime' ? momentType(given[id] ?? given[displayName]) : (TYPES.get(type) ?? 'any');
		return [fieldSchema.parse({ id, name: displayName, type: { name } })];
	});
	const names = new Set(known.flatMap(({ id, name }) => [id, name]));
	const further = Object.keys(given).filter((name) => !names.has(name) && !ROW_MEMBERS.has(name));
	return [...known, ...further.map((id) => fieldSchema.parse({ id, type: { name: 'any' } }))];
}

/** n8n has one type for dates and for dates with time; the value decides. */
const momentType = (value: unknown) =>
	typeof value === 'string' && /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(value) ? 'date' : 'date-time';
