import type { ILoadOptionsFunctions, INodeProperties } from 'n8n-workflow';
import {
	BoundedMap,
	type Client,
	idInUrl,
	idsInUrl,
	InvalidInput,
	isJsonObject,
	outcomeOf,
	resourceAt,
	type ResourceType,
	type Settled,
	UnreadableResponse,
} from '../../../../client';
import { unescaped } from '../../display/expressionEscape';
import type { Parameter } from '../parameter';
import type { RawValue } from '../rawValues';
import { gridReferenceIn, spaceIdIn } from './locators';
import { gridWithKey, spaceWithId, spaceWithKey, viewNamed } from './pickedKeys';

/** Resource types by picker name. A view's address has the form of a grid's (§2.8). */
const TYPES_BY_PICKER = new Map<string, ResourceType>(
	Object.entries({
		accessKey: 'accessKey',
		board: 'statefulView',
		entity: 'entity',
		field: 'field',
		form: 'form',
		grid: 'grid',
		linkedGrid: 'grid',
		space: 'space',
		view: 'grid',
	} as const),
);

/** The pickers on whose values a key or name depends. */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
	grid: ['space'],
	linkedGrid: ['space'],
	view: ['space', 'grid'],
};

/** A picker's property, as far as its value is resolved by it. */
export type Picker = Pick<INodeProperties, 'name' | 'displayName'>;

/** The stored value of another picker of the same node. */
type RawPicker = (name: string) => unknown;

/** The list value of a grid, with its space, because a grid's address contains both ids (§4.4). */
export function gridValue(spaceId: string, gridId: string): string {
	return `${encodeURIComponent(spaceId)}/${encodeURIComponent(gridId)}`;
}

/** What values of pickers stand for. A run, a trigger and the editor each keep their own. */
export class Resolutions {
	private readonly outcomes: BoundedMap<string, { outcome: Settled<unknown>; until: number }>;
	private readonly lifetime: number;

	/** @param limits.lifetime milliseconds */
	constructor({ lifetime = Infinity, maximum = Infinity } = {}) {
		this.outcomes = new BoundedMap(maximum);
		this.lifetime = lifetime;
	}

	/** What was found out, however long ago. */
	get(place: string): Settled<unknown> | undefined {
		return this.outcomes.get(place)?.outcome;
	}

	/** Resolves a value anew after a failure or its lifetime. @throws what `resolve` throws */
	async of(place: string, resolve: () => Promise<unknown>): Promise<unknown> {
		const now = performance.now();
		const kept = this.outcomes.get(place);
		if (kept?.outcome.state === 'done' && kept.until > now) return kept.outcome.value;
		const outcome = await outcomeOf(resolve());
		this.outcomes.set(place, { outcome, until: now + this.lifetime });
		if (outcome.state === 'failed') throw outcome.error;
		return outcome.value;
	}
}

/** Identifies a value: a key or name means something else in another space or grid. */
function placeOf({ name }: Picker, raw: unknown, rawOf: RawPicker): string {
	return JSON.stringify([name, raw, ...(modeOf(raw) === 'url' ? [] : (PARENTS[name] ?? []).map(rawOf))]);
}

/**
 * Resolves pickers in the modes By URL, By Key and By Name for all items of a run. Refuses URLs of
 * other servers, and resolves each value once.
 */
export class ResolvedPickers {
	private readonly resolutions = new Resolutions();
	private pickers: INodeProperties[] = [];

	constructor(private readonly raw: RawValue) {}

	/** Reads an input with pickers resolved to ids. @throws the error of resolving it */
	readonly read: RawValue = (property, itemIndex) => {
		const raw = this.raw(property, itemIndex);
		if (!isPicker(property) || !isUnresolved(raw)) return raw;
		const outcome = this.resolutions.get(placeOf(property, raw, this.rawPickers(itemIndex)));
		if (outcome?.state === 'failed') throw outcome.error;
		return outcome ? outcome.value : raw;
	};

	/** Resolves the pickers; failures are thrown when the item's value is read. */
	async resolve(client: Client, fields: ReadonlyArray<Parameter<unknown>>, items: number): Promise<void> {
		this.pickers = fields.map(({ property }) => property).filter(isPicker);
		for (const picker of this.pickers)
			for (let itemIndex = 0; itemIndex < items; itemIndex++) {
				const raw = this.tryRaw(picker, itemIndex);
				if (!isUnresolved(raw)) continue;
				const rawOf = this.rawPickers(itemIndex);
				const place = placeOf(picker, raw, rawOf);
				if (this.resolutions.get(place)) continue;
				await outcomeOf(this.resolutions.of(place, () => resolved(client, picker, raw, rawOf)));
			}
	}

	/** Undefined if it cannot be read; its item fails later. */
	private tryRaw(picker: INodeProperties, itemIndex: number): unknown {
		try {
			return this.raw(picker, itemIndex);
		} catch {
			return undefined;
		}
	}

	private rawPickers(itemIndex: number): RawPicker {
		return (name) => {
			const picker = this.pickers.find((property) => property.name === name);
			return picker && this.raw(picker, itemIndex);
		};
	}
}

/** Where a single picker is read: in the trigger, or for a list in the editor. */
interface PickerContext {
	client: Client;
	/** The credentials of the node. */
	credentials: unknown;
	rawOf: RawPicker;
	resolutions: Resolutions;
}

