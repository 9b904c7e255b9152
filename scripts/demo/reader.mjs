import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { connectDataGrid } from './dataGrid.mjs';

/** @typedef {import('./dataGrid.mjs').Client} Client */
/** @typedef {import('./dataGrid.mjs').Connection} Connection */

const connectionSchema = z.object({ url: z.url(), key: z.string(), secret: z.string() });

/**
 * A key that may only read. The service tells its secret once, so it is kept beside the demo's data; a new one is made where it is
 * not accepted any more, e.g. because the service has new data.
 * @param {Client} client whose key may make keys
 * @param {Connection} service
 * @param {string} folder
 * @returns {Promise<Connection>}
 */
export async function readerKey(client, { url }, folder) {
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

/** @param {Connection} connection */
async function isAccepted(connection) {
	return await connectDataGrid(connection)
		.users.me()
		.then(
			() => true,
			() => false,
		);
}
