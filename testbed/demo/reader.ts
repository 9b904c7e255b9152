import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import type { Client } from '../../client';
import { connectDataGrid, type Connection } from './dataGrid';

const connectionSchema = z.object({ url: z.url(), key: z.string(), secret: z.string() });

/**
 * Returns a key with the role reader. The service shows its secret once, so it is stored with the
 * demo's data. Creates a new key if the stored one is refused, e.g. because the service has new
 * data.
 * @param client a client whose key may create keys
 */
export async function readerKey(client: Client, { url }: Connection, folder: string): Promise<Connection> {
	const file = join(folder, 'reader.json');
	const kept = await readFile(file, 'utf8').then(
		(text) => connectionSchema.safeParse(JSON.parse(text)).data,
		() => undefined,
	);
	if (kept !== undefined && (await isAccepted({ ...kept, url }))) return { ...kept, url };
	const { key, secret } = await client.accessKeys.create({ name: 'n8n demo, reader', role: 'reader' });
	const made = { url, key, secret };
	await writeFile(file, JSON.stringify(made, null, 2), { mode: 0o600 });
	return made;
}

async function isAccepted(connection: Connection) {
	return await connectDataGrid(connection)
		.users.me()
		.then(
			() => true,
			() => false,
		);
}
