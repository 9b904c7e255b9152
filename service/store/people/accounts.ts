import { hashSecret, randomToken, secretMatches, type Identity, type Role } from '../../rules/access';
import { badRequest } from '../../rules/errors';
import { LIMITS } from '../../rules/limits';
import { foldedName } from '../../rules/text';
import type { TokenClaims } from '../../rules/tokens';
import type { Database } from '../files/database';
import { hashPassword, passwordMatches } from '../../rules/passwords';
import { newId, newToken } from '../ids';
import { RecordCache } from '../recordCache';

export interface User {
	readonly id: string;
	readonly name: string;
	readonly email: string;
	readonly createdAt: number;
}

export interface AccessKey {
	readonly id: string;
	readonly key: string;
	readonly name: string;
	readonly role: Identity['keyRole'];
	readonly createdAt: number;
}

interface UserRow {
	id: string;
	name: string;
	email: string;
	created_at: number;
}

interface KeyRow extends UserRow {
	user_id: string;
	key: string;
	secret_hash: string;
	role: Identity['keyRole'];
}

const toUser = (row: UserRow): User => ({
	id: row.id,
	name: row.name,
	email: row.email,
	createdAt: row.created_at,
});

const toKey = ({ id, key, name, role, created_at }: KeyRow): AccessKey => ({
	id,
	key,
	name,
	role,
	createdAt: created_at,
});

/** Validity of a link to join, in milliseconds. */
const JOINING_MS = 7 * 24 * 3600 * 1000;

/** Accounts, their keys, passwords, and settings of the whole service. */
export class Accounts {
	private readonly users: RecordCache<string, User>;
	/** Account of each key, with the hash of its secret. */
	private readonly identities: RecordCache<string, { identity: Identity; hash: string }>;

	/** Compared with if an address has no password. */
	private noPassword: string | undefined;

	/** @param passwordCost of hashes of passwords; the usual one if omitted */
	constructor(
		private readonly db: Database,
		private readonly passwordCost?: number,
	) {
		this.users = new RecordCache(db);
		this.identities = new RecordCache(db);
	}

	/** A command may have removed an account or a key: invalidates the cache. */
	private refresh(): void {
		if (!this.db.changedElsewhere()) return;
		this.users.clear();
		this.identities.clear();
	}

	/**
	 * @param email defaults to an address derived from the name
	 * @throws ServiceError 400 when name or address are taken
	 */
	createUser(name: string, email = `${name}@datagrid.example`): User {
		if (this.userByEmail(email) ?? this.userNamedLike(name))
			throw badRequest(`There is already an account with the name "${name}" or the address ${email}`);
		const user = { id: newId(), name, email: email.toLowerCase(), createdAt: Date.now() };
		this.db.run('INSERT INTO users VALUES (?, ?, ?, ?)', user.id, user.name, user.email, user.createdAt);
		return user;
	}

	user(id: string): User | undefined {
		this.refresh();
		return this.users.get(id, () => {
			const [row] = this.db.all<UserRow>('SELECT * FROM users WHERE id = ?', id);
			return row && toUser(row);
		});
	}

	/** @throws ServiceError 400 when the name is taken */
	renameUser(id: string, name: string): void {
		if (this.userNamedLike(name, id)) throw badRequest(`There is already an account with the name "${name}"`);
		this.users.forget(id);
		this.db.run('UPDATE users SET name = ? WHERE id = ?', name, id);
	}

	/** An account whose name looks the same. @param except ID of an account that may have it */
	private userNamedLike(name: string, except?: string): User | undefined {
		const folded = foldedName(name);
		return this.listUsers().find((user) => user.id !== except && foldedName(user.name) === folded);
	}

	/** All accounts, oldest first. */
	listUsers(): User[] {
		return this.db.all<UserRow>('SELECT * FROM users ORDER BY rowid').map(toUser);
	}

	/**
	 * Deletes an account with its keys, tokens and links to set a password. Delete its spaces first
	 * (see Store.removeSpace).
	 */
	removeUser({ id, email }: User): void {
		this.users.forget(id);
		this.identities.clear();
		this.removeJoinings(email);
		this.db.run('DELETE FROM users WHERE id = ?', id);
	}

