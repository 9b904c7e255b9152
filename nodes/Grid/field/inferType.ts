import { z } from 'zod/v4';
import { parseMoment } from '../../../client';

const geolocation = z.strictObject({ lat: z.number(), lon: z.number() });
const texts = z.array(z.string());
const email = z.email();

/**
 * The column type (§2.5) that fits all values of a member of the input items. Texts are interpreted
 * conservatively: "007" and any number written as text remain text.
 * @returns undefined if no item has a value or no type fits
 */
export function inferType(values: readonly unknown[]): string | undefined {
	const types = new Set(values.filter(isValue).map(typeOfValue));
	const [first, ...others] = types;
	if (first === undefined || types.has(undefined)) return undefined;
	if (others.length === 0) return first;
	if ([...types].every((type) => type === 'integer' || type === 'decimal')) return 'decimal';
	return [...types].every((type) => TEXTS.has(type ?? '')) ? 'string' : undefined;
}

/** Types whose values are texts, so that `string` fits all of them. */
const TEXTS = new Set(['string', 'date', 'date-time', 'email', 'uri']);

const isValue = (value: unknown) => value !== null && value !== undefined && value !== '';

function typeOfValue(value: unknown): string | undefined {
	if (typeof value === 'boolean') return 'boolean';
	if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'decimal';
	if (typeof value === 'string') return typeOfText(value);
	if (value instanceof Date) return 'date-time';
	if (texts.safeParse(value).success) return 'stringcollection';
	return geolocation.safeParse(value).success ? 'geolocation' : undefined;
}

function typeOfText(text: string): string {
	const written = parseMoment(text);
	if (written && !written.hasTime) return 'date';
	if (written?.offset !== undefined) return 'date-time';
	if (email.safeParse(text).success) return 'email';
	return /^https?:\/\/\S+$/.test(text) && URL.canParse(text) ? 'uri' : 'string';
}
