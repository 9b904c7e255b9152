import { z } from 'zod/v4';
import { LIMITS } from '../../rules/limits';
import * as responses from '../../http/responseSchemas';
import { notFound } from '../../rules/errors';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import { collection, plainPage, rangeOf } from '../../http/paging';
import type { AccessKey } from '../../store/people/accounts';
import { nameText, personName } from '../../rules/text';
import { HttpResponse, type Route } from '../../http/route';
import { inUser, linksFor, type UserCall } from '../scopes';

const newKey = z.strictObject({ name: nameText(LIMITS.textLength), role: z.enum(['reader', 'admin']) });

/**
 * `users/me` has no `:userId`, so it belongs to no scope. It needs credentials, but no role (§5).
 */
const me: Route = {
	method: 'GET',
	path: '/api/users/me',
	role: 'open',
	on: {},
	about: { response: 'redirect' },
	authorize: (call) => call.login(),
	run: (call) =>
		new HttpResponse(
			302,
			{ Location: expandPath('/api/users/:userId', { userId: call.login().userId }) },
			'',
		),
};

const user = inUser('');

const changedUser = z.strictObject({ name: personName });

/** The account of the caller. */
function userView(call: UserCall) {
	const account = call.store.accounts.user(call.userId);
	if (!account) throw notFound('User');
	return {
		_representation: 'full',
		id: account.id,
		name: account.name,
		email: account.email,
		displayValue: account.name,
		type: 'user',
		metaType: 'user',
		createdAt: new Date(account.createdAt).toISOString(),
		_links: linksFor(call, 'user'),
	};
}

user.get('', 'reader', { on: { user: 'self' }, response: responses.user }, userView);

// Not in the specification: the name is what others see in the history.
user.patch('', 'admin', { on: { user: 'update' }, body: changedUser, response: responses.user }, (call) => {
	const { name } = parseInput(changedUser, call.body, 'Body');
	call.store.transaction(() => {
		call.store.accounts.renameUser(call.userId, name);
	});
	return userView(call);
});

const accessKeys = inUser('/accessKeys');

const keyView = (call: UserCall, { id, key, name, role, createdAt }: AccessKey) => ({
	id,
	key,
	name,
	role,
	createdAt: new Date(createdAt).toISOString(),
	_links: linksFor(call, 'accessKey', { keyId: id }),
});

accessKeys.get(
	'',
	'admin',
	{ on: { user: 'accessKeys' }, query: plainPage, response: responses.pageOf(responses.accessKey) },
	(call) => {
		const page = parseInput(plainPage, call.query, 'Query');
		const { offset, limit } = rangeOf(page);
		const { keys, total } = call.store.accounts.keys(call.userId, offset, limit);
		return collection(keys.map((key) => keyView(call, key)), total, page, call.url); // prettier-ignore
	},
);

accessKeys.post(
	'',
	'admin',
	{ on: { user: 'addAccessKey' }, body: newKey, response: responses.newAccessKey, status: 201 },
	(call) => {
		const { name, role } = parseInput(newKey, call.body, 'Body');
		const { id, key, secret } = call.store.accounts.createKey(call.userId, name, role);
		const path = expandPath('/api/users/:userId/accessKeys/:keyId', { userId: call.userId, keyId: id });
		// §4.2 "Returns { key, secret, name }": the one creating POST with a JSON body.
		return new HttpResponse(
			201,
			{ Location: path, 'Content-Type': 'application/json; charset=utf-8' },
			JSON.stringify({ key, secret, name, role, id, _links: linksFor(call, 'accessKey', { keyId: id }) }),
		);
	},
);

accessKeys.get('/:keyId', 'admin', { on: { accessKey: 'self' }, response: responses.accessKey }, (call) => {
	const key = call.store.accounts.key(call.userId, call.params['keyId'] ?? '');
	if (!key) throw notFound('Access key');
	return keyView(call, key);
});

accessKeys.delete(
	'/:keyId',
	'admin',
	{ on: { accessKey: 'remove' }, response: responses.deleted },
	(call) => {
		if (!call.store.accounts.removeKey(call.userId, call.params['keyId'] ?? '')) throw notFound('Access key');
		return 'deleted';
	},
);

export const userRoutes = [me, ...user.routes, ...accessKeys.routes];
