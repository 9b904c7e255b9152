import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod/v4';
import { keepPrivate, restrict } from '../store/files/privateFile';
import type { Store } from '../store/store';

const ownerSchema = z.object({ userId: z.string(), key: z.string(), secret: z.string() });
export type Owner = z.infer<typeof ownerSchema>;

/**
 * Where the owner's key is kept, readable by nobody else:
 * the data file holds only the hash of its secret.
 */
const fileOf = (data: string) => `${data}.owner.json`;

function saved(data: string): Owner | undefined {
	try {
		return ownerSchema.parse(JSON.parse(readFileSync(fileOf(data), 'utf8')));
	} catch {
		// Missing or damaged: a new key is made, the old one stays valid until it is deleted.
		return undefined;
	}
}

/**
 * The account this data file belongs to and a key for it. The first start
 * makes both; later ones read the key from the file beside the data. When
 * that file is gone or its key was deleted, a new key is made.
 */
export function ownerOf(store: Store, data: string): Owner {
	const inMemory = data === ':memory:';
	if (!inMemory) restrict(fileOf(data));
	const before = inMemory ? undefined : saved(data);
	if (before && store.accounts.identityOfKey(before.key, before.secret)) return before;
	const user = store.accounts.firstUser() ?? store.accounts.createUser('owner');
	const { key, secret } = store.accounts.createKey(user.id, 'Owner', 'admin');
	const owner = { userId: user.id, key, secret };
	if (!inMemory) {
		keepPrivate(fileOf(data));
		writeFileSync(fileOf(data), `${JSON.stringify(owner)}\n`);
	}
	return owner;
}
