import type { ILoadOptionsFunctions, INodeProperties } from 'n8n-workflow';
import type { Client } from '../../../../client';
import { InvalidInput, UnreadableResponse } from '../../../../client/errors';
import { isJsonObject } from '../../../../client/formats/json';
import { outcomeOf, type Settled } from '../../../../client/http/limiter';
import type { ResourceType } from '../../../../client/endpoints/endpoints';
import { idInUrl, idsInUrl } from '../../../../client/endpoints/paths';
import { resourceAt } from '../../../../client/session/resourceAt';
import type { Parameter } from '../parameter';
import type { RawValue } from '../rawValues';

/** Resource types by picker name. A view's address has the form of a grid's (§2.8). */
const KINDS = new Map<string, ResourceType>(
	Object.entries({
		accessKey: 'accessKey',
		entity: 'entity',
		field: 'field',
		form: 'form',
		grid: 'grid',
		space: 'space',
		statefulView: 'statefulView',
		view: 'grid',
	} as const),
);

/** The list value of a grid, with its space, because a grid's address contains both ids (§4.4). */
export function gridValue(spaceId: string, gridId: string): string {
	return `${encodeURIComponent(spaceId)}/${encodeURIComponent(gridId)}`;
}

/**
 * Resolves pickers in mode By URL for all items of a run. Refuses URLs of other servers, and opens
 * each URL without an id once.
 */
export class PickedUrls {
	private readonly known = new Map<string, Settled<unknown>>();

	constructor(private readonly raw: RawValue) {}

	/**
	 * Reads the value of an input, with resolved URLs of pickers.
	 * @throws the error of resolving the URL
	 */
	readonly read: RawValue = (property, itemIndex) => {
		const raw = this.raw(property, itemIndex);
		const url = this.known.size === 0 ? undefined : urlIn(property, raw);
		const found = url === undefined ? undefined : this.known.get(urlKey(property, url));
		if (!found) return raw;
		if (found.state === 'failed') throw found.error;
		return found.value;
	};

	/** Resolves the URLs of pickers; failures are thrown when the item's value is read. */
	async resolve(client: Client, fields: ReadonlyArray<Parameter<unknown>>, items: number): Promise<void> {
		for (const { property } of fields.filter((field) => KINDS.has(field.property.name))) {
			let last: unknown;
			for (let itemIndex = 0; itemIndex < items; itemIndex++) {
				const raw = await outcomeOf(Promise.resolve().then(() => this.raw(property, itemIndex)));
				if (raw.state === 'failed' || raw.value === last) continue;
				last = raw.value;
				const url = urlIn(property, raw.value);
				if (url === undefined || this.known.has(urlKey(property, url))) continue;
				this.known.set(urlKey(property, url), await outcomeOf(resolved(client, property, raw.value)));
			}
		}
	}
}

/**
 * The value of a picker that a list in the editor depends on.
 * @throws any error of resolving its URL
 */
export async function parentPickerValue<Value>(
	context: ILoadOptionsFunctions,
	client: Client,
	{ property, read }: Parameter<Value>,
): Promise<Value> {
	return read(await resolved(client, property, context.getCurrentNodeParameter(property.name)));
}

/**
 * A picker's value; a URL that does not contain the id is replaced by the id.
 * @throws InvalidInput if the URL belongs to another service, or leads to something else
 */
export async function resolved(client: Client, property: INodeProperties, raw: unknown): Promise<unknown> {
	const kind = KINDS.get(property.name);
	const text = urlIn(property, raw);
	if (text === undefined || kind === undefined) return raw;
	const { displayName } = property;
	const url = ownUrl(client, text, displayName);
	if (idInUrl(kind, url.pathname) !== undefined) return raw;
	const reading = resourceAt(client.session, url, kind);
	const { id, hrefs } = await reading.catch((error: unknown) =>
		Promise.reject(error instanceof UnreadableResponse ? noResource(displayName, text) : error),
	);
	const spaceId = hrefs.map((href) => idsInUrl(href).spaceId).find((found) => found !== undefined);
	return kind === 'grid' && property.name === 'grid' && spaceId !== undefined
		? { mode: 'list', value: gridValue(spaceId, id) }
		: { mode: 'id', value: id };
}

/** The URL, if it belongs to the credential's service. */
function ownUrl({ session }: Client, text: string, label: string): URL {
	const base = session.resolve('/');
	const url = URL.canParse(text, base.href) ? new URL(text, base) : undefined;
	if (!url) throw noResource(label, text);
	if (url.origin === base.origin && url.pathname.startsWith(base.pathname)) return url;
	throw new InvalidInput(
		`The URL in "${label}" belongs to ${url.origin}${url.origin === base.origin ? url.pathname : ''}, but the credential to ${base.href}; nothing was sent`,
		'Choose a credential of the service that the URL belongs to, or another URL.',
	);
}

function noResource(label: string, text: string): InvalidInput {
	return new InvalidInput(
		`"${label}" contains the URL "${text}", which does not lead to a resource of this type`,
		`Copy the URL again, or choose the ${label.toLowerCase()} from the list.`,
	);
}

/** Whether a picker contains a URL. */
export const holdsUrl = (property: INodeProperties, raw: unknown) => urlIn(property, raw) !== undefined;

const urlKey = ({ name }: INodeProperties, url: string) => `${name} ${url}`;

/** The URL in a picker, if any. */
function urlIn({ type }: INodeProperties, raw: unknown): string | undefined {
	if (type !== 'resourceLocator') return undefined;
	const [mode, value] = isJsonObject(raw) ? [raw['mode'], raw['value']] : ['id', raw];
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	return mode === 'url' || /^\s*https?:\/\//i.test(value) ? value.trim() : undefined;
}
