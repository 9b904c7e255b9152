import { isJsonObject } from '../../formats/json';

/** An id as a text; undefined if the value is none. */
export function asId(value: unknown): string | undefined {
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asRecord(value: unknown): Record<string, unknown> | undefined {
	return isJsonObject(value) ? value : undefined;
}

/** What the first of some members holds, as far as it can be read. */
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
