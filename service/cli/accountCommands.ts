import { UsageError } from '../rules/errors';
import type { User } from '../store/people/accounts';
import type { Store } from '../store/store';

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();

/** Account with this name. @throws UsageError if there is none */
function accountOf(store: Store, name: string): User {
	const user = store.accounts.userByName(name);
	if (!user) throw new UsageError(`There is no account "${name}"`);
	return user;
}

export const listUsers = (store: Store) =>
	store.accounts
		.listUsers()
		.map(({ id, name, email, createdAt }) => ({ userId: id, name, email, createdAt: isoTime(createdAt) }));

/**
 * Deletes an account with its spaces, keys and tokens; takes effect at once in a running service.
 */
export function removeUser(store: Store, name: string) {
	const user = accountOf(store, name);
	if (user.id === store.accounts.owner()?.id)
		throw new UsageError('The owner of the data file cannot be removed');
	store.transaction(() => {
		for (const space of store.spaces.ownedBy(user.id)) store.removeSpace(space);
		store.accounts.removeUser(user);
	});
	return { userId: user.id, removed: true };
}

export const listKeys = (store: Store, name: string | undefined) =>
	(name === undefined ? store.accounts.listUsers() : [accountOf(store, name)]).flatMap((user) =>
		store.accounts.keys(user.id, 0, Number.MAX_SAFE_INTEGER).keys.map(({ createdAt, ...key }) => ({
			user: user.name,
			...key,
			createdAt: isoTime(createdAt),
		})),
	);

/** Creates a key and returns its secret, which is not stored. */
export function addKey(store: Store, user: string, name: string, role: 'reader' | 'admin') {
	const { id, key, secret } = store.accounts.createKey(accountOf(store, user).id, name, role);
	return { user, id, name, role, key, secret };
}

/**
 * Deletes a key; takes effect at once in a running service.
 * @param id ID of the key, or the key itself
 */
export function removeKey(store: Store, id: string) {
	const [owner] = store.accounts
		.listUsers()
		.filter((user) => store.transaction(() => store.accounts.removeKey(user.id, id)));
	if (!owner) throw new UsageError(`There is no key "${id}"`);
	return { user: owner.name, id, removed: true };
}

export const listTokens = (store: Store) =>
	store.accounts.listTokens().map(({ id, userId, createdAt, expiresAt }) => ({
		id,
		user: store.accounts.user(userId)?.name ?? null,
		createdAt: isoTime(createdAt),
		expiresAt: isoTime(expiresAt),
	}));

/**
 * Mails of invitations, stored because the service has no mail server.
 * @param recipient filter; all recipients if omitted
 */
export const readOutbox = (store: Store, recipient: string | undefined) =>
	store.sharing
		.outbox(recipient)
		.map(({ createdAt, ...mail }) => ({ ...mail, createdAt: isoTime(createdAt) }));
