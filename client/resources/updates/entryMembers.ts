import { isJsonObject } from '../../formats/json';

/** An id as a text; undefined if the value is not an id. */
export function asId(value: unknown): string | undefined {
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asRecord(value: unknown): Record<string, unknown> | undefined {
	return isJsonObject(value) ? value : undefined;
}

/** The value of the first of some members that can be read. */
export function firstOf<Value>(
	record: Record<string, unknown>,
	names: readonly string[],
	read: (value: unknown) => Value | undefined,
): Value | undefined {
	for (const name of names) {
		const member = record[name];
		if (member === undefined || !Object.hasOwn(record, name)) continue;
		const value = read(member);
		if (value !== undefined) return value;
	}
	return undefined;
}
