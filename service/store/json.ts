import { z } from 'zod/v4';
import { plainObject } from '../rules/jsonObject';
import type { Value } from '../rules/fieldTypes';

/**
 * Reads a JSON column against its schema.
 * @throws when something else than this service wrote it
 */
export function readColumn<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> {
	return schema.parse(JSON.parse(text));
}

/** A column with free-form properties. */
export const propertiesColumn = plainObject;

/** A column with a symbol. */
export const iconColumn = z.object({ name: z.string(), iconset: z.string(), color: z.string() });

const isRecord = (value: unknown): value is Record<string, Value> =>
	typeof value === 'object' && value !== null;

/**
 * Values by field id. Read for every row of every page, and written by this service alone: only the
 * outer shape is looked at.
 */
export function readValues(text: string): Record<string, Value> {
	const values: unknown = JSON.parse(text);
	if (!isRecord(values)) throw new Error('A row of the data file holds no values');
	return values;
}
