import { allows, cap, type Identity, type Role } from '../rules/access';
import { forbidden, notFound } from '../rules/errors';
import type { Field } from '../rules/fieldTypes';
import type { Kind, Links, Parameters } from '../http/links';
import type { About, Call, Route } from '../http/route';
import type { Grid } from '../store/structure/grids';
import type { Space } from '../store/structure/spaces';
import type { Store } from '../store/store';

/** A call by an account on an account. */
export interface UserCall extends Call {
	readonly identity: Identity;
	readonly userId: string;
	/** What the caller may do on this account: nothing unless it is their own. */
	readonly role: Role | undefined;
}

/** A call on a space. */
export interface SpaceCall extends UserCall {
	readonly space: Space;
	/**
	 * Whether the caller has no role in the space, but only a share of a stateful view: reaches
	 * what its grid shows, and no more.
	 */
	readonly confined: boolean;
}

/** A call on a grid, by its own address or by that of a virtual grid. */
export interface GridCall extends SpaceCall {
	/** The grid as addressed. */
	readonly grid: Grid;
	/** The persistent grid that holds the entities. */
	readonly base: Grid;
	/** All fields of the persistent grid. */
	readonly allFields: readonly Field[];
	/** The fields that the addressed grid shows. */
	readonly fields: readonly Field[];
	/**
	 * The fields that the caller may filter and sort by (§4.5: also hidden ones, but not for a
	 * confined caller).
	 */
	readonly nameable: readonly Field[];
}

type Handler<C> = (call: C) => unknown;

/**
 * The endpoints below one address: each is a path, the role it asks for, the links it makes, what
 * it takes and answers, and what it does.
 */
export class Scope<C extends Call> {
	readonly routes: Route[] = [];

	/** @param open turns a request into what the handlers need, or refuses it */
	constructor(
		private readonly prefix: string,
		private readonly open: (call: Call, role: Role | 'open') => C | Promise<C>,
	) {}

	get(path: string, role: Route['role'], on: Route['on'], about: About, handler: Handler<C>): void {
		this.add('GET', path, role, on, about, handler);
	}
	post(path: string, role: Route['role'], on: Route['on'], about: About, handler: Handler<C>): void {
		this.add('POST', path, role, on, about, handler);
	}
	put(path: string, role: Route['role'], on: Route['on'], about: About, handler: Handler<C>): void {
		this.add('PUT', path, role, on, about, handler);
	}
	patch(path: string, role: Route['role'], on: Route['on'], about: About, handler: Handler<C>): void {
		this.add('PATCH', path, role, on, about, handler);
	}
	delete(path: string, role: Route['role'], on: Route['on'], about: About, handler: Handler<C>): void {
		this.add('DELETE', path, role, on, about, handler);
	}

	private add(
		method: Route['method'],
		path: string,
		role: Route['role'],
		on: Route['on'],
		about: About,
		handler: Handler<C>,
	): void {
		this.routes.push({
			method,
			path: this.prefix + path,
			role,
			on,
			about,
			admit: (call) => this.open(call, role),
			run: (call) => {
				const opened = this.open(call, role);
				return opened instanceof Promise ? opened.then(handler) : handler(opened);
			},
		});
	}
}

/** Refuses a caller whose role does not suffice (§5: 403, not 404). */
export function demand(role: Role | undefined, needed: Role | 'open', what: string): void {
	if (needed === 'open' || allows(role, needed)) return;
	const held = role === undefined ? 'you have no role' : `your role is ${role}`;
	throw forbidden(`This needs the role ${needed} on ${what}; ${held}`);
}

function openUser(call: Call): UserCall {
	const identity = call.login();
	const userId = call.params['userId'] ?? '';
	if (!call.store.accounts.user(userId)) throw notFound('User');
	return { ...call, identity, userId, role: userId === identity.userId ? identity.keyRole : undefined };
}

/** The role of a caller in a space: owner, or by a share; never more than the key allows (§5). */
function roleIn(store: Store, identity: Identity, space: Space): Role | undefined {
	if (space.ownerId === identity.userId) return identity.keyRole;
	return cap(store.accounts.sharedRole(space.id, identity.email), identity.keyRole);
}

