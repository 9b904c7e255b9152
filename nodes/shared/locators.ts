import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodeProperties,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Client } from '../../client';
import type { Entity } from '../../client/entities';
import { InvalidInput } from '../../client/errors';
import type { GridReference } from '../../client/grids';
import { idsInUrl } from '../../client/paths';
import type { Space } from '../../client/spaces';
import { connect } from './connect';
import { toNodeError } from './nodeError';
import { shown, type Parameter } from './parameter';

/** A picker's value: how it was chosen, and what. An expression in a picker may also yield a bare id. */
const locatorSchema = z.union([
	z.looseObject({ mode: z.string().catch('id'), value: z.union([z.string(), z.number()]).nullish() }),
	z.union([z.string(), z.number()]).transform((value) => ({ mode: 'id', value })),
]);

/** The chosen text, or undefined where nothing is chosen. @throws InvalidInput where it is no locator */
function chosen(raw: unknown, what: string): { text: string; isUrl: boolean } | undefined {
	const parsed = locatorSchema.safeParse(raw ?? '');
	if (!parsed.success)
		throw new InvalidInput(
			`"${what}" holds ${shown(raw)}, which is not an id`,
			`Choose the ${what.toLowerCase()} from the list.`,
		);
	const text = String(parsed.data.value ?? '').trim();
	return text === '' ? undefined : { text, isUrl: parsed.data.mode === 'url' || /^https?:\/\//.test(text) };
}

function required<Value>(value: Value | undefined, what: string): Value {
	if (value !== undefined) return value;
	throw new InvalidInput(
		`"${what}" is empty`,
		`Choose the ${what.toLowerCase()} from the list, or check the expression that makes its id.`,
	);
}

interface Picker {
	displayName: string;
	name: string;
	description: string;
	required: boolean;
	searchMethod: string;
	urlPlaceholder: string;
	idPlaceholder: string;
}

/** From List first, then By URL, then By ID: nobody has to know an id. */
function locator(picker: Picker): INodeProperties {
	const { displayName, name, description, required: isRequired, searchMethod } = picker;
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
			},
			{ displayName: 'By URL', name: 'url', type: 'string', placeholder: picker.urlPlaceholder },
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: picker.idPlaceholder },
		],
	};
}

function spaceIdOf(raw: unknown): string | undefined {
	const found = chosen(raw, 'Space');
	if (!found) return undefined;
	if (!found.isUrl) return found.text;
	return required(idsInUrl(found.text).spaceId, 'Space');
}

const spaceProperty = {
	displayName: 'Space',
	name: 'space',
	searchMethod: 'searchSpaces',
	urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1',
	idPlaceholder: 'e.g. s1',
};

/** A space that has to be chosen. */
export const spacePicker: Parameter<string> = {
	property: locator({ ...spaceProperty, required: true, description: 'The space to work in' }),
	read: (raw) => required(spaceIdOf(raw), 'Space'),
};

/** A space that narrows the list of grids, or undefined for all spaces. */
export const gridSpacePicker: Parameter<string | undefined> = {
	property: locator({
		...spaceProperty,
		required: false,
		description:
			'Narrows the list of grids to one space. Leave it empty to choose from the grids of all spaces.',
	}),
	read: spaceIdOf,
};

/** A grid's list value names its space too, since a grid's id alone makes no address (§4.4). */
function gridValue(spaceId: string, gridId: string): string {
	return `${encodeURIComponent(spaceId)}/${encodeURIComponent(gridId)}`;
}

/** A grid; the ids of its space and itself where both were chosen, else its own. */
export const gridPicker: Parameter<GridReference> = {
	property: locator({
		displayName: 'Grid',
		name: 'grid',
		required: true,
		description: 'The grid (table) to work with',
		searchMethod: 'searchGrids',
		urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1',
		idPlaceholder: 'e.g. g1',
	}),
	read(raw) {
		const { text, isUrl } = required(chosen(raw, 'Grid'), 'Grid');
		if (isUrl) {
			const { spaceId, gridId } = idsInUrl(text);
			return { spaceId, gridId: required(gridId, 'Grid') };
		}
		const [first = '', second] = text.split('/').map(decodeURIComponent);
		return second === undefined ? { gridId: first } : { spaceId: first, gridId: second };
	},
};

/** The grid that an operation's two pickers name together. */
export function gridReference(grid: GridReference, spaceId: string | undefined): GridReference {
	return { spaceId: grid.spaceId ?? spaceId, gridId: grid.gridId };
}

