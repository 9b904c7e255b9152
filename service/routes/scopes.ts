import { isDeepStrictEqual } from 'node:util';
import { allows, limitRole, type Identity, type Role } from '../rules/access';
import { forbidden, notFound, unavailable } from '../rules/errors';
import { linksToRows, type Field, type LinkedNames } from '../rules/fieldTypes';
import { linkedGridId } from '../rules/linkedGrids';
import type { RepresentationKind, Links, Parameters } from '../http/links';
import type { About, Call, Route } from '../http/route';
import type { Grid } from '../store/structure/grids';
import type { Space } from '../store/structure/spaces';
import type { Store } from '../store/store';

/** A call by an account on an account. */
export interface UserCall extends Call {
	readonly identity: Identity;
	readonly userId: string;
	/** Role of the caller in this account; undefined unless it is their own. */
	readonly role: Role | undefined;
}

/** A call on a space. */
export interface SpaceCall extends UserCall {
	readonly space: Space;
	/**
	 * Whether the caller has only a share of a stateful view and no role in the space: access is
	 * then limited to what the addressed grid shows.
	 */
	readonly confined: boolean;
}

/** A call on the entities of a grid: by an account, or through a public link. */
export interface EntitiesCall extends Call {
	readonly role: Role | undefined;
	/** Whether access is limited to what the addressed grid shows. */
	readonly confined: boolean;
	/** Author of the changes in the history. */
	readonly actor: string;
	/** Representations whose links the caller gets. */
	readonly kinds: { readonly entity: RepresentationKind; readonly form: RepresentationKind };
	/** The addressed grid. */
	readonly grid: Grid;
	/** The persistent grid with the entities. */
	readonly base: Grid;
	/** All fields of the persistent grid. */
	readonly allFields: readonly Field[];
	/** The fields that the addressed grid shows. */
	readonly fields: readonly Field[];
	/**
	 * The fields that the caller may filter and sort by (§4.5: hidden ones, too, unless the caller
	 * is confined).
	 */
	readonly queryableFields: readonly Field[];
}

/** A call by an account on a persistent or virtual grid. */
export type GridCall = SpaceCall & EntitiesCall;

/** Link names, input and output of an endpoint. */
interface Endpoint extends About {
	readonly on?: Route['on'];
}

/** The endpoints below a path prefix. */
export class Scope<C extends Call> {
	readonly routes: Route[] = [];

	/** @param open resolves the resources that the handlers need, or refuses the request */
	constructor(
		private readonly prefix: string,
		private readonly open: (call: Call, role: Role | 'open') => C | Promise<C>,
	) {}

	readonly get = this.adding('GET');
	readonly post = this.adding('POST');
	readonly put = this.adding('PUT');
	readonly patch = this.adding('PATCH');
	readonly delete = this.adding('DELETE');

	private adding(method: Route['method']) {
		return (
			path: string,
			role: Route['role'],
			{ on = {}, ...about }: Endpoint,
			handler: (call: C) => unknown,
		): void => {
			this.routes.push({
				method,
				path: this.prefix + path,
				role,
				on,
				about,
				authorize: (call) => this.open(call, role),
				run: (call) => {
					const opened = () => this.open(call, role);
					return method === 'GET' ? readAllowed(call, opened, handler) : written(call, opened, handler);
				},
			});
		};
	}
}

/** Reads, and checks the right to it again if anything was written meanwhile. */
async function readAllowed<C extends Call>(
	call: Call,
	open: () => C | Promise<C>,
	handler: (found: C) => unknown,
) {
	let before: string | undefined;
	let opened = call;
	const result = await call.store.read(async () => {
		before = call.store.version();
		const found = await open();
		opened = found;
		return await handler(found);
	});
	// Also that a view still shows the same to a caller who is confined to it.
	if (call.store.version() !== before) await opened.authorizeAgain();
	return result;
}

function written<C>(call: Call, open: () => C | Promise<C>, handler: (found: C) => unknown) {
	return call.store.write(() => {
		const opened = open();
		return opened instanceof Promise
			? opened.then((found) => call.store.write(() => handler(found)))
			: handler(opened);
	});
}

/** Refuses callers with an insufficient role (§5: 403, not 404). */
export function requireRole(role: Role | undefined, needed: Role | 'open', what: string): void {
	if (needed === 'open' || allows(role, needed)) return;
	const held = role === undefined ? 'you have no role' : `your role is ${role}`;
	throw forbidden(`This requires the role ${needed} on ${what}; ${held}`);
}

function openUser(call: Call): UserCall {
	const identity = call.login();
	const userId = call.params['userId'] ?? '';
	if (!call.store.accounts.user(userId)) throw notFound('User');
	return { ...call, identity, userId, role: userId === identity.userId ? identity.keyRole : undefined };
}

/** Role of a caller in a space, as its owner or by a share, limited by the role of the key (§5). */
function roleIn(store: Store, identity: Identity, space: Space): Role | undefined {
	if (space.ownerId === identity.userId) return identity.keyRole;
	return limitRole(store.accounts.sharedRole(space.id, identity.email), identity.keyRole);
}

function findSpace(call: Call): SpaceCall {
	const user = openUser(call);
	const space = call.store.spaces.get(call.params['spaceId'] ?? '');
	// A shared space has addresses below its owner and below the person it is shared with.
	if (!space || (user.userId !== space.ownerId && user.userId !== user.identity.userId))
		throw notFound('Space');
	return { ...user, role: roleIn(call.store, user.identity, space), space, confined: false };
}

