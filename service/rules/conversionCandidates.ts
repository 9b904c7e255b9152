import { exactNumber } from './exactNumber';
import { traitsOf, type FieldTypeName } from './fieldTypeNames';

/** Whether values are lists or objects; as text they are JSON. */
export const isStructured = (name: FieldTypeName): boolean =>
	!['text', 'number', 'boolean'].includes(traitsOf[name].form);

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

/** JSON types of the values in each form. */
const jsonKinds: Readonly<Record<(typeof traitsOf)[FieldTypeName]['form'], readonly JsonKind[]>> = {
	text: ['string'],
	number: ['number'],
	boolean: ['boolean'],
	texts: ['list'],
	list: ['list'],
	object: ['object'],
	address: ['string', 'object'],
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
	const takes = jsonKinds[traitsOf[name].form];
	const isFitting = (one: unknown) => takes.some((kind) => kind === jsonKindOf(one));
	if (typeof value !== 'string') return [value, JSON.stringify(value), [value]].filter(isFitting);
	const json = isStructured(name) ? jsonIn(value) : undefined;
	const truth = value === 'true' ? true : value === 'false' ? false : undefined;
	return [value, exactNumber(value), truth, json, [value]].filter(isFitting);
}