/** An entity, by the text of its first column. */
export const entityPicker: Parameter<string> = {
	property: locator({
		displayName: 'Entity',
		name: 'entity',
		required: true,
		description: 'The entity (row), shown by its first column',
		searchMethod: 'searchEntities',
		urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1/entities/e1',
		idPlaceholder: 'e.g. {{ $json._id }}',
	}),
	read(raw) {
		const { text, isUrl } = required(chosen(raw, 'Entity'), 'Entity');
		return isUrl ? required(idsInUrl(text).lastSegment, 'Entity') : text;
	},
};

const LIST_PAGE = 50;
const matches = (name: string, filter: string | undefined) =>
	name.toLowerCase().includes((filter ?? '').trim().toLowerCase());

/** Where the next page of a list starts: the page index n8n gives back to the next call. */
const tokenSchema = z.coerce.number().int().min(1).catch(1);

/** A list search with the errors that n8n can show. */
async function list(
	context: ILoadOptionsFunctions,
	find: (client: Client) => Promise<INodeListSearchResult>,
): Promise<INodeListSearchResult> {
	return await connect(context)
		.then(find)
		.catch((error: unknown) => Promise.reject(toNodeError(context, error)));
}

function nextToken(
	page: { numberOfPages?: number | undefined; items: unknown[] },
	pageIndex: number,
): { paginationToken?: string } {
	const more = page.items.length > 0 && pageIndex < (page.numberOfPages ?? 1);
	return more ? { paginationToken: String(pageIndex + 1) } : {};
}

async function searchSpaces(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await list(this, async (client) => {
		const pageIndex = tokenSchema.parse(token);
		const page = await client.spaces.page({ pageIndex, pageSize: LIST_PAGE });
		const results = page.items
			.filter(({ name }) => matches(name, filter))
			.map((space) => ({ name: space.name || space.id, value: space.id }));
		return { results, ...nextToken(page, pageIndex) };
	});
}

async function searchGrids(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await list(this, async (client) => {
		const spaceId = spaceIdOf(this.getCurrentNodeParameter('space'));
		if (spaceId !== undefined)
			return { results: await gridsOf(client, await client.spaces.get(spaceId), filter, false) };
		const pageIndex = tokenSchema.parse(token);
		const page = await client.spaces.page({ pageIndex, pageSize: LIST_PAGE });
		const results: INodeListSearchItems[] = [];
		for (const space of page.items) results.push(...(await gridsOf(client, space, filter, true)));
		return { results, ...nextToken(page, pageIndex) };
	});
}

async function gridsOf(
	client: Client,
	space: Space,
	filter: string | undefined,
	nameSpace: boolean,
): Promise<INodeListSearchItems[]> {
	const results: INodeListSearchItems[] = [];
	for (let pageIndex = 1, pages = 1; pageIndex <= pages; pageIndex++) {
		const page = await client.grids.page(space, { type: 'persistent', pageIndex });
		pages = page.items.length === 0 ? 0 : (page.numberOfPages ?? 1);
		for (const grid of page.items) {
			const name = nameSpace ? `${grid.name} (${space.name})` : grid.name;
			if (matches(name, filter)) results.push({ name, value: gridValue(space.id, grid.id) });
		}
	}
	return results;
}

async function searchEntities(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await list(this, async (client) => {
		const reference = gridReference(
			gridPicker.read(this.getCurrentNodeParameter('grid')),
			spaceIdOf(this.getCurrentNodeParameter('space')),
		);
		const grid = await client.grids.open(reference);
		const first = (await client.fields.of(grid))[0];
		const pageIndex = tokenSchema.parse(token);
		const page = await client.entities.page(grid, { pageIndex, pageSize: LIST_PAGE, layout: 'field' });
		const results = page.items
			.map((entity) => ({ name: labelOf(entity, first?.id), value: entity._id }))
			.filter(({ name }) => matches(name, filter));
		return { results, ...nextToken(page, pageIndex) };
	});
}

function labelOf(entity: Entity, fieldId: string | undefined): string {
	const value = fieldId === undefined ? undefined : entity[fieldId];
	if (value === undefined || value === null || value === '') return entity._id;
	return typeof value === 'string' ? value : shown(value);
}

/** The list searches of all pickers, for a node's `methods`. */
export const listSearch = { searchSpaces, searchGrids, searchEntities };
