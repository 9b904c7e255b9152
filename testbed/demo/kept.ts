import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import type { Client } from '../../client';
import type { Owner } from '../n8n/rest';
import { connectDataGrid, type Connection } from './dataGrid';

const connectionSchema = z.object({ url: z.url(), key: z.string(), secret: z.string() });
const ownerSchema = z.object({
	email: z.string(),
	password: z.string(),
	firstName: z.string(),
	lastName: z.string(),
});

/** Reads secrets that are stored with the demo's data, or makes and stores them. */
async function kept<Secrets>(
	file: string,
	schema: z.ZodType<Secrets>,
	make: () => Secrets | Promise<Secrets>,
	isAccepted: (secrets: Secrets) => Promise<boolean> = () => Promise.resolve(true),
): Promise<Secrets> {
	const text = await readFile(file, 'utf8').catch(() => undefined);
	const old = text === undefined ? undefined : schema.parse(JSON.parse(text));
	if (old !== undefined && (await isAccepted(old))) return old;
	const made = await make();
	await writeFile(file, JSON.stringify(made, null, 2), { mode: 0o600 });
	return made;
}

/**
 * Login for the demo's n8n. The password is random and stored with n8n's data, because n8n runs
 * code for anyone who can log in.
 */
export async function demoOwner(folder: string): Promise<Owner & { file: string }> {
	const file = join(folder, 'owner.json');
	const owner = await kept(file, ownerSchema, () => ({
		email: 'owner@example.com',
		// n8n requires a capital letter and a digit.
		password: `Demo1-${randomBytes(9).toString('base64url')}`,
		firstName: 'Demo',
		lastName: 'Owner',
	}));
	return { ...owner, file };
}

/**
 * Returns a key with the role reader. The service shows its secret once. Creates a new key if the
 * stored one is refused, e.g. because the service has new data.
 * @param client a client whose key may create keys
 */
export async function readerKey(client: Client, { url }: Connection, folder: string): Promise<Connection> {
	const make = async () => {
		const { key, secret } = await client.accessKeys.create({ name: 'n8n demo, reader', role: 'reader' });
		return { url, key, secret };
	};
	const isAccepted = (old: Connection) =>
		connectDataGrid({ ...old, url })
			.session.currentUser.me()
			.then(
				() => true,
				() => false,
			);
	return { ...(await kept(join(folder, 'reader.json'), connectionSchema, make, isAccepted)), url };
}
