import { makeToken, revokeToken } from '../../../../service/cli/commands';
import { signingKeyOf } from '../../../../service/cli/commands';
import { issueToken } from '../../../../service/rules/tokens';
import { Store } from '../../../../service/store/store';
import { Caller } from '../http';
import { startWithPeople } from '../people';

const withToken = (url: string, token: string) =>
	new Caller(() => ({ url, userId: '', authorization: `Bearer ${token}` }));

test('main.js token revoke revokes one token at once while the service runs', async () => {
	const context = await startWithPeople();
	const status = async (token: string) =>
		(await withToken(context.service.url, token).get('/api/users/me')).status;
	const one = await makeToken(context.data, undefined, 1);
	const two = await makeToken(context.data, undefined, 1);
	expect([await status(one.token), await status(two.token)]).toEqual([302, 302]);
	expect(revokeToken(context.data, one.id)).toEqual({ id: one.id, revoked: true });
	expect([await status(one.token), await status(two.token)]).toEqual([401, 302]);
	expect(() => revokeToken(context.data, one.id)).toThrow('There is no token');
	await context.end();
});

test('an unrecorded token is refused even with a valid signature, and so is one of another account', async () => {
	const context = await startWithPeople();
	const { userId } = context.person('other');
	const store = new Store({ path: context.data });
	const key = signingKeyOf(store);
	const id = store.accounts.addToken(userId, 60, false);
	store.close();
	const status = async (claims: { id: string; userId: string }) => {
		const caller = withToken(context.service.url, await issueToken(claims, key, 60));
		return (await caller.get('/api/users/me')).status;
	};
	expect(await status({ id, userId })).toBe(302);
	expect(await status({ id, userId: context.owner.userId })).toBe(401);
	expect(await status({ id: 'unknown', userId })).toBe(401);
	await context.end();
});
