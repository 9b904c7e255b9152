import { z } from 'zod/v4';
import { plainObject } from '../rules/jsonObject';
import type { Value } from '../rules/fieldTypes';

/**
 * Parses a JSON column.
 * @throws if the value does not match the schema
 */
export function readColumn<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> {
	return schema.parse(JSON.parse(text));
}

/** A column with free-form properties. */
export const propertiesColumn = plainObject;

/** A column with a symbol object. */
export const iconColumn = z.object({ name: z.string(), iconset: z.string(), color: z.string() });

const isRecord = (value: unknown): value is Record<string, Value> =>
	typeof value === 'object' && value !== null;

/**
 * Parses values by field ID. Called for every row, so only the outer shape is checked; the service
 * has validated them.
 */
export function readValues(text: string): Record<string, Value> {
	const values: unknown = JSON.parse(text);
	if (!isRecord(values)) throw new Error('A row of the data file has no values');
	return values;
}
