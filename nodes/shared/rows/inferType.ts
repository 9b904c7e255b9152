import { z } from 'zod/v4';
import { exactNumber, parseMoment } from '../../../client';

const geolocation = z.strictObject({ lat: z.number(), lon: z.number() });
const texts = z.array(z.string());
const email = z.email();

/**
 * The column type (§2.5) that fits all values of a member of the input items. Texts are interpreted
 * conservatively: "007" and any number written as text remain text.
 * @returns undefined if no item has a value or no type fits
 */
export function inferType(values: readonly unknown[]): string | undefined {
	return commonType(new Set(values.filter(isValue).map(typeOfValue)));
}

function commonType(types: ReadonlySet<string | undefined>): string | undefined {
	const [first, ...others] = types;
	if (first === undefined || types.has(undefined)) return undefined;
	if (others.length === 0) return first;
	if ([...types].every((type) => type === 'integer' || type === 'decimal')) return 'decimal';
	return [...types].every((type) => TEXTS.has(type ?? '')) ? 'string' : undefined;
}

/** A number or a truth value as a text that loses nothing when it is converted: not "007". */
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$/;
const TRUTH = /^(true|false)$/;

/** The same for the cells of a column of a file, read one after another. */
export class InferredType {
	private readonly types = new Set<string | undefined>();
	private readonly typesAsTexts = new Set<string | undefined>();

	/** @param hasOnlyTexts whether numbers and truth values are texts, as in CSV */
	constructor(private readonly hasOnlyTexts: boolean) {}

	add(value: unknown): void {
		if (!isValue(value)) return;
		const type = typeOfValue(value);
		this.typesAsTexts.add(type);
		const isText = this.hasOnlyTexts && typeof value === 'string';
		// With too many digits, it is no number but a text.
		if (isText && NUMBER.test(value) && !Number.isNaN(exactNumber(value)))
			this.types.add(value.includes('.') ? 'decimal' : 'integer');
		else this.types.add(isText && TRUTH.test(value) ? 'boolean' : type);
	}

	get type(): string | undefined {
		return commonType(this.types) ?? commonType(this.typesAsTexts);
	}
}

/** Types whose values are texts, so that `string` fits all of them. */
const TEXTS = new Set(['string', 'date', 'date-time', 'email', 'uri']);

const isValue = (value: unknown) => value !== null && value !== undefined && value !== '';

function typeOfValue(value: unknown): string | undefined {
	if (typeof value === 'boolean') return 'boolean';
	// A column of whole numbers refuses those beyond 2^53.
	if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'decimal';
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
