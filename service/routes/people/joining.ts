import { z } from 'zod/v4';
import * as responses from '../../http/responseSchemas';
import { badRequest, forbidden, notFound, unauthorized } from '../../rules/errors';
import { parseInput } from '../../http/input';
import { LIMITS } from '../../rules/limits';
import { personName } from '../../rules/text';
import { HttpResponse, type Call } from '../../http/route';
import { inOpen, inSpace, inUser } from '../scopes';
import { mayLetJoin } from './sharing';

// Not in the specification (§5: the login operation is not shown): people log in on the page.

const MIN_PASSWORD = 8;
const password = z.string().min(MIN_PASSWORD).max(LIMITS.loginLength);
const login = z.strictObject({ email: z.string().max(LIMITS.emailLength), password: z.string().max(LIMITS.loginLength) }); // prettier-ignore
/** Deletes the keys and tokens of the account, which may have been made by somebody else. */
const removeKeys = z.boolean().default(false);
const joining = z.strictObject({ name: personName.optional(), password, removeKeys });
const change = z.strictObject({
	current: z.string().max(LIMITS.loginLength).optional(),
	password,
	removeKeys,
});
const noMembers = z.strictObject({});

const answer = (content: object, headers: Record<string, string> = {}) =>
	new HttpResponse(
		200,
		{ 'Content-Type': 'application/json; charset=utf-8', ...headers },
		JSON.stringify(content),
	);

/**
 * Whether this is the password of an account. An unknown address takes as long as a known one.
 * @throws ServiceError 429 after too many wrong attempts from the address of the caller
 */
function knowsPassword(call: Call, email: string, given: string): Promise<boolean> {
	const { accounts } = call.store;
	const known = accounts.passwordOf(email);
	// A remembered result belongs to the present password.
	const account = `${email.toLowerCase()} ${known?.hash ?? ''}`;
	return call.linkGuard.opens({ link: 'login', address: call.address }, account, given, () =>
		accounts.isPassword(known?.hash, given),
	);
}

const open = inOpen('');

open.post('/login', 'open', { body: login, response: responses.loggedIn }, async (call) => {
	const { email, password: given } = parseInput(login, call.body, 'Body');
	const { accounts } = call.store;
	const account = accounts.passwordOf(email);
	const refused = () => unauthorized('Unknown email address, or wrong password');
	if (!(await knowsPassword(call, email, given)) || !account) throw refused();
	const headers = await call.session.begin(account.userId, () => {
		// It may have been changed while it was checked.
		if (accounts.passwordOf(email)?.hash !== account.hash) throw refused();
	});
	return answer({ userId: account.userId }, headers);
});

open.post(
	'/logout',
	'open',
	{ body: noMembers, optional: true, response: responses.nothing },
	async (call) => {
		parseInput(noMembers, call.body ?? {}, 'Body');
		return answer({}, await call.session.end());
	},
);

/** The address that an invitation is for. */
function invitedOf(call: Call): string {
	const token = call.params['token'] ?? '';
	const email = call.linkGuard.find(call.address, token, () => call.store.accounts.joining(token));
	if (email === undefined) throw notFound('Invitation');
	return email;
}

open.get('/join/:token', 'open', { response: responses.invited }, (call) => {
	const email = invitedOf(call);
	const user = call.store.accounts.userByEmail(email);
	return { email, name: user?.name ?? null, keys: user ? call.store.accounts.numberOfKeys(user.id) : 0 };
});

open.post('/join/:token', 'open', { body: joining, response: responses.loggedIn }, async (call) => {
	invitedOf(call);
	const given = parseInput(joining, call.body, 'Body');
	const { accounts } = call.store;
	const hash = await call.linkGuard.hashed(call, () => call.store.publicLinks.hashOf(given.password));
	const userId = await call.store.write(() =>
		call.store.transaction(() => {
			// It may have been used while the password was hashed.
			const email = invitedOf(call);
			const known = accounts.userByEmail(email);
			if (!known && given.name === undefined) throw badRequest('A new account needs a name');
			const user = known ?? accounts.createUser(given.name ?? '', email);
			accounts.setPassword(user, hash);
			if (given.removeKeys) accounts.removeKeys(user.id);
			return user.id;
		}),
	);
	return answer({ userId }, await call.session.begin(userId));
});

const user = inUser('/password');

user.put(
	'',
	'admin',
	{ on: { user: 'changePassword' }, body: change, response: responses.nothing },
	async (call) => {
		const { current, password: next, removeKeys } = parseInput(change, call.body, 'Body');
		const { accounts } = call.store;
		const account = accounts.user(call.userId);
		if (!account) throw notFound('User');
		const before = accounts.passwordOf(account.email);
		// A stolen key would outlive its deletion as a password.
		if (!before && account.id !== accounts.owner()?.id)
			throw forbidden('Your account has no password yet: ask the owner of the service for a link to set it');
		if (before && !(await knowsPassword(call, account.email, current ?? '')))
			throw forbidden('The current password is wrong');
		const hash = await call.linkGuard.hashed(call, () => call.store.publicLinks.hashOf(next));
		await call.authorizeAgain();
		await call.store.write(() => {
			if (accounts.passwordOf(account.email)?.hash !== before?.hash)
				throw forbidden('The password was changed meanwhile');
			accounts.setPassword(account, hash);
			if (removeKeys) accounts.removeKeys(account.id);
		});
		// All other sessions have ended.
		return answer({}, call.isBySession ? await call.session.begin(account.id) : {});
	},
);

const share = inSpace('/shares/:shareId/joinLink');

share.post(
	'',
	'admin',
	{ on: { share: 'joinLink' }, body: noMembers, optional: true, response: responses.joinLink },
	(call) => {
		parseInput(noMembers, call.body ?? {}, 'Body');
		const { accounts, sharing } = call.store;
		const found = sharing.get(call.space.id, call.params['shareId'] ?? '');
		if (!found) throw notFound('Share');
		// Otherwise, whoever shares a space with a person could make or take over the account.
		if (!mayLetJoin(call))
			throw forbidden('Only the owner of the service may let a person join or set a new password');
		const { token, expiresAt } = accounts.addJoining(found);
		return { href: `/api/join/${token}`, email: found.email, expiresAt: new Date(expiresAt).toISOString() };
	},
);

export const joiningRoutes = [...open.routes, ...user.routes, ...share.routes];
