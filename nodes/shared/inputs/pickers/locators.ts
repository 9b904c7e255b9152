import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import {
	decoded,
	type GridReference,
	idInUrl,
	idsInUrl,
	InvalidInput,
	isJsonObject,
	NotFound,
	oncePer,
	outcomeOf,
	type ResourceType,
} from '../../../../client';
import { unescaped } from '../../display/expressionEscape';
import { valueText } from '../../display/shownText';
import type { Parameter } from '../parameter';

/** A picker's value with its mode. An expression in a picker may also return a bare id. */
const locatorSchema = z.union([
	z.looseObject({ mode: z.string().catch('id'), value: z.union([z.string(), z.number()]).nullish() }),
	z.union([z.string(), z.number()]).transform((value) => ({ mode: 'id', value })),
]);

/** What a picker chooses. */
interface Chosen {
	text: string;
	mode: string;
	isUrl: boolean;
}

/** Without an expression, the value of a picker is the same object for thousands of items. */
const parsedOnce = oncePer((raw: object) => locatorSchema.safeParse(raw));

/** The choice, or undefined if nothing is chosen. @throws InvalidInput if it is no locator */
export function chosen(raw: unknown, what: string): Chosen | undefined {
	const parsed = isJsonObject(raw) ? parsedOnce(raw) : locatorSchema.safeParse(raw ?? '');
	if (!parsed.success)
		throw new InvalidInput(
			`"${what}" is ${valueText(isJsonObject(raw) && '__rl' in raw ? raw['value'] : raw)}, which is not an ID`,
			`Choose the ${what.toLowerCase()} from the list.`,
		);
	const text = unescaped(String(parsed.data.value ?? '').trim());
	if (text.length > MAX_LENGTH)
		throw new InvalidInput(
			`"${what}" has ${text.length} characters, which is too long for an ID or URL`,
			`Choose the ${what.toLowerCase()} from the list, or check the expression that returns its ID.`,
		);
	const { mode } = parsed.data;
	return text === '' ? undefined : { text, mode, isUrl: mode === 'url' || /^https?:\/\//i.test(text) };
}

export function required<Value>(value: Value | undefined, what: string): Value {
	if (value !== undefined) return value;
	throw new InvalidInput(
		`"${what}" is empty`,
		`Choose the ${what.toLowerCase()} from the list, or check the expression that returns its ID.`,
	);
}

/**
 * The id of a grid, with the id of its space if the value contains it.
 * @param label the picker's label
 * @throws InvalidInput
 */
export function gridReferenceIn(raw: unknown, label: string): GridReference {
	const { text, mode, isUrl } = required(chosen(raw, label), label);
	if (isUrl) {
		const { spaceId, gridId } = idsInUrl(text);
		return { spaceId, gridId: required(gridId, label) };
	}
	// Only list values are percent-encoded; an id is used unchanged.
	const [spaceId, gridId, ...more] = mode === 'list' ? text.split('/').map(decoded) : [];
	return gridId === undefined || more.length > 0 ? { gridId: text } : { spaceId, gridId };
}

/** Reads the name of the chosen entry as the list showed it, which a workflow keeps. */
export const cachedName = ({ property }: Parameter<unknown>): Parameter<string | undefined> => ({
	property,
	read(raw) {
		const name = isJsonObject(raw) ? raw['cachedResultName'] : undefined;
		return typeof name === 'string' && name !== '' ? name : undefined;
	},
});

/** The id of a space; undefined if none is chosen. @throws InvalidInput */
export function spaceIdIn(raw: unknown): string | undefined {
	const choice = chosen(raw, 'Space');
	if (!choice) return undefined;
	return choice.isUrl ? required(idsInUrl(choice.text).spaceId, 'Space') : choice.text;
}

/** Shown by n8n if a list takes long to load. */
const SLOW = {
	message: 'The list takes long to load. You can also choose "By ID" or "By URL".',
	timeout: 8000,
};

/** Above any id or address of the service, and within the limits of proxies. */
const MAX_LENGTH = 2000;

type Labelled = Pick<Parameter<unknown>, 'property'>;

/**
 * Awaits a resource chosen by pickers and adds the pickers' names to a NotFound.
 * @param adviceOf finds out what to choose instead
 * @throws NotFound with the pickers' names, and any other error of `reading`
 */
export async function pickedBy<Value>(
	pickers: Labelled | readonly Labelled[],
	reading: Promise<Value>,
	adviceOf?: () => Promise<string | undefined>,
): Promise<Value> {
	const names = [pickers].flat().map(({ property }) => `"${property.displayName}"`);
	const title = `${names.join(' or ')} does not exist or was deleted`;
	return await reading.catch(async (error: unknown) => {
		if (!(error instanceof NotFound)) throw error;
		const advice = adviceOf && (await outcomeOf(adviceOf()));
		const hint = advice?.state === 'done' ? advice.value : undefined;
		throw new NotFound({ ...error.facts, status: 404 }, title, hint);
	});
}

/** Advice for an id of another account. A resource is never chosen by its name alone. */
export function otherId(what: string, keys: readonly string[]): string | undefined {
	if (keys.length === 0) return undefined;
	return `This account has ${what} with another ID. If that is the one, choose it again, or enter ${keys.join(' or ')} in the mode "By Key", which works in every account.`;
}

interface PickerInput {
	displayName: string;
	name: string;
	description: string;
	/** `true` if omitted. */
	required?: boolean;
	searchMethod: string;
	/** If omitted, the picker accepts no URL. */
	urlPlaceholder?: string;
	idPlaceholder: string;
	/** If omitted, the picker accepts no key. */
	keyPlaceholder?: string;
	/** If omitted, the picker accepts no name. */
	namePlaceholder?: string;
	/** If omitted, the picker accepts no email address. */
	emailPlaceholder?: string;
	/** What an empty picker means, if that is allowed. */
	whenEmpty?: string;
}

/** A mode of a picker in which a text is entered. */
function textMode(displayName: string, name: string, placeholder: string | undefined) {
	return placeholder === undefined ? [] : [{ displayName, name, type: 'string' as const, placeholder }];
}

/** From List first, then By Key or By Name, which mean the same in other accounts. */
export function locator(picker: PickerInput): INodeProperties {
	const { displayName, name, description, required: isRequired = true, searchMethod, whenEmpty } = picker;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: isRequired,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: searchMethod, searchable: true, slowLoadNotice: SLOW },
				...(whenEmpty === undefined ? {} : { placeholder: whenEmpty }),
			},
			...textMode('By Key', 'key', picker.keyPlaceholder),
			...textMode('By Name', 'name', picker.namePlaceholder),
			...textMode('By URL', 'url', picker.urlPlaceholder),
			...textMode('By Email', 'email', picker.emailPlaceholder),
			...textMode('By ID', 'id', picker.idPlaceholder),
		],
	};
}

/** A required picker, whose value is an id, also if a URL is entered. */
export const idPicker = (kind: ResourceType, picker: PickerInput): Parameter<string> => ({
	property: locator(picker),
	read(raw) {
		const { displayName: label } = picker;
		const { text, isUrl } = required(chosen(raw, label), label);
		return isUrl ? required(idInUrl(kind, text), label) : text;
	},
});
