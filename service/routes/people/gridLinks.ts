import { z } from 'zod/v4';
import { LIMITS } from '../../rules/limits';
import * as responses from '../../http/responseSchemas';
import { allows, roles, type Role } from '../../rules/access';
import { viewCondition } from '../../rules/viewDefinition';
import { badRequest, notFound } from '../../rules/errors';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import { collectionOf, plainPage } from '../../http/paging';
import type { Grid } from '../../store/structure/grids';
import { linkKinds, protections, type PublicLink } from '../../store/people/publicLinks';
import { columnText } from '../../rules/text';
import { created, type Call } from '../../http/route';
import { inGrid, linksFor, openGridOf, type GridCall } from '../scopes';

/** Path of a link: edit links are below `/api/r`, forms and shared views below `/api/a`. */
export const publicPath = ({ kind, userId, token }: Pick<PublicLink, 'kind' | 'userId' | 'token'>): string =>
	expandPath(`/api/${kind === 'edit' ? 'r' : 'a'}/:userId/:linkId`, { userId, linkId: token });

const newLink = z.strictObject({
	kind: z.enum(linkKinds),
	formId: columnText(LIMITS.textLength).optional(),
	entityId: columnText(LIMITS.textLength).optional(),
	role: z.enum(roles).optional(),
	protection: z.enum(protections).optional(),
	user: columnText(LIMITS.loginLength).min(1).optional(),
	password: z.string().min(8).max(LIMITS.loginLength).optional(),
	names: z.boolean().optional(),
});
export type NewLink = z.infer<typeof newLink>;

/** Default role of a link. */
const defaultRole: Readonly<Record<PublicLink['kind'], Role>> = {
	form: 'creator',
	view: 'reader',
	edit: 'writer',
};
/** Minimum role for a link of this kind to work. */
const minimumRole: Readonly<Record<PublicLink['kind'], Role>> = {
	form: 'creator',
	view: 'reader',
	edit: 'reader',
};

/**
 * User name and password imply the protection `link`.
 * @throws ServiceError 400 if only one of them is given, or the name contains a colon
 */
function protectionOf({ protection, user, password }: NewLink) {
	// RFC 7617: Basic ends the user name at the first colon, so the link could not be opened.
	if (user?.includes(':')) throw badRequest('The user name of a link cannot contain a colon');
	const login = user !== undefined && password !== undefined ? { user, password } : undefined;
	const chosen = protection ?? (user === undefined && password === undefined ? 'none' : 'link');
	if (chosen === 'link' && !login)
		throw badRequest('The protection "link" requires a user name and a password');
	if (chosen !== 'link' && (user !== undefined || password !== undefined))
		throw badRequest(`A user name and a password require the protection "link", not "${chosen}"`);
	return { protection: chosen, login };
}

/**
 * Creates a public link into a grid.
 * @param hashed hashes the password in the turn of the caller, and refuses by an error afterwards
 * @throws ServiceError 400 for an invalid combination, 404 for an unknown form or entity, or a
 *   deleted grid
 */
export async function makeLink(
	store: Call['store'],
	userId: string,
	grid: Grid,
	given: NewLink,
	hashed: (hash: () => Promise<string>) => Promise<string> = (hash) => hash(),
): Promise<PublicLink> {
	const { kind } = given;
	const { protection, login } = protectionOf(given);
	const hash = login && (await hashed(() => store.publicLinks.hashOf(login.password)));
	// The grid may have been deleted while the password was hashed.
	if (!store.grids.byNo(grid.no)) throw notFound('Grid');
	const { base, allFields } = openGridOf(store, grid);
	const role = given.role ?? defaultRole[kind];
	if (!allows(role, minimumRole[kind]))
		throw badRequest(
			`A link of the kind "${kind}" requires at least the role ${minimumRole[kind]}, not ${role}`,
		);
	const form =
		given.formId === undefined
			? store.presentation.forms(base.no)[0]
			: store.presentation.form(base.no, given.formId);
	if (kind === 'form' && !form) throw notFound('Form');
	const entity =
		given.entityId === undefined
			? undefined
			: store.entities.get(base.no, given.entityId, viewCondition(grid.definition, allFields));
	if (kind === 'edit' && !entity) throw notFound('Entity');
	return store.write(() =>
		store.publicLinks.create({
			userId,
			kind,
			role,
			protection,
			names: given.names ?? false,
			gridNo: grid.no,
			formId: kind === 'form' ? (form?.id ?? null) : null,
			entityId: kind === 'edit' ? (entity?.id ?? null) : null,
			login: login && hash !== undefined ? { user: login.user, hash } : undefined,
		}),
	);
}

const links = inGrid('/links');

const linkView = (call: GridCall, link: PublicLink) => ({
	id: link.id,
	kind: link.kind,
	role: link.role,
	protection: link.protection,
	names: link.names,
	href: publicPath(link),
	createdAt: new Date(link.createdAt).toISOString(),
	_links: linksFor(call, 'link', { linkId: link.id }),
});

links.get(
	'',
	'admin',
	{
		on: { grid: 'links', virtualGrid: 'links' },
		query: plainPage,
		response: responses.pageOf(responses.publicLink),
	},
	(call) => {
		const page = parseInput(plainPage, call.query, 'Query');
		const list = collectionOf(call.store.publicLinks.list(call.grid.no), page, call.url);
		return { ...list, items: list.items.map((link) => linkView(call, link)) };
	},
);

links.post(
	'',
	'admin',
	{ on: { grid: 'addLink', virtualGrid: 'addLink' }, body: newLink, response: 'created' },
	async (call) => {
		const link = await makeLink(
			call.store,
			call.space.ownerId,
			call.grid,
			parseInput(newLink, call.body, 'Body'),
			async (hash) => {
				const result = await call.linkGuard.hashed(call, hash);
				await call.authorizeAgain();
				return result;
			},
		);
		return created(publicPath(link));
	},
);

links.delete('/:linkId', 'admin', { on: { link: 'remove' }, response: responses.deleted }, (call) => {
	if (!call.store.publicLinks.remove(call.grid.no, call.params['linkId'] ?? '')) throw notFound('Link');
	return 'deleted';
});

export const gridLinkRoutes = links.routes;
