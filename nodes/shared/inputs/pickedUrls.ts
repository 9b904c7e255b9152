import type { ILoadOptionsFunctions, INodeProperties } from 'n8n-workflow';
import type { Client } from '../../../client';
import { InvalidInput, UnreadableResponse } from '../../../client/errors';
import { isJsonObject } from '../../../client/formats/json';
import { outcomeOf, type Ended } from '../../../client/http/limiter';
import type { ResourceType } from '../../../client/endpoints/endpoints';
import { idInUrl, idsInUrl } from '../../../client/endpoints/paths';
import { resourceAt } from '../../../client/session/resourceAt';
import type { Parameter } from './parameter';
import type { RawValue } from './rawValues';

/** What the pickers choose, by their names. A view has an address of the form of a grid's (§2.8). */
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

/** A grid's list value names its space too, since a grid's id alone makes no address (§4.4). */
export function gridValue(spaceId: string, gridId: string): string {
	return `${encodeURIComponent(spaceId)}/${encodeURIComponent(gridId)}`;
}

/**
 * What pickers hold By URL, for all items of a run: an address of another server is refused, and one that does not tell the id is read
 * once. The others stay as they are.
 */
export class PickedUrls {
	private readonly known = new Map<string, Ended<unknown>>();

	constructor(private readonly raw: RawValue) {}

	/** Reads the value of an input; that of a picker as `resolve` found it. @throws what was wrong with its URL */
	readonly read: RawValue = (property, itemIndex) => {
		const raw = this.raw(property, itemIndex);
		const url = this.known.size === 0 ? undefined : urlIn(property, raw);
		const found = url === undefined ? undefined : this.known.get(keyOf(property, url));
		if (!found) return raw;
		if (found.state === 'failed') throw found.error;
		return found.value;
	};

	/** Looks up what the pickers hold; what is wrong with a URL is told to the items that have it. */
	async resolve(client: Client, fields: ReadonlyArray<Parameter<unknown>>, items: number): Promise<void> {
		for (const { property } of fields.filter((field) => KINDS.has(field.property.name))) {
			let last: unknown;
			for (let itemIndex = 0; itemIndex < items; itemIndex++) {
				const raw = await outcomeOf(Promise.resolve().then(() => this.raw(property, itemIndex)));
				if (raw.state === 'failed' || raw.value === last) continue;
				last = raw.value;
				const url = urlIn(property, raw.value);
				if (url === undefined || this.known.has(keyOf(property, url))) continue;
				this.known.set(keyOf(property, url), await outcomeOf(resolved(client, property, raw.value)));
			}
		}
	}
}

/** The same for a list in the editor: what a picker above it holds. @throws what is wrong with its URL */
export async function pickedAbove<Value>(
	context: ILoadOptionsFunctions,
	client: Client,
	{ property, read }: Parameter<Value>,
): Promise<Value> {
	return read(await resolved(client, property, context.getCurrentNodeParameter(property.name)));
}

/**
 * A picker's value, without a URL that does not tell the id.
 * @throws InvalidInput where the URL is not one of the credential's service, or leads to something else
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

/** The URL, if it is one of the credential's service: its path on that service may be that of something else. */
function ownUrl({ session }: Client, text: string, label: string): URL {
	const base = session.resolve('/');
	const url = URL.canParse(text, base.href) ? new URL(text, base) : undefined;
	if (!url) throw noResource(label, text);
	if (url.origin === base.origin && url.pathname.startsWith(base.pathname)) return url;
	throw new InvalidInput(
		`"${label}" is chosen by a URL of ${url.origin}${url.origin === base.origin ? url.pathname : ''}, but the credential is for ${base.href}; nothing was sent`,
		'Choose a credential of the service that the URL belongs to, or another URL.',
	);
}

function noResource(label: string, text: string): InvalidInput {
	return new InvalidInput(
		`"${label}" is chosen by the URL "${text}", at which there is none`,
		`Copy the address again, or choose the ${label.toLowerCase()} from the list.`,
	);
}

/** Whether a picker holds a URL. */
export const holdsUrl = (property: INodeProperties, raw: unknown) => urlIn(property, raw) !== undefined;

const keyOf = ({ name }: INodeProperties, url: string) => `${name} ${url}`;

/** The URL that a picker holds, if it holds one. */
function urlIn({ type }: INodeProperties, raw: unknown): string | undefined {
	if (type !== 'resourceLocator') return undefined;
	const [mode, value] = isJsonObject(raw) ? [raw['mode'], raw['value']] : ['id', raw];
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	return mode === 'url' || /^\s*https?:\/\//i.test(value) ? value.trim() : undefined;
}
