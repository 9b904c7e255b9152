import { InvalidInput } from '../errors';

/** Where a grid stands (§4.4): the ids that its documented address is spelled from. */
export interface GridAddress {
	userId: string;
	spaceId: string;
	gridId: string;
}

/** One path segment. A dot segment would climb out of the path it is put in, whatever its encoding. */
function segment(value: string, what: string): string {
	// A lone surrogate cannot be percent-encoded.
	if (['', '.', '..'].includes(value.trim()) || /\p{Surrogate}/u.test(value))
		throw new InvalidInput(
			`"${value}" is not the id of a ${what}`,
			`Choose the ${what} from the list, or enter its id.`,
		);
	return encodeURIComponent(value);
}

/** The last segment of a path, decoded: the id of what stands there. Empty where the path has none. */
export function lastSegmentOf(path: string): string {
	return decoded(path.split('/').filter(Boolean).at(-1) ?? '');
}

const user = (userId: string) => `/api/users/${segment(userId, 'user')}`;
const space = (userId: string, spaceId: string) => `${user(userId)}/spaces/${segment(spaceId, 'space')}`;
const grid = (at: GridAddress) => `${space(at.userId, at.spaceId)}/grids/${segment(at.gridId, 'grid')}`;

/**
 * The only place where a path is spelled: the documented addresses (§4), for operations whose link name the spec omits
 * or whose representation is not at hand.
 */
export const paths = {
	currentUser: '/api/users/me',
	types: '/api/types',
	nodeTypes: '/api/nodeTypes',
	blocks: '/api/blocks',
	version: '/api/version',
	user,
	accessKeys: (userId: string) => `${user(userId)}/accessKeys`,
	accessKey: (userId: string, keyId: string) => `${user(userId)}/accessKeys/${segment(keyId, 'access key')}`,
	spaces: (userId: string) => `${user(userId)}/spaces`,
	space,
	spaceCopy: (userId: string, spaceId: string) => `${space(userId, spaceId)}/copy`,
	spaceResources: (userId: string, spaceId: string) => `${space(userId, spaceId)}/resources`,
	shares: (userId: string, spaceId: string) => `${space(userId, spaceId)}/shares`,
	invite: (userId: string, spaceId: string) => `${space(userId, spaceId)}/invite`,
	invitations: (userId: string, spaceId: string) => `${space(userId, spaceId)}/invitations`,
	uploadCsv: (userId: string, spaceId: string) => `${space(userId, spaceId)}/uploadCSV`,
	grids: (userId: string, spaceId: string) => `${space(userId, spaceId)}/grids`,
	grid,
	schema: (at: GridAddress) => `${grid(at)}/schema`,
	columnOperation: (at: GridAddress, operation: string) => `${grid(at)}/${operation}`,
	field: (at: GridAddress, fieldId: string) => `${grid(at)}/fields/${segment(fieldId, 'field')}`,
	virtualGrids: (at: GridAddress) => `${grid(at)}/virtualgrids`,
	filterChange: (at: GridAddress) => `${grid(at)}/FilterChange`,
	statefulViews: (at: GridAddress) => `${grid(at)}/sviews`,
	statefulView: (at: GridAddress, viewId: string) => `${grid(at)}/sviews/${segment(viewId, 'stateful view')}`,
	statefulViewSchema: (at: GridAddress, viewId: string) =>
		`${grid(at)}/sviews/${segment(viewId, 'stateful view')}/schema`,
	statefulViewShares: (at: GridAddress, viewId: string) =>
		`${grid(at)}/sviews/${segment(viewId, 'stateful view')}/shares`,
	forms: (at: GridAddress) => `${grid(at)}/forms`,
	form: (at: GridAddress, formId: string) => `${grid(at)}/forms/${segment(formId, 'form')}`,
	csv: (at: GridAddress) => `${grid(at)}/csv`,
	updates: (at: GridAddress) => `${grid(at)}/updates`,
	query: (at: GridAddress) => `${grid(at)}/query`,
	entities: (at: GridAddress) => `${grid(at)}/entities`,
	entity: (at: GridAddress, entityId: string) => `${grid(at)}/entities/${segment(entityId, 'entity')}`,
	entityUpdate: (at: GridAddress, entityId: string) =>
		`${grid(at)}/entities/${segment(entityId, 'entity')}/update`,
	entityEvents: (at: GridAddress, entityId: string) =>
		`${grid(at)}/entities/${segment(entityId, 'entity')}/events`,
};

const SPACE = '/api/users/*/spaces/*';
const GRID = `${SPACE}/grids/*`;

/** Documented addresses (§4) by the kind of resource; an asterisk stands for an id, the last one for that of the resource. */
const FORMS = {
	user: ['/api/users/*'],
	accessKey: ['/api/users/*/accessKeys/*'],
	space: [SPACE],
	share: [`${SPACE}/shares/*`, `${SPACE}/invitations/*`, `${GRID}/sviews/*/shares/*`],
	grid: [GRID],
	field: [`${GRID}/fields/*`],
	form: [`${GRID}/forms/*`],
	statefulView: [`${GRID}/sviews/*`],
	// §4.6 shows the beginning of public addresses; what follows is as below a grid.
	entity: [`${GRID}/entities/*`, '/api/a/*/*/entities/*', '/api/r/*/*/entities/*'],
} as const;
export type Kind = keyof typeof FORMS;

/** A path of that form below any prefix. */
const expressionFor = (form: string) => new RegExp(`${form.replaceAll('*', '([^/]+)')}/?$`);
const EXPRESSIONS = new Map(Object.entries(FORMS).map(([kind, forms]) => [kind, forms.map(expressionFor)]));

/**
 * The id in a path of the documented form; undefined for any other path: a piece of an opaque address is no id (§1).
 * @param kind what stands there; any kind if undefined
 */
export function idInPath(kind: Kind | undefined, path: string): string | undefined {
	const expressions = kind === undefined ? [...EXPRESSIONS.values()].flat() : EXPRESSIONS.get(kind);
	for (const expression of expressions ?? []) {
		const id = expression.exec(path)?.at(-1);
		if (id !== undefined) return decoded(id);
	}
	return undefined;
}

/** Where the resources of a kind stand, in addresses of any form that people copy. */
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
} as const satisfies Record<Kind, string>;

/** The id of a resource of a kind in an address that a person copied, which may go on behind it; undefined where it has none. */
export function idInUrl(kind: Kind, url: string): string | undefined {
	const found = new RegExp(`.*/${COLLECTIONS[kind]}/([^/]+)`).exec(belowUser(url))?.[1];
	return found === undefined ? undefined : decoded(found);
}

/** The path of a URL below the user; the whole one where it names none. A prefix may have segments of the same names. */
function belowUser(url: string): string {
	const path = url.replace(/[?#].*$/, '');
	return /\/api\/users\/[^/]+(\/.*)/.exec(path)?.[1] ?? path;
}

/** Reads space and grid ids out of an address that a person copied from a browser or the API; null where it holds none. */
export function idsInUrl(url: string): { spaceId?: string; gridId?: string; lastSegment?: string } {
	const path = url.replace(/[?#].*$/, '');
	const spaceId = idInUrl('space', path);
	const gridId = idInUrl('grid', path);
	const last = path.split('/').filter(Boolean).at(-1);
	return {
		...(spaceId === undefined ? {} : { spaceId }),
		...(gridId === undefined ? {} : { gridId }),
		...(last === undefined ? {} : { lastSegment: decoded(last) }),
	};
}

/** A text without percent-encoding; as it is where it is not encoded rightly. */
export function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
