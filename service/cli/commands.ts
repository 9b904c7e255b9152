import { existsSync } from 'node:fs';
import { z } from 'zod/v4';
import { randomToken, roles } from '../rules/access';
import { UsageError } from '../rules/errors';
import { makeLink, publicPath } from '../routes/people/gridLinks';
import { linkKinds, protections } from '../store/people/publicLinks';
import { namingDamage } from '../store/files/dataFile';
import { Store } from '../store/store';
import { issueToken } from '../rules/tokens';

/** Opens a data file, whether or not a service is running. */
function open(data: string): Store {
	if (data === ':memory:') throw new UsageError('This command requires a data file: set it with --data');
	if (!existsSync(data))
		throw new UsageError(`There is no data file ${data}: start the service once to create it`);
	try {
		return new Store({ path: data });
	} catch (error) {
		throw namingDamage(data, error);
	}
}

export function withStore<Result>(data: string, work: (store: Store) => Result): Result {
	const store = open(data);
	try {
		return work(store);
	} finally {
		store.close();
	}
}

/** The key that signs access tokens, kept in the data file. */
export const signingKeyOf = (store: Store): string =>
	store.accounts.setting('signingKey', () => randomToken(32));

/** Creates an account with a key. */
export function addUser(data: string, name: string, email: string | undefined) {
	return withStore(data, (store) =>
		store.transaction(() => {
			const user = store.accounts.createUser(name, email);
			const { key, secret } = store.accounts.createKey(user.id, name, 'admin');
			return { userId: user.id, name, email: user.email, key, secret };
		}),
	);
}

/**
 * Issues a bearer token.
 * @param name name of the account; the owner if omitted
 * @param days validity
 */
export async function makeToken(data: string, name: string | undefined, days: number) {
	const seconds = days * 24 * 3600;
	const { signingKey, ...claims } = withStore(data, (store) => {
		const user = name === undefined ? store.accounts.owner() : store.accounts.userByName(name);
		if (!user)
			throw new UsageError(
				name === undefined
					? 'The data file has no account yet: start the service once to create one'
					: `There is no account "${name}"`,
			);
		const id = store.accounts.addToken(user.id, seconds, false);
		return { userId: user.id, id, signingKey: signingKeyOf(store) };
	});
	return { ...claims, token: await issueToken(claims, signingKey, seconds) };
}

/**
 * Revokes an access token; takes effect at once in a running service.
 * @param id ID as returned by `makeToken`
 */
export function revokeToken(data: string, id: string) {
	return withStore(data, (store) => {
		if (!store.accounts.revokeToken(id)) throw new UsageError(`There is no token "${id}", or it has expired`);
		return { id, revoked: true };
	});
}

const linkArguments = z.object({
	grid: z.string({ error: 'expected the ID or the key of a grid or view' }),
	kind: z.enum(linkKinds).default('form'),
	form: z.string().optional(),
	entity: z.string().optional(),
	role: z.enum(roles).optional(),
	protection: z.enum(protections).optional(),
	user: z.string().optional(),
	password: z.string().min(8, 'expected at least 8 characters').optional(),
});

/** Creates a public link. @param given command-line options by name */
export async function addLink(data: string, given: unknown) {
	const parsed = linkArguments.safeParse(given);
	if (!parsed.success) {
		throw new UsageError(
			parsed.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'),
		);
	}
	const { grid: wanted, form, entity, ...rest } = parsed.data;
	const store = open(data);
	try {
		const grid = store.grids.get(wanted) ?? store.grids.byKey(wanted);
		const space = grid && store.spaces.get(grid.spaceId);
		if (!grid || !space) throw new UsageError(`There is no grid "${wanted}"`);
		const link = await makeLink(store, space.ownerId, grid, { ...rest, formId: form, entityId: entity });
		const { id, kind, role, protection } = link;
		return { id, path: publicPath(link), kind, role, protection };
	} finally {
		store.close();
	}
}
