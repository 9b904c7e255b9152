import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Client } from '../../../../client';
import type { ResourceType } from '../../../../client/endpoints/endpoints';
import { idInUrl } from '../../../../client/endpoints/paths';
import { InvalidInput, NotFound, OnlyReadable } from '../../../../client/errors';
import type { Page } from '../../../../client/hal/links';
import { connect } from '../../connection/connect';
import { escapedItem, unescaped } from '../../display/expressionEscape';
import { toNodeError } from '../../display/nodeError';
import { valueText } from '../../display/valueText';
import type { Parameter } from '../parameter';

/** A picker's value with its mode. An expression in a picker may also return a bare id. */
const locatorSchema = z.union([
	z.looseObject({ mode: z.string().catch('id'), value: z.union([z.string(), z.number()]).nullish() }),
	z.union([z.string(), z.number()]).transform((value) => ({ mode: 'id', value })),
]);

/**
 * The chosen text, or undefined if nothing is chosen.
 * @throws InvalidInput if it is not a locator
 */
export function chosen(
	raw: unknown,
	what: string,
): { text: string; mode: string; isUrl: boolean } | undefined {
	const parsed = locatorSchema.safeParse(raw ?? '');
	if (!parsed.success)
		throw new InvalidInput(
			`"${what}" is ${valueText(raw)}, which is not an ID`,
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

/** Above any id or address of the service, and within the limits of proxies. */
const MAX_LENGTH = 2000;

/**
 * Awaits a resource chosen by pickers and adds the pickers' names to a NotFound.
 * @throws NotFound with the pickers' names, and any other error of `reading`
 */
export async function pickedBy<Value>(
	pickers: Parameter<unknown> | ReadonlyArray<Parameter<unknown>>,
	reading: Promise<Value>,
): Promise<Value> {
	const all = 'read' in pickers ? [pickers] : pickers;
	const names = all.map(({ property }) => `"${property.displayName}"`);
	const title = `${names.join(' or ')} does not exist or was deleted`;
	return await reading.catch((error: unknown) =>
		Promise.reject(error instanceof NotFound ? new NotFound({ ...error.facts, status: 404 }, title) : error),
	);
}

/**
 * Makes the reader of a required picker.
 * @returns the id, also of a URL
 */
export const idOf =
	(kind: ResourceType, label: string) =>
	(raw: unknown): string => {
		const { text, isUrl } = required(chosen(raw, label), label);
		return isUrl ? required(idInUrl(kind, text), label) : text;
	};

interface Picker {
	displayName: string;
	name: string;
	description: string;
	required: boolean;
	searchMethod: string;
	/** Omitted: the picker takes no URL. */
	urlPlaceholder?: string;
	idPlaceholder: string;
	/** Omitted: the picker takes no email address. */
	emailPlaceholder?: string;
	/** What an empty picker means, if that is allowed. */
	whenEmpty?: string;
}

/** A mode of a picker in which a text is entered. */
function textMode(displayName: string, name: string, placeholder: string | undefined) {
	return placeholder === undefined ? [] : [{ displayName, name, type: 'string' as const, placeholder }];
}

/** A picker: From List first, then By URL, then By ID. */
export function locator(picker: Picker): INodeProperties {
	const { displayName, name, description, required: isRequired, searchMethod, whenEmpty } = picker;
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
				typeOptions: { searchListMethod: searchMethod, searchable: true },
				...(whenEmpty === undefined ? {} : { placeholder: whenEmpty }),
			},
			...textMode('By URL', 'url', picker.urlPlaceholder),
			...textMode('By Email', 'email', picker.emailPlaceholder),
			...textMode('By ID', 'id', picker.idPlaceholder),
		],
	};
}

/** Page size of lists. */
export const LIST_PAGE = 50;
/** Whether a name contains the search text. */
export const matches = (name: string, filter: string | undefined) =>
	name.toLowerCase().includes((filter ?? '').trim().toLowerCase());

/** Page index of the next page, which n8n passes to the next call. */
const tokenSchema = z.coerce.number().int().min(1).catch(1);

/** Runs a list search, with errors that n8n can show. */
export async function list(
	context: ILoadOptionsFunctions,
	find: (client: Client) => Promise<INodeListSearchResult>,
): Promise<INodeListSearchResult> {
	return await connect(context)
		.then(find)
		.then(({ results, ...rest }) => ({ ...rest, results: results.map(escapedItem) }))
		.catch((error: unknown) => Promise.reject(toNodeError(context, error)));
}

/** What n8n passes to a list search: the search text, and the token of the page to read. */
export interface ListRequest {
	filter: string | undefined;
	token: string | undefined;
}

/** A page of resources, and how to show them in a list. */
interface Listing<Resource> {
	page: Page<Resource>;
	item(resource: Resource): { name: string; value: string };
	/** Selects the resources to show; all if omitted. */
	kept?(resources: readonly Resource[]): Promise<readonly Resource[]>;
	/** What the error says of the key if no resource is shown; "may only read" by default. */
	lacks?: string;
}

/** A page of a list, filtered by the search text. */
export async function pagedList<Resource>(
	context: ILoadOptionsFunctions,
	{ filter, token }: ListRequest,
	read: (client: Client, paging: { pageIndex: number; pageSize: number }) => Promise<Listing<Resource>>,
): Promise<INodeListSearchResult> {
	return await list(context, async (client) => {
		const pageIndex = tokenSchema.parse(token);
		const { page, item, kept, lacks } = await read(client, { pageIndex, pageSize: LIST_PAGE });
		const named = page.items.filter((resource) => matches(item(resource).name, filter));
		const shown = kept ? await kept(named) : named;
		const next = nextToken(page, pageIndex);
		const names = named.map((resource) => item(resource).name);
		refuseOnlyReadable({ named: names, shown, token, next, lacks });
		return { results: shown.map(item), ...next };
	});
}

/**
 * An empty list does not show its cause, so an error explains a list that is empty for lack of
 * permission.
 * @throws OnlyReadable if this is the whole list and every entry was omitted
 */
export function refuseOnlyReadable({
	named,
	shown,
	token,
	next,
	lacks,
}: {
	named: readonly string[];
	shown: readonly unknown[];
	token: string | undefined;
	next: { paginationToken?: unknown };
	lacks?: string | undefined;
}): void {
	const isWhole = token === undefined && next.paginationToken === undefined;
	if (isWhole && named.length > 0 && shown.length === 0) throw new OnlyReadable(named, lacks);
}

/** n8n's token for the next page, if there is one. */
export function nextToken(
	{ items, pageSize = LIST_PAGE, numberOfPages, numberOfItems, _links }: Page<unknown>,
	pageIndex: number,
): { paginationToken?: string } {
	const isCounted = numberOfPages !== undefined || numberOfItems !== undefined;
	const isBefore = pageIndex < (numberOfPages ?? 0) || pageIndex * pageSize < (numberOfItems ?? 0);
	const mayGoOn = _links.has('next') || items.length >= pageSize;
	const more = items.length > 0 && (isCounted ? isBefore : mayGoOn);
	return more ? { paginationToken: String(pageIndex + 1) } : {};
}
