import { exactNumber } from './exactNumber';
import type { FieldTypeName } from './fieldTypeNames';

/** Types with structured values; as text they are JSON. */
const structured = new Set<FieldTypeName>([
	'enumcollection', 'stringcollection', 'address', 'geolocation', 'attachments', 'reference', 'references', 'resource',
]); // prettier-ignore

export const isStructured = (name: FieldTypeName): boolean => structured.has(name);

/** Parses a text as a JSON list or object. */
export function jsonIn(text: string): object | undefined {
	if (!/^\s*[[{]/.test(text)) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? value : undefined;
	} catch {
		return undefined;
	}
}

type JsonKind = 'string' | 'number' | 'boolean' | 'list' | 'object';

/** JSON type of the values of each type; text for all others. */
const jsonKinds: { readonly [Name in FieldTypeName]?: readonly JsonKind[] } = {
	integer: ['number'],
	decimal: ['number'],
	currency: ['number'],
	boolean: ['boolean'],
	enumcollection: ['list'],
	stringcollection: ['list'],
	attachments: ['list'],
	references: ['list'],
	address: ['object'],
	geolocation: ['object'],
	reference: ['string', 'object'],
	resource: ['string', 'object'],
};

function jsonKindOf(value: unknown): JsonKind | undefined {
	if (Array.isArray(value)) return 'list';
	const kind = typeof value;
	return kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'object' ? kind : undefined;
}

/**
 * Candidates for a value in a field of another type, closest first. Only values of a suitable JSON
 * type, because a refusal by the schema is the most expensive part of a conversion.
 */
export function conversionCandidates(name: FieldTypeName, value: unknown): unknown[] {
	const takes = jsonKinds[name] ?? ['string'];
	const isFitting = (one: unknown) => takes.some((kind) => kind === jsonKindOf(one));
	if (typeof value !== 'string') return [value, JSON.stringify(value), [value]].filter(isFitting);
	const json = isStructured(name) ? jsonIn(value) : undefined;
	const truth = value === 'true' ? true : value === 'false' ? false : undefined;
	return [value, exactNumber(value), truth, json, [value]].filter(isFitting);
}