	/** Valid access tokens, oldest first. */
	listTokens(): Array<{ id: string; userId: string; createdAt: number; expiresAt: number }> {
		return this.db.all(
			'SELECT id, user_id AS userId, created_at AS createdAt, expires_at AS expiresAt FROM tokens WHERE expires_at > ? ORDER BY rowid',
			Date.now(),
		);
	}

	userByName(name: string): User | undefined {
		const [row] = this.db.all<UserRow>('SELECT * FROM users WHERE name = ?', name);
		return row && toUser(row);
	}

	userByEmail(email: string): User | undefined {
		const [row] = this.db.all<UserRow>('SELECT * FROM users WHERE email = ?', email.toLowerCase());
		return row && toUser(row);
	}

	/** The owner of the service, stored by its first start; undefined before it. */
	owner(): User | undefined {
		const [row] = this.db.all<UserRow>(
			"SELECT u.* FROM settings s JOIN users u ON u.id = s.value WHERE s.name = 'owner'",
		);
		return row && toUser(row);
	}

	/**
	 * Stores who owns the service: the first account, in the order of creation, because a clock may
	 * have been ahead.
	 */
	makeOwner(): User {
		const [row] = this.db.all<UserRow>('SELECT * FROM users ORDER BY rowid LIMIT 1');
		const user = row ? toUser(row) : this.createUser('owner');
		this.setting('owner', () => user.id);
		return user;
	}

	/** Creates a key. Only the hash of the secret is stored. */
	createKey(userId: string, name: string, role: Identity['keyRole']): AccessKey & { secret: string } {
		const made = { id: newId(), key: randomToken(16), name, role, createdAt: Date.now() };
		const secret = randomToken(32);
		this.db.run(
			'INSERT INTO access_keys (id, user_id, key, secret_hash, name, role, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
			made.id,
			userId,
			made.key,
			hashSecret(secret),
			name,
			role,
			made.createdAt,
		);
		return { ...made, secret };
	}

	keys(userId: string, offset: number, limit: number): { keys: AccessKey[]; total: number } {
		const rows = this.db.all<KeyRow>(
			'SELECT * FROM access_keys WHERE user_id = ? ORDER BY rowid LIMIT ? OFFSET ?',
			userId,
			limit,
			offset,
		);
		const total =
			this.db.all<{ n: number }>('SELECT count(*) AS n FROM access_keys WHERE user_id = ?', userId)[0]?.n ??
			0;
		return { keys: rows.map(toKey), total };
	}

	key(userId: string, id: string): AccessKey | undefined {
		const [row] = this.db.all<KeyRow>('SELECT * FROM access_keys WHERE user_id = ? AND id = ?', userId, id);
		return row && toKey(row);
	}

	/** @param id ID of the key or the key itself @returns whether it existed */
	removeKey(userId: string, id: string): boolean {
		this.identities.clear();
		return (
			this.db.run('DELETE FROM access_keys WHERE user_id = ? AND (id = ? OR key = ?)', userId, id, id) > 0
		);
	}

	/** Identity of a key and secret. */
	identityOfKey(key: string, secret: string): Identity | undefined {
		this.refresh();
		const found = this.identities.get(key, () => {
			const [row] = this.db.all<KeyRow>(
				'SELECT k.id, k.user_id, k.secret_hash, k.role, u.email FROM access_keys k JOIN users u ON u.id = k.user_id WHERE k.key = ?',
				key,
			);
			return (
				row && {
					identity: { userId: row.user_id, loginId: row.id, email: row.email, keyRole: row.role },
					hash: row.secret_hash,
				}
			);
		});
		return found && secretMatches(secret, found.hash) ? found.identity : undefined;
	}

	/**
	 * Stores a new access token, so that it can be revoked.
	 * @param seconds validity @param isSession whether it ends with a change of the password
	 * @returns its id
	 */
	addToken(userId: string, seconds: number, isSession: boolean): string {
		const id = newId();
		const now = Date.now();
		this.db.run('DELETE FROM tokens WHERE expires_at < ?', now);
		this.db.run(
			'INSERT INTO tokens VALUES (?, ?, ?, ?, ?)',
			id,
			userId,
			now,
			now + seconds * 1000,
			isSession ? 1 : 0,
		);
		if (isSession)
			this.db.run(
				'DELETE FROM tokens WHERE user_id = ?1 AND is_session = 1 AND id NOT IN (SELECT id FROM tokens WHERE user_id = ?1 AND is_session = 1 ORDER BY rowid DESC LIMIT ?2)',
				userId,
				LIMITS.sessions,
			);
		return id;
	}

