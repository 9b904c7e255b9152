import { z } from 'zod/v4';
import * as responses from '../../http/responseSchemas';
import { parseAuthorization, type Role } from '../../rules/access';
import { notFound, ServiceError, unauthorized } from '../../rules/errors';
import { viewCondition, viewOrders } from '../../rules/viewDefinition';
import { entityBody, readBody, recordBody, writeValues, type Layout } from '../../rules/layouts';
import { parseInput } from '../../http/input';
import { pageQuery, rangeOf } from '../../http/paging';
import type { Entity } from '../../store/rows/entities';
import type { Grid } from '../../store/structure/grids';
import type { PublicLink } from '../../store/people/publicLinks';
import { allValues, fieldLayout } from '../rows/entities';
import { formView, readSubmission } from '../rows/forms';
import { publicPath } from './gridLinks';
import { pageResponse } from '../rows/pages';
import { createEntity } from '../rows/rowAccess';
import { entitySchema } from '../structure/grids';
import { created, type Call } from '../../http/route';
import { requireRole, openGridOf, Scope } from '../scopes';

/** A call through a public link, with or without an account. */
interface LinkCall extends Call {
	readonly link: PublicLink;
	readonly grid: Grid;
	readonly opened: ReturnType<typeof openGridOf>;
}

/** Refuses callers that do not satisfy the protection of a link (§5). */
async function checkProtection(call: Call, link: PublicLink): Promise<void> {
	const refuse = (message: string) => unauthorized(message, { 'Service-Authorization': link.protection });
	if (link.protection === 'link') {
		const given = call.authorization === undefined ? undefined : parseAuthorization(call.authorization);
		if (given?.scheme !== 'basic' || !(await knowsPassword(call, link, given.key, given.secret))) {
			throw refuse('This link requires its user name and password');
		}
	}
	if (link.protection === 'internal') {
		try {
			call.login();
		} catch (error) {
			throw error instanceof ServiceError ? refuse('This link requires a login to the service') : error;
		}
	}
}

const knowsPassword = (call: Call, { id }: PublicLink, user: string, password: string) =>
	call.linkGuard.opens({ link: id, address: call.address }, user, password, () =>
		call.store.publicLinks.opens(id, user, password),
	);

/** @param kinds links of other kinds are 404, so that they reveal nothing about their grid */
async function openLink(
	call: Call,
	needed: Role | 'open',
	kinds: ReadonlyArray<PublicLink['kind']>,
): Promise<LinkCall> {
	const { userId = '', linkId = '' } = call.params;
	const link = call.linkGuard.find(call.address, `${userId}/${linkId}`, () =>
		call.store.publicLinks.get(userId, linkId),
	);
	const grid = link && call.store.grids.byNo(link.gridNo);
	if (!link || !grid || !kinds.includes(link.kind)) throw notFound('Link');
	await checkProtection(call, link);
	// The link may have been deleted while its password was checked.
	if (call.store.publicLinks.get(userId, linkId)?.id !== link.id) throw notFound('Link');
	requireRole(link.role, needed, 'this link');
	return { ...call, link, grid, opened: openGridOf(call.store, grid) };
}

/**
 * Actor of changes through a link in the history. Admins find it in the list of links; it grants no
 * access.
 */
const actor = (link: PublicLink) => `link:${link.id}`;

const shared = new Scope<LinkCall>('/api/a/:userId/:linkId', (call, needed) =>
	openLink(call, needed, ['form', 'view']),
);

/** The form of a link. @throws ServiceError 404 if the link is of another kind */
function formOf({ link, store, opened }: LinkCall) {
	const form = link.formId === null ? undefined : store.presentation.form(opened.base.no, link.formId);
	if (!form) throw notFound('Form');
	return form;
}

shared.get(
	'',
	'open',
	{ on: { publicForm: 'self', publicView: 'self' }, response: responses.shared },
	(call) => {
		const { link, grid, opened } = call;
		const kind = link.kind === 'form' ? 'publicForm' : 'publicView';
		const links = call.links.linksOf(kind, link.role, call.params);
		if (link.kind === 'form') return formView(formOf(call), opened, true, links);
		return {
			_representation: 'full',
			id: grid.id,
			name: grid.name,
			type: 'virtual',
			metaType: 'grid',
			displayValue: grid.name,
			icon: grid.icon,
			fields: opened.fields.map(({ id, name, key, type }) => ({ id, name, key, type })),
			_links: links,
		};
	},
);