/** The value of one picker. @throws any error of resolving it */
export async function pickedValue<Value>(
	{ property, read }: Parameter<Value>,
	{ client, credentials, rawOf, resolutions }: PickerContext,
): Promise<Value> {
	const raw = rawOf(property.name);
	if (!isUnresolved(raw)) return read(raw);
	const place = JSON.stringify([client.session.baseUrl, credentials, placeOf(property, raw, rawOf)]);
	return read(await resolutions.of(place, () => resolved(client, property, raw, rawOf)));
}

/** The editor loads the lists of a node one after another. */
const forEditor = new Resolutions({ lifetime: 30_000, maximum: 1000 });

/** The value of a picker that a list in the editor depends on. @throws any error of resolving it */
export async function parentPickerValue<Value>(
	context: ILoadOptionsFunctions,
	client: Client,
	picker: Parameter<Value>,
): Promise<Value> {
	const { credentials } = context.getNode();
	const rawOf: RawPicker = (name) => context.getCurrentNodeParameter(name);
	return await pickedValue(picker, { client, credentials, rawOf, resolutions: forEditor });
}

/**
 * A picker's value, with the id for a key, a name, or a URL that does not contain it.
 * @param rawOf the values of the pickers that it depends on
 * @throws InvalidInput if a URL belongs to another service, or nothing has the key or name
 */
export async function resolved(
	client: Client,
	picker: Picker,
	raw: unknown,
	rawOf: RawPicker,
): Promise<unknown> {
	const kind = TYPES_BY_PICKER.get(picker.name);
	if (kind === undefined || !isUnresolved(raw)) return raw;
	if (modeOf(raw) !== 'url') return await ofKey(client, picker, raw, rawOf);
	const { displayName } = picker;
	const text = textIn(raw);
	const url = ownUrl(client, text, displayName);
	if (idInUrl(kind, url.pathname) !== undefined) return raw;
	const reading = resourceAt(client.session, url, kind);
	const { id, hrefs } = await reading.catch((error: unknown) =>
		Promise.reject(error instanceof UnreadableResponse ? noResource(displayName, text) : error),
	);
	const spaceId = hrefs.map((href) => idsInUrl(href).spaceId).find((found) => found !== undefined);
	return kind === 'grid' && picker.name !== 'view' && spaceId !== undefined
		? { mode: 'list', value: gridValue(spaceId, id) }
		: { mode: 'id', value: id };
}

/** The id that belongs to the key of a space or grid, or to the name of a view. */
async function ofKey(client: Client, picker: Picker, raw: unknown, rawOf: RawPicker): Promise<unknown> {
	const text = textIn(raw);
	if (picker.name === 'space') return { mode: 'id', value: (await spaceWithKey(client, text)).id };
	const spaceId = async () => spaceIdIn(await resolved(client, SPACE, rawOf('space'), rawOf));
	if (picker.name === 'view') {
		const grid = gridReferenceIn(await resolved(client, GRID, rawOf('grid'), rawOf), GRID.displayName);
		const opened = await client.grids.open({ ...grid, spaceId: grid.spaceId ?? (await spaceId()) });
		return { mode: 'id', value: (await viewNamed(client, opened, text)).id };
	}
	const [key = '', spaceKey] = text.split('/').reverse();
	const chosenId = spaceKey === undefined ? await spaceId() : undefined;
	if (spaceKey === undefined && chosenId === undefined)
		throw new InvalidInput(
			`"${picker.displayName}" contains "${text}", which is not the key of a space and the key of a grid`,
			'Enter both with a slash between them, such as sales/orders, or choose the space in "Space".',
		);
	const space =
		chosenId === undefined ? await spaceWithKey(client, spaceKey ?? '') : await spaceWithId(client, chosenId);
	return { mode: 'list', value: gridValue(space.id, (await gridWithKey(client, space, key)).id) };
}

const SPACE: Picker = { name: 'space', displayName: 'Space' };
const GRID: Picker = { name: 'grid', displayName: 'Grid' };

/** The URL, if it belongs to the credential's service. */
function ownUrl({ session }: Client, text: string, label: string): URL {
	const own = session.below(text);
	if (own) return own;
	const base = session.resolve('/');
	const url = URL.canParse(text, base.href) ? new URL(text, base) : undefined;
	if (!url) throw noResource(label, text);
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

const isPicker = ({ name, type }: INodeProperties) => type === 'resourceLocator' && TYPES_BY_PICKER.has(name);

/** Whether a picker contains something else than an id. */
const isUnresolved = (raw: unknown): boolean => modeOf(raw) !== undefined && textIn(raw) !== '';

/** The mode of a picker whose value is not an id; an expression may also return a bare URL. */
function modeOf(raw: unknown): 'url' | 'key' | 'name' | undefined {
	const mode = isJsonObject(raw) ? raw['mode'] : undefined;
	if (mode === 'key' || mode === 'name') return mode;
	return mode === 'url' || /^https?:\/\//i.test(textIn(raw)) ? 'url' : undefined;
}

function textIn(raw: unknown): string {
	const value = isJsonObject(raw) ? raw['value'] : raw;
	return typeof value === 'string' || typeof value === 'number' ? unescaped(String(value).trim()) : '';
}