function findSpace(call: Call): SpaceCall {
	const user = openUser(call);
	const space = call.store.spaces.get(call.params['spaceId'] ?? '');
	// A shared space is reached below the address of its owner and below that of the person it is
	// shared with.
	if (!space || (user.userId !== space.ownerId && user.userId !== user.identity.userId))
		throw notFound('Space');
	return { ...user, role: roleIn(call.store, user.identity, space), space, confined: false };
}

function openSpace(call: Call, needed: Role | 'open'): SpaceCall {
	const found = findSpace(call);
	demand(found.role, needed, found.role ? `the space "${found.space.name}"` : 'this space');
	return found;
}

/** A grid with what its address shows of it. */
export function openGridOf(store: Store, grid: Grid) {
	const base = grid.baseNo === null ? grid : store.grids.byNo(grid.baseNo);
	if (!base) throw notFound('Grid');
	const allFields = store.fields.list(base.no);
	return { grid, base, allFields, fields: shownFields(grid, allFields) };
}

/** The fields a grid shows, in its order. */
export function shownFields({ cut }: Grid, allFields: readonly Field[]): readonly Field[] {
	if (!cut?.fields) return allFields;
	return cut.fields.flatMap((id) => allFields.filter((field) => field.id === id));
}

const bestFirst = ['writer', 'reader', 'creator'] as const;

/**
 * The role that shared stateful views of a grid give. Structure is never shared this way: a share
 * as admin may change data.
 * @see service/README.md: stateful view shares
 */
function roleByShares(call: SpaceCall, grid: Grid): Role | undefined {
	const given = call.store.presentation.rolesBySviews(grid.no, call.identity.email);
	const within = given.map((role) => (role === 'admin' ? 'writer' : role));
	return cap(
		bestFirst.find((role) => within.includes(role)),
		call.identity.keyRole,
	);
}

/**
 * The role of the caller on a grid of the space, and whether it goes no further than what the grid
 * shows.
 */
export function roleOn(call: SpaceCall, grid: Grid): { role: Role | undefined; confined: boolean } {
	const role = roleIn(call.store, call.identity, call.space);
	return role === undefined ? { role: roleByShares(call, grid), confined: true } : { role, confined: false };
}

function openGrid(call: Call, needed: Role | 'open'): GridCall {
	const space = findSpace(call);
	const grid = call.store.grids.get(call.params['gridId'] ?? '');
	const there = grid?.spaceId === space.space.id ? grid : undefined;
	const { role, confined } = there ? roleOn(space, there) : { role: space.role, confined: false };
	demand(role, needed, there && role ? `the grid "${there.name}"` : 'this grid');
	if (!there) throw notFound('Grid');
	const opened = openGridOf(call.store, there);
	return { ...space, role, confined, nameable: confined ? opened.fields : opened.allFields, ...opened };
}

/** Endpoints that take no credentials. */
export const inOpen = (prefix: string) => new Scope<Call>(`/api${prefix}`, (call) => call);

/** Endpoints of an account: its owner only. */
export const inUser = (prefix: string) =>
	new Scope<UserCall>(`/api/users/:userId${prefix}`, (call, needed) => {
		const user = openUser(call);
		demand(user.role, needed, 'this account');
		return user;
	});

/** Endpoints of a space. */
export const inSpace = (prefix: string) =>
	new Scope<SpaceCall>(`/api/users/:userId/spaces/:spaceId${prefix}`, openSpace);

/** Endpoints of a grid, under its own address or that of a virtual grid. */
export const inGrid = (prefix: string) =>
	new Scope<GridCall>(`/api/users/:userId/spaces/:spaceId/grids/:gridId${prefix}`, openGrid);

/**
 * The links of a resource for this caller.
 * @param more names the resource where the address of the request does not
 */
export const linksFor = (call: UserCall, kind: Kind, more: Parameters = {}): Links =>
	call.links.of(kind, call.role, { ...call.params, ...more });
