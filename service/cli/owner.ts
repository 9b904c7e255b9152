import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod/v4';
import { keepPrivate, restrict } from '../store/files/privateFile';
import type { Store } from '../store/store';

const ownerSchema = z.object({ userId: z.string(), key: z.string(), secret: z.string() });
export type Owner = z.infer<typeof ownerSchema>;

/**
 * File of the owner's key, readable by its owner only: the data file stores only a hash of the
 * secret.
 */
const fileOf = (data: string) => `${data}.owner.json`;

function saved(data: string): Owner | undefined {
	try {
		return ownerSchema.parse(JSON.parse(readFileSync(fileOf(data), 'utf8')));
	} catch {
		// Missing or damaged: a new key is created, the old one stays valid until it is deleted.
		return undefined;
	}
}

/**
 * Returns the account that owns the data file and a key for it. The first start creates both; later
 * starts read the key from its file, or create a new one if the file or the key is gone.
 */
export function ownerOf(store: Store, data: string): Owner {
	const inMemory = data === ':memory:';
	if (!inMemory) restrict(fileOf(data));
	const user = store.accounts.owner() ?? store.transaction(() => store.accounts.makeOwner());
	const before = inMemory ? undefined : saved(data);
	if (before && store.accounts.identityOfKey(before.key, before.secret)?.userId === user.id) return before;
	const { key, secret } = store.accounts.createKey(user.id, 'Owner', 'admin');
	const owner = { userId: user.id, key, secret };
	if (!inMemory) {
		keepPrivate(fileOf(data));
		writeFileSync(fileOf(data), `${JSON.stringify(owner)}\n`);
	}
	return owner;
}
