import { z } from 'zod/v4';
import { LIMITS } from '../../rules/limits';
import { propertiesObject } from '../../rules/jsonObject';
import * as responses from '../../http/responseSchemas';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import { pageQuery, rangeOf } from '../../http/paging';
import type { ListedSpace, Space } from '../../store/structure/spaces';
import { allows, limitRole, type Identity, type Role } from '../../rules/access';
import { columnText, nameText } from '../../rules/text';
import { pageResponse } from '../rows/pages';
import { created } from '../../http/route';
import { inSpace, inUser, type UserCall } from '../scopes';
import { invitationView, usableLinks } from '../people/sharing';

/** A symbol object (§2.8). */
export const symbol = z.strictObject({
	name: columnText(LIMITS.textLength),
	iconset: columnText(LIMITS.textLength),
	color: columnText(LIMITS.textLength),
});

const name = nameText(LIMITS.nameLength);
const key = nameText(LIMITS.keyLength);
const properties = propertiesObject;

const newSpace = z.strictObject({
	name: name.optional(),
	key: key.optional(),
	belongsTo: columnText(LIMITS.textLength).nullable().optional(),
	icon: symbol.optional(),
	spaceIcon: symbol.optional(),
	properties: properties.optional(),
});
const spaceChange = z
	.strictObject({
		name,
		key,
		belongsTo: columnText(LIMITS.textLength).nullable(),
		spaceIcon: symbol,
		properties,
	})
	.partial();

/**
 * `matching=key,value`, `matching=key:value` or `matching=key=value`, because §4.3 leaves the
 * separator open.
 */
const matchingPair = z
	.string()
	.regex(/^[^,:=]+[,:=]/, 'expected a property key and its value, such as status,open')
	.transform((text) => {
		const [key = ''] = text.split(/[,:=]/, 1);
		return { key, value: text.slice(key.length + 1) };
	});

const listQuery = z.object({ ...pageQuery().shape, matching: matchingPair.optional() });

/** A space (§2.3). */
function spaceView(call: UserCall, space: Space, role: Role | undefined, full: boolean) {
	const { icon } = space;
	return {
		_representation: full ? 'full' : 'summary',
		id: space.id,
		name: space.name,
		key: space.key,
		belongsTo: space.belongsTo,
		type: 'space',
		metaType: 'space',
		displayValue: space.name,
		spaceIcon: icon,
		icon: icon.name,
		iconset: icon.iconset,
		color: icon.color,
		...(full
			? {
					createdAt: new Date(space.createdAt).toISOString(),
					properties: space.properties,
					plan: 'embedded',
					availableSeats: 1000,
				}
			: {}),
		_links: call.links.linksOf('space', role, { ...call.params, spaceId: space.id }),
		_embedded: {
			invitations: allows(role, 'admin') ? openInvitations(call, space, role) : [],
		},
	};
}

const openInvitations = (call: UserCall, { id: spaceId }: Space, role?: Role) =>
	call.store.sharing.invitations(spaceId).map((one) => {
		const links = call.links.linksOf('share', role, { ...call.params, spaceId, shareId: one.id });
		return invitationView(one, usableLinks(call, links));
	});

/** Effective role by ownership or share, for a space in a list. */
const roleOf = (space: ListedSpace, identity: Identity) =>
	space.ownerId === identity.userId
		? identity.keyRole
		: limitRole(space.sharedRole ?? undefined, identity.keyRole);

const spaces = inUser('/spaces');

spaces.get(
	'',
	'reader',
	{ on: { user: 'spaces' }, query: listQuery, response: responses.pageOf(responses.space) },
	(call) => {
		const query = parseInput(listQuery, call.query, 'Query');
		const { matching } = query;
		const page = call.store.spaces.page(
			{ ownerId: call.userId, email: call.identity.email },
			(space) => {
				const role = roleOf(space, call.identity);
				// The properties, which `matching` compares, are for readers only.
				return matching
					? allows(role, 'reader') && call.store.spaces.matches(space.id, matching)
					: role !== undefined;
			},
			rangeOf(query),
		);
		const present = (space: Space & ListedSpace) =>
			spaceView(call, space, roleOf(space, call.identity), false);
		return pageResponse(page, present, query, call);
	},
);

spaces.post(
	'',
	'admin',
	{ on: { user: 'addSpace' }, body: newSpace, optional: true, response: 'created' },
	(call) => {
		const { icon, spaceIcon, ...given } = parseInput(newSpace, call.body ?? {}, 'Body');
		const space = call.store.spaces.create(call.userId, { ...given, icon: spaceIcon ?? icon });
		return created(expandPath('/api/users/:userId/spaces/:spaceId', { ...call.params, spaceId: space.id }));
	},
);

const space = inSpace('');

space.get('', 'reader', { on: { space: 'self' }, response: responses.space }, (call) => {
	return spaceView(call, call.space, call.role, true);
});

space.patch(
	'',
	'admin',
	{ on: { space: 'update' }, body: spaceChange, response: responses.nothing },
	(call) => {
		const { spaceIcon, ...change } = parseInput(spaceChange, call.body, 'Body');
		call.store.spaces.update(call.space, { ...change, icon: spaceIcon });
		return {};
	},
);

space.delete('', 'admin', { on: { space: 'remove' }, response: responses.deleted }, (call) => {
	call.store.removeSpace(call.space);
	return 'deleted';
});

export const spaceRoutes = [...spaces.routes, ...space.routes];
