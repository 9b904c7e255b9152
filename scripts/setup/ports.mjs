import { createServer } from 'node:net';

/**
 * @param {number} port 0 for any
 * @returns {Promise<number | undefined>} the port on 127.0.0.1; undefined if it is in use
 */
function tryPort(port) {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', (error) => {
			if ('code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')) resolve(undefined);
			else reject(error);
		});
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
			const address = server.address();
			server.close(() => {
				resolve(typeof address === 'object' && address !== null ? address.port : undefined);
			});
		});
	});
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