function openSpace(call: Call, needed: Role | 'open'): SpaceCall {
	const found = findSpace(call);
	requireRole(found.role, needed, found.role ? `the space "${found.space.name}"` : 'this space');
	return found;
}

/** A grid with its fields and the persistent grid. */
export function openGridOf(store: Store, grid: Grid) {
	const base = grid.baseNo === null ? grid : store.grids.byNo(grid.baseNo);
	if (!base) throw notFound('Grid');
	const allFields = withLinkedNames(store, base);
	return { grid, base, allFields, fields: shownFields(grid, allFields) };
}

/** The fields of a grid, each with the names of the rows that it links to. */
function withLinkedNames(store: Store, base: Grid): readonly Field[] {
	const fields = store.fields.list(base.no);
	if (!fields.some(linksToRows)) return fields;
	return fields.map((field) =>
		linksToRows(field) ? { ...field, linkedNames: () => linkedNames(store, base, field) } : field,
	);
}

/** The grids of the space that a field may link to, with the first field that each shows. */
function linkedNames(store: Store, { spaceId, properties }: Grid, field: Field): LinkedNames {
	const id = linkedGridId(properties, field);
	const grids = id === undefined ? store.grids.list(spaceId, 'persistent') : [store.grids.get(id)];
	return new Map(
		grids.flatMap((grid) => {
			if (grid?.spaceId !== spaceId) return [];
			const { base, fields } = openGridOf(store, grid);
			return fields[0] ? [[base.no, fields[0].id] as const] : [];
		}),
	);
}

/** The fields that a grid shows, in its order. */
export function shownFields({ definition }: Grid, allFields: readonly Field[]): readonly Field[] {
	if (!definition?.fields) return allFields;
	return definition.fields.flatMap((id) => allFields.filter((field) => field.id === id));
}

const strongestFirst = ['writer', 'reader', 'creator'] as const;

/**
 * Role from shared stateful views of a grid. `admin` counts as `writer`: structure is never shared
 * this way.
 * @see service/README.md: stateful view shares
 */
function roleByShares(call: SpaceCall, grid: Pick<Grid, 'no'>): Role | undefined {
	const given = call.store.presentation.rolesBySviews(grid.no, call.identity.email);
	const within = given.map((role) => (role === 'admin' ? 'writer' : role));
	return limitRole(
		strongestFirst.find((role) => within.includes(role)),
		call.identity.keyRole,
	);
}

/** Role of the caller on a grid of the space, and whether it is limited to what the grid shows. */
export function roleOn(
	call: SpaceCall,
	grid: Pick<Grid, 'no'>,
): { role: Role | undefined; confined: boolean } {
	const role = roleIn(call.store, call.identity, call.space);
	return role === undefined ? { role: roleByShares(call, grid), confined: true } : { role, confined: false };
}

function openGrid(call: Call, needed: Role | 'open'): GridCall {
	const space = findSpace(call);
	const grid = call.store.grids.get(call.params['gridId'] ?? '');
	const found = grid?.spaceId === space.space.id ? grid : undefined;
	const { role, confined } = found ? roleOn(space, found) : { role: space.role, confined: false };
	requireRole(role, needed, found && role ? `the grid "${found.name}"` : 'this grid');
	if (!found) throw notFound('Grid');
	return {
		...space,
		role,
		actor: space.identity.userId,
		kinds: { entity: 'entity', form: 'form' },
		...openGridFor(call, found, confined),
	};
}

/** A grid with its fields, for a caller who may be confined to what it shows. */
export function openGridFor(call: Call, grid: Grid, confined: boolean) {
	const opened = openGridOf(call.store, grid);
	return {
		...opened,
		confined,
		// The names of linked rows are those of another grid.
		queryableFields: confined ? shownFields(grid, call.store.fields.list(opened.base.no)) : opened.allFields,
		authorizeAgain: confined ? () => requireSameView(call, grid) : call.authorizeAgain,
	};
}

/**
 * Checks again whether the caller may see what a view showed when the request began.
 * @throws ServiceError like the first check, or 503 if its filter or columns were changed
 */
async function requireSameView(call: Call, view: Grid): Promise<void> {
	await call.authorizeAgain();
	if (!isDeepStrictEqual(call.store.grids.get(view.id)?.definition, view.definition))
		throw unavailable('The filter or columns of the view were changed: request it again');
}

/** Endpoints without credentials. */
export const inOpen = (prefix: string) => new Scope<Call>(`/api${prefix}`, (call) => call);

/** Endpoints of an account, for its owner only. */
export const inUser = (prefix: string) =>
	new Scope<UserCall>(`/api/users/:userId${prefix}`, (call, needed) => {
		const user = openUser(call);
		requireRole(user.role, needed, 'this account');
		return user;
	});

/** Endpoints of a space. */
export const inSpace = (prefix: string) =>
	new Scope<SpaceCall>(`/api/users/:userId/spaces/:spaceId${prefix}`, openSpace);

/** Endpoints of a persistent or virtual grid. */
export const inGrid = (prefix: string) =>
	new Scope<GridCall>(`/api/users/:userId/spaces/:spaceId/grids/:gridId${prefix}`, openGrid);

/**
 * The links of a resource for this caller.
 * @param more path parameters that the request does not contain
 */
export const linksFor = (
	call: Call & { readonly role: Role | undefined },
	kind: RepresentationKind,
	more: Parameters = {},
): Links => call.links.linksOf(kind, call.role, { ...call.params, ...more });
