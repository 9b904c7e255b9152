import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * @param {number} port 0 for any
 * @returns {Promise<number | undefined>} the port on 127.0.0.1; undefined if it is in use
 */
async function tryPort(port) {
	const server = createServer();
	try {
		await once(server.listen({ port, host: '127.0.0.1', exclusive: true }), 'listening');
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EADDRINUSE' || code === 'EACCES') return undefined;
		throw error;
	}
	const address = server.address();
	await once(server.close(), 'close');
	return typeof address === 'object' ? address?.port : undefined;
}

/**
 * @param {number} port
 * @returns {Promise<boolean>} whether it is free on 127.0.0.1
 */
export async function isFree(port) {
	return (await tryPort(port)) !== undefined;
}

/** @returns {Promise<number>} a port that is free on 127.0.0.1 */
export async function freePort() {
	const port = await tryPort(0);
	if (port === undefined) throw new Error('The system gave no free port on 127.0.0.1');
	return port;
}
