import { endpoints, USER, type ResourceType } from './endpoints';
import { InvalidInput } from '../errors';

/** Documented address of a grid (§4.4). */
export interface GridAddress {
	userId: string;
	spaceId: string;
	gridId: string;
}

/** Variables of the documented paths, with the names of what they identify. */
const VARIABLES = {
	userId: 'user',
	keyId: 'access key',
	spaceId: 'space',
	gridId: 'grid',
	fieldId: 'field',
	sview: 'board or calendar',
	formId: 'form',
	entityId: 'entity',
	linkId: 'public link',
};
type Variable = keyof typeof VARIABLES;

/** Ids that make up a documented address. */
export type Address = Partial<Record<Variable, string>>;

/** Fills a documented path. @throws InvalidInput if an id cannot be a path segment */
export function pathOf({ path }: { path: string }, address: Address): string {
	return path.replace(/\{(\w+)\}/g, (_match, name: Variable) =>
		segment(address[name] ?? '', VARIABLES[name]),
	);
}

/** One path segment. A dot segment would leave the path, even if it is encoded. */
function segment(value: string, what: string): string {
	// A lone surrogate cannot be percent-encoded.
	if (['', '.', '..'].includes(value.trim()) || /\p{Surrogate}/u.test(value))
		throw new InvalidInput(
			`"${value}" is not the ID of a ${what}`,
			`Choose the ${what} from the list, or enter its ID.`,
		);
	return encodeURIComponent(value);
}

/** The last segment of a path, decoded; empty if the path has none. */
export function lastSegmentOf(path: string): string {
	return decoded(path.split('/').filter(Boolean).at(-1) ?? '');
}

/** Documented paths (§4) of the types of resources. The last variable is the id of the resource. */
const PATHS: Readonly<Record<ResourceType, readonly string[]>> = {
	user: [USER],
	accessKey: [endpoints.accessKeyDelete.path],
	space: [endpoints.spaceGet.path],
	share: [endpoints.shareList, endpoints.invitationList, endpoints.statefulViewShareList].map(
		({ path }) => `${path}/{id}`,
	),
	grid: [endpoints.gridGet.path],
	field: [endpoints.fieldGet.path],
	form: [endpoints.formGet.path],
	statefulView: [endpoints.statefulViewGet.path],
	// §4.6 documents only the start of public addresses; the rest is assumed to be like that of
	// grids.
	entity: [
		endpoints.entityGet.path,
		`${endpoints.publicRowList.path}/{id}`,
		`${endpoints.publicRowGet.path}/entities/{id}`,
	],
};

/** Matches a documented path below any prefix. */
const expressionFor = (path: string) => new RegExp(`${path.replace(/\{\w+\}/g, '([^/]+)')}/?$`);
const EXPRESSIONS = new Map(Object.entries(PATHS).map(([type, paths]) => [type, paths.map(expressionFor)]));

/**
 * The id in a documented path; undefined for any other path, because the segments of an opaque
 * address are not ids (§1).
 * @param type type of the resource at the path; any type if undefined
 */
export function idInPath(type: ResourceType | undefined, path: string): string | undefined {
	const expressions = type === undefined ? [...EXPRESSIONS.values()].flat() : EXPRESSIONS.get(type);
	for (const expression of expressions ?? []) {
		const id = expression.exec(path)?.at(-1);
		if (id !== undefined) return decoded(id);
	}
	return undefined;
}

/** Segment before the id of a resource, in addresses copied by users. */
const COLLECTIONS = {
	user: 'users',
	accessKey: 'accessKeys',
	space: 'spaces',
	share: 'shares',
	grid: 'grids',
	field: 'fields',
	form: 'forms',
	statefulView: 'sviews',
	entity: 'entities',
} as const satisfies Record<ResourceType, string>;

/** Id of a resource in an address copied by a user, which may continue after the id. */
export function idInUrl(type: ResourceType, url: string): string | undefined {
	const segments = belowUser(url).split('/');
	const segment = segments.findLast(
		(segment, at) => segment !== '' && at > 1 && segments[at - 1] === COLLECTIONS[type],
	);
	return segment === undefined ? undefined : decoded(segment);
}

/** An address without query and fragment. */
const pathIn = (url: string) => url.split(/[?#]/, 1).join();

/** Path of a URL after the user id, if any: a prefix may contain the same segments. */
function belowUser(url: string): string {
	const path = pathIn(url);
	return /\/api\/users\/[^/]+(\/.*)/.exec(path)?.[1] ?? path;
}

/** Space id, grid id and last segment of an address copied from a browser or the API. */
export function idsInUrl(url: string): { spaceId?: string; gridId?: string; lastSegment?: string } {
	// The host is no segment.
	const path = pathIn(url).replace(/^[a-z]+:\/\/[^/]*/i, '');
	const spaceId = idInUrl('space', path);
	const gridId = idInUrl('grid', path);
	const last = path.split('/').filter(Boolean).at(-1);
	return {
		...(spaceId === undefined ? {} : { spaceId }),
		...(gridId === undefined ? {} : { gridId }),
		...(last === undefined ? {} : { lastSegment: decoded(last) }),
	};
}

/** Decodes percent-encoding; text with invalid encoding is returned unchanged. */
export function decoded(text: string): string {
	try {
		return text.includes('%') ? decodeURIComponent(text) : text;
	} catch {
		return text;
	}
}
