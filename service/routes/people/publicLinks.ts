import * as responses from '../../http/responseSchemas';
import { parseAuthorization, type Role } from '../../rules/access';
import { notFound, ServiceError, unauthorized } from '../../rules/errors';
import type { FormField } from '../../rules/formDesign';
import { recordBody } from '../../rules/layouts';
import { entityOfReceipt, receiptNumber } from '../../rules/receipts';
import type { PublicLink } from '../../store/people/publicLinks';
import {
	aboutEntity,
	aboutList,
	aboutUpdate,
	entityOf,
	getEntity,
	listEntities,
	updateEntity,
} from '../rows/entities';
import { namesInEntity, namesInView, refuseOtherLinks } from '../rows/linkedNames';
import { formInputs, getForm, submitForm } from '../rows/forms';
import { linkOffered, listRows, offeredGrid, rowsQuery } from '../rows/offeredRows';
import { publicPath } from './gridLinks';
import { entitySchema } from '../structure/grids';
import { created, type Call } from '../../http/route';
import { linksFor, openGridFor, requireRole, Scope, type EntitiesCall } from '../scopes';

/**
 * A call through a public link, with or without an account: like that of a person who has the role
 * of the link and is confined to what its grid shows.
 */
interface LinkCall extends EntitiesCall {
	readonly link: PublicLink;
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
	// A form reveals nothing, whatever the role.
	const role = link.kind === 'form' ? 'creator' : link.role;
	requireRole(role, needed, 'this link');
	const target = {
		formId: link.formId ?? '',
		...(link.kind === 'edit' ? { entityId: link.entityId ?? '' } : {}),
	};
	return {
		...call,
		params: { ...call.params, ...target },
		link,
		role,
		// Admins find it in the list of links; it grants no access.
		actor: `link:${link.id}`,
		kinds: { entity: link.kind === 'edit' ? 'publicEntity' : 'publicRow', form: 'publicForm' },
		...openGridFor(call, grid, true),
	};
}

const shared = new Scope<LinkCall>('/api/a/:userId/:linkId', (call, needed) =>
	openLink(call, needed, ['form', 'view']),
);

/** The grid whose rows people may pick in an input: if both the form and the link offer it. */
const offerOf = (call: LinkCall, input: FormField) =>
	call.link.names ? offeredGrid(call, input) : undefined;

/** The list of an input: a call on the grid whose rows it offers, confined to what that shows. */
const offers = new Scope<LinkCall>('/api/a/:userId/:linkId/inputs/:fieldId/rows', async (call, needed) => {
	const opened = await openLink(call, needed, ['form']);
	const input = formInputs(opened).find(({ field }) => field.id === call.params['fieldId']);
	const grid = input && offerOf(opened, input);
	if (!grid) throw notFound('List of rows');
	return { ...opened, ...openGridFor(opened, grid, true) };
});

offers.get(
	'',
	'creator',
	{ on: { publicInput: 'rows' }, query: rowsQuery, response: responses.offeredRows },
	listRows,
);

shared.get(
	'',
	'open',
	{ on: { publicForm: 'self', publicView: 'self' }, response: responses.shared },
	(call) => {
		const { link, grid, fields } = call;
		if (link.kind === 'form')
			return getForm(
				call,
				(input) => offerOf(call, input) && linksFor(call, 'publicInput', { fieldId: input.field.id }),
			);
		return {
			_representation: 'full',
			id: grid.id,
			name: grid.name,
			type: 'virtual',
			metaType: 'grid',
			displayValue: grid.name,
			icon: grid.icon,
			fields: fields.map(({ id, name, key, type }) => ({ id, name, key, type })),
			_links: linksFor(call, 'publicView'),
		};
	},
);

shared.post(
	'',
	'creator',
	{ on: { publicForm: 'submit' }, body: recordBody, response: 'created' },
	(call) => {
		const { id } = submitForm(call, (inputs, values) =>
			linkOffered(call, { inputs, values, offer: (input) => offerOf(call, input) }),
		);
		return created(
			`${publicPath(call.link)}/entities/${receiptNumber(call.store.receiptSecret, call.link.id, id)}`,
		);
	},
);

shared.get('/entities', 'reader', { on: { publicView: 'entities' }, ...aboutList }, listEntities);

shared.get(
	'/names',
	'reader',
	{ on: { publicView: 'names' }, query: aboutList.query, response: responses.linkedNames },
	(call) => namesInView(call, call.link.names),
);

/**
 * The receipt of a submission: that it arrived, and when. The link gives no access to the values of
 * others.
 */
function receiptOf(call: LinkCall) {
	const number = call.params['entityId'] ?? '';
	const entityId = entityOfReceipt(call.store.receiptSecret, call.link.id, number);
	const entity = entityId === undefined ? undefined : call.store.entities.get(call.base.no, entityId);
	if (entity?.createdBy !== call.actor) throw notFound('Entity');
	const createdAt = new Date(entity.createdAt).toISOString();
	const _links = linksFor(call, 'publicSubmission');
	return { _id: number, _representation: 'summary', createdAt, _links };
}

shared.get(
	'/entities/:entityId',
	'open',
	{ on: { publicRow: 'self', publicSubmission: 'self' }, ...aboutEntity },
	(call) => {
		if (call.link.kind === 'form') return receiptOf(call);
		requireRole(call.role, 'reader', 'this link');
		return getEntity(call);
	},
);

const records = new Scope<LinkCall>('/api/r/:userId/:linkId', (call, needed) =>
	openLink(call, needed, ['edit']),
);

records.get('', 'reader', { on: { publicEntity: 'self' }, ...aboutEntity }, getEntity);

/** Names and types of the entity's fields. */
records.get('/schema', 'reader', { on: { publicEntity: 'schema' }, response: responses.schema }, (call) => {
	entityOf(call);
	return entitySchema(call, call.fields);
});

records.get('/names', 'reader', { on: { publicEntity: 'names' }, response: responses.linkedNames }, (call) =>
	namesInEntity(call, call.link.names),
);

records.put('', 'writer', { on: { publicEntity: 'update' }, ...aboutUpdate }, (call) =>
	updateEntity(call, (before, values) => {
		if (call.link.names) refuseOtherLinks(call.fields, before, values);
	}),
);

export const publicLinkRoutes = [...shared.routes, ...offers.routes, ...records.routes];