	/** Account and hash of the password of an address; undefined without a password. */
	passwordOf(email: string): { userId: string; hash: string } | undefined {
		return this.db.all<{ userId: string; hash: string }>(
			'SELECT p.user_id AS userId, p.hash FROM passwords p JOIN users u ON u.id = p.user_id WHERE u.email = ?',
			email.toLowerCase(),
		)[0];
	}

	/** Whether a password has this hash. Without a hash, it is compared all the same. */
	async isPassword(hash: string | undefined, password: string): Promise<boolean> {
		this.noPassword ??= await hashPassword(newToken(), this.passwordCost);
		return (await passwordMatches(password, hash ?? this.noPassword)) && hash !== undefined;
	}

	/** Sets the password of an account; ends its sessions and the links that set a new one. */
	setPassword({ id, email }: User, hash: string): void {
		this.db.run('INSERT OR REPLACE INTO passwords VALUES (?, ?)', id, hash);
		this.db.run('DELETE FROM tokens WHERE user_id = ? AND is_session = 1', id);
		this.removeJoinings(email);
	}

	/** Number of the keys and tokens of an account that no change of its password ends. */
	numberOfKeys(userId: string): number {
		const [row] = this.db.all<{ n: number }>(
			'SELECT (SELECT count(*) FROM access_keys WHERE user_id = ?1) + (SELECT count(*) FROM tokens WHERE user_id = ?1 AND is_session = 0 AND expires_at > ?2) AS n',
			userId,
			Date.now(),
		);
		return row?.n ?? 0;
	}

	/** Deletes all keys and tokens of an account. */
	removeKeys(userId: string): void {
		this.identities.clear();
		this.db.run('DELETE FROM access_keys WHERE user_id = ?', userId);
		this.db.run('DELETE FROM tokens WHERE user_id = ?', userId);
	}

	/**
	 * Makes a link for a person to join, or to set a new password; earlier ones end.
	 * @param share with the address of the person; the link ends with it
	 */
	addJoining({ id, email }: { readonly id: string; readonly email: string }) {
		const token = randomToken(32);
		const expiresAt = Date.now() + JOINING_MS;
		this.removeJoinings(email);
		this.db.run('INSERT INTO joinings VALUES (?, ?, ?, ?)', hashSecret(token), email, expiresAt, id);
		return { token, expiresAt };
	}

	/** The address that a link to join is for. */
	joining(token: string): string | undefined {
		return this.db.all<{ email: string }>(
			'SELECT email FROM joinings WHERE token_hash = ? AND expires_at > ?',
			hashSecret(token),
			Date.now(),
		)[0]?.email;
	}

	private removeJoinings(email: string): void {
		this.db.run('DELETE FROM joinings WHERE email = ? OR expires_at < ?', email.toLowerCase(), Date.now());
	}

	/** Revokes an access token at once. @returns whether it existed */
	revokeToken(id: string): boolean {
		return this.db.run('DELETE FROM tokens WHERE id = ?', id) > 0;
	}

	/** Identity of a token: its account. Not cached, so a revocation takes effect at once. */
	identityOfToken({ id, userId }: TokenClaims): Identity | undefined {
		const [row] = this.db.all<{ email: string }>(
			'SELECT u.email FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.id = ? AND t.user_id = ?',
			id,
			userId,
		);
		return row && { userId, loginId: id, email: row.email, keyRole: 'admin' };
	}

	/** A setting of the service, created on first use. */
	setting(name: string, make: () => string): string {
		const [row] = this.db.all<{ value: string }>('SELECT value FROM settings WHERE name = ?', name);
		if (row) return row.value;
		const value = make();
		this.db.run('INSERT INTO settings VALUES (?, ?)', name, value);
		return value;
	}

	/** Whether a setting exists. */
	hasSetting(name: string): boolean {
		return this.db.has('SELECT 1 FROM settings WHERE name = ?', name);
	}

	/** Role of a person in a space by a share. */
	sharedRole(spaceId: string, email: string): Role | undefined {
		return this.db.all<{ role: Role }>(
			'SELECT role FROM shares WHERE space_id = ? AND email = ?',
			spaceId,
			email,
		)[0]?.role;
	}
}
