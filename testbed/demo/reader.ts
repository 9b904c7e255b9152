import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import type { Client } from '../../client';
import { connectDataGrid, type Connection } from './dataGrid';

const connectionSchema = z.object({ url: z.url(), key: z.string(), secret: z.string() });

/**
 * A key that may only read. The service tells its secret once, so it is kept beside the demo's
 * data; a new one is made where it is not accepted any more, e.g. because the service has new data.
 * @param client whose key may make keys
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
