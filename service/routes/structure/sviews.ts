import { z } from 'zod/v4';
import { LIMITS } from '../../rules/limits';
import { propertiesObject } from '../../rules/jsonObject';
import { allows } from '../../rules/access';
import * as responses from '../../http/responseSchemas';
import { forbidden, notFound } from '../../rules/errors';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import { collectionOf, pageQuery, plainPage, rangeOf } from '../../http/paging';
import type { Grid } from '../../store/structure/grids';
import type { Share, StatefulView } from '../../store/structure/presentation';
import { nameText } from '../../rules/text';
import { entitySchema } from './grids';
import { pageResponse } from '../rows/pages';
import { created } from '../../http/route';
import { inGrid, linksFor, roleOn, type GridCall } from '../scopes';
import { shareBody } from '../people/sharing';

const properties = propertiesObject;
const newSview = z.strictObject({
	type: nameText(LIMITS.textLength),
	properties: properties.default({}),
	slotProperties: properties.default({}),
});
const sviewChange = z
	.strictObject({ type: nameText(LIMITS.textLength), properties, slotProperties: properties })
	.partial();
const listQuery = z.object({ ...pageQuery().shape, nested: z.enum(['true', 'false']).default('false') });

/** The grid of a stateful view, which is the addressed grid or one of its virtual grids. */
const gridOf = ({ grid, store }: GridCall, { gridNo }: StatefulView): Grid =>
	gridNo === grid.no ? grid : (store.grids.byNo(gridNo) ?? grid);

/** A stateful view: the body of its creation (§2.8) and the common members (§2.1). */
function sviewView(call: GridCall, sview: StatefulView, full: boolean) {
	const grid = gridOf(call, sview);
	const { role } = roleOn(call, grid);
	return {
		_representation: full ? 'full' : 'summary',
		id: sview.id,
		type: sview.type,
		metaType: 'view',
		displayValue: sview.type,
		properties: sview.properties,
		slotProperties: sview.slotProperties,
		createdAt: new Date(sview.createdAt).toISOString(),
		_links: linksFor({ ...call, role }, 'sview', { gridId: grid.id, sview: sview.id }),
	};
}

/** The stateful views that are shared with a confined caller; undefined without a restriction. */
const sharedWith = (call: GridCall): ReadonlySet<string> | undefined =>
	call.confined ? new Set(call.store.presentation.sharedSviews(call.identity.email)) : undefined;

/**
 * @throws ServiceError 403 for one that is not shared with a confined caller, even if it does not
 *   exist (§5)
 */
function sviewOf(call: GridCall): StatefulView {
	if (sharedWith(call)?.has(call.params['sview'] ?? '') === false)
		throw forbidden('This stateful view is not shared with you');
	const found = call.store.presentation.sview(call.grid.no, call.params['sview'] ?? '');
	if (!found) throw notFound('Stateful view');
	return found;
}

const SVIEW = '/api/users/:userId/spaces/:spaceId/grids/:gridId/sviews/:sview';
const sviews = inGrid('/sviews');

sviews.get(
	'',
	'reader',
	{
		on: { grid: 'sviews', virtualGrid: 'sviews' },
		query: listQuery,
		response: responses.pageOf(responses.sview),
	},
	(call) => {
		const query = parseInput(listQuery, call.query, 'Query');
		const shared = sharedWith(call);
		const list = call.store.presentation.sviewPage(
			call.grid.no,
			query.nested === 'true',
			(id, no) => !shared || (shared.has(id) && allows(roleOn(call, { no }).role, 'reader')),
			rangeOf(query),
		);
		return pageResponse(list, (sview) => sviewView(call, sview, false), query, call);
	},
);

sviews.post(
	'',
	'admin',
	{ on: { grid: 'addSview', virtualGrid: 'addSview' }, body: newSview, response: 'created' },
	(call) => {
		const sview = call.store.presentation.addSview(call.grid.no, parseInput(newSview, call.body, 'Body'));
		return created(expandPath(SVIEW, { ...call.params, sview: sview.id }));
	},
);

sviews.get('/:sview', 'reader', { on: { sview: 'self' }, response: responses.sview }, (call) =>
	sviewView(call, sviewOf(call), true),
);

sviews.patch(
	'/:sview',
	'admin',
	{ on: { sview: 'update' }, body: sviewChange, response: responses.nothing },
	(call) => {
		const before = sviewOf(call);
		const { type, properties: props, slotProperties } = parseInput(sviewChange, call.body, 'Body');
		call.store.presentation.updateSview({
			...before,
			type: type ?? before.type,
			properties: props ?? before.properties,
			slotProperties: slotProperties ?? before.slotProperties,
		});
		return {};
	},
);

sviews.delete('/:sview', 'admin', { on: { sview: 'remove' }, response: responses.deleted }, (call) => {
	call.store.presentation.removeSview(sviewOf(call).id);
	return 'deleted';
});

sviews.get('/:sview/schema', 'reader', { on: { sview: 'schema' }, response: responses.schema }, (call) => {
	sviewOf(call);
	return entitySchema(call, call.fields);
});

function sviewShareView(call: GridCall, { id, role, email, createdAt }: Share) {
	const user = call.store.accounts.userByEmail(email);
	return {
		id,
		role,
		emails: [email],
		users: user ? [user.id] : [],
		type: 'share',
		createdAt: new Date(createdAt).toISOString(),
		_links: linksFor(call, 'sviewShare', { shareId: id }),
	};
}

sviews.get(
	'/:sview/shares',
	'admin',
	{ on: { sview: 'shares' }, query: plainPage, response: responses.pageOf(responses.share) },
	(call) => {
		const page = parseInput(plainPage, call.query, 'Query');
		const list = collectionOf(call.store.presentation.sviewShares(sviewOf(call).id), page, call.url);
		return { ...list, items: list.items.map((share) => sviewShareView(call, share)) };
	},
);

function sviewShareOf(call: GridCall): Share {
	const shares = call.store.presentation.sviewShares(sviewOf(call).id);
	const found = shares.find((share) => share.id === call.params['shareId']);
	if (!found) throw notFound('Share');
	return found;
}

sviews.get(
	'/:sview/shares/:shareId',
	'admin',
	{ on: { sviewShare: 'self' }, response: responses.share },
	(call) => sviewShareView(call, sviewShareOf(call)),
);

sviews.delete(
	'/:sview/shares/:shareId',
	'admin',
	{ on: { sviewShare: 'remove' }, response: responses.deleted },
	(call) => {
		call.store.presentation.removeSviewShare(sviewShareOf(call).id);
		return 'deleted';
	},
);

sviews.post(
	'/:sview/shares',
	'admin',
	{ on: { sview: 'addShare' }, body: shareBody, response: 'created' },
	(call) => {
		const { email, role } = parseInput(shareBody, call.body, 'Body');
		const share = call.store.presentation.shareSview(sviewOf(call).id, email, role);
		return created(expandPath(`${SVIEW}/shares/:shareId`, { ...call.params, shareId: share.id }));
	},
);

export const sviewRoutes = sviews.routes;