shared.post(
	'',
	'creator',
	{ on: { publicForm: 'submit' }, body: recordBody, response: 'created' },
	(call) => {
		const { link, opened } = call;
		const values = readSubmission(formOf(call), opened.fields, call.body, true);
		const entity = createEntity({ store: call.store, ...opened, confined: true }, values, actor(link));
		return created(`${publicPath(link)}/entities/${entity.id}`);
	},
);

const listQuery = z.object({ ...pageQuery().shape, ...fieldLayout.shape });

shared.get(
	'/entities',
	'reader',
	{ on: { publicView: 'entities' }, query: listQuery, response: responses.pageOf(responses.entity) },
	async (call) => {
		const { link, grid, opened } = call;
		if (link.kind !== 'view') throw notFound('Shared view');
		const query = parseInput(listQuery, call.query, 'Query');
		const page = await call.store.selections.page(opened.base.no, {
			condition: viewCondition(grid.definition, opened.allFields),
			orders: viewOrders(grid.definition, opened.allFields),
			...rangeOf(query),
		});
		const present = (entity: Entity) => entityView(call, entity, query.layout, 'summary');
		return pageResponse(page, present, query, call);
	},
);

/**
 * The receipt of a submission: that it arrived, and when. The link gives no access to the values of
 * others.
 */
function receiptView(call: LinkCall, { id, createdAt }: Entity) {
	const _links = call.links.linksOf('publicSubmission', call.link.role, { ...call.params, entityId: id });
	return { _id: id, _representation: 'summary', createdAt: new Date(createdAt).toISOString(), _links };
}

shared.get(
	'/entities/:entityId',
	'open',
	{ on: { publicRow: 'self', publicSubmission: 'self' }, query: fieldLayout, response: responses.entity },
	(call) => {
		const { link, store, grid, opened } = call;
		const { layout } = parseInput(fieldLayout, call.query, 'Query');
		const condition = link.kind === 'view' ? viewCondition(grid.definition, opened.allFields) : undefined;
		requireRole(link.role, link.kind === 'view' ? 'reader' : 'creator', 'this link');
		const entity = store.entities.get(opened.base.no, call.params['entityId'] ?? '', condition);
		if (!entity || (link.kind === 'form' && entity.createdBy !== actor(link))) throw notFound('Entity');
		return link.kind === 'view' ? entityView(call, entity, layout, 'full') : receiptView(call, entity);
	},
);

const records = new Scope<LinkCall>('/api/r/:userId/:linkId', (call, needed) =>
	openLink(call, needed, ['edit']),
);

function entityView(call: LinkCall, entity: Entity, layout: Layout, representation: 'full' | 'summary') {
	const { fields } = call.opened;
	const kind = call.link.kind === 'edit' ? 'publicEntity' : 'publicRow';
	return {
		_id: entity.id,
		_representation: representation,
		...writeValues(layout, fields, allValues(fields, entity)),
		_links: call.links.linksOf(kind, call.link.role, { ...call.params, entityId: entity.id }),
	};
}

/**
 * The entity of an edit link.
 * @throws ServiceError 404 if it was deleted or is not in the view, or if the link is of another
 *   kind
 */
function entityOf(call: LinkCall): Entity {
	const entity = linkedEntity(call);
	if (!entity) throw notFound('Entity');
	return entity;
}

function linkedEntity({ link, store, grid, opened }: LinkCall): Entity | undefined {
	const condition = viewCondition(grid.definition, opened.allFields);
	return link.entityId === null ? undefined : store.entities.get(opened.base.no, link.entityId, condition);
}

records.get(
	'',
	'reader',
	{ on: { publicEntity: 'self' }, query: fieldLayout, response: responses.entity },
	(call) => {
		const { layout } = parseInput(fieldLayout, call.query, 'Query');
		return entityView(call, entityOf(call), layout, 'full');
	},
);

/** Names and types of the entity's fields. */
records.get('/schema', 'reader', { on: { publicEntity: 'schema' }, response: responses.schema }, (call) => {
	entityOf(call);
	return entitySchema(call, call.opened.fields);
});

records.put(
	'',
	'writer',
	{ on: { publicEntity: 'update' }, query: fieldLayout, body: entityBody, response: responses.entity },
	(call) => {
		const { layout } = parseInput(fieldLayout, call.query, 'Query');
		const { fields, base } = call.opened;
		const before = entityOf(call);
		const values = readBody(layout, fields, call.body, { current: allValues(fields, before) });
		const entity = call.store.entities.update(base.no, before.id, values, actor(call.link));
		if (!entity) throw notFound('Entity');
		const view = entityView(call, entity, layout, 'full');
		// The update may remove the entity from the view of the link.
		return linkedEntity(call) ? view : { ...view, _links: {} };
	},
);

export const publicLinkRoutes = [...shared.routes, ...records.routes];
