import { connect, createServer } from 'node:net';

/**
 * Simulates a distance to the proxy in a separate process (`fork`): delays bytes by half a round
 * trip in each direction, and a new connection by another round trip, like TCP's handshake.
 *
 * @typedef {object} DistanceSettings
 * @property {number} port that of the proxy
 * @property {number} roundTrip milliseconds
 *
 * @typedef {import('node:net').Socket} Socket
 */

/** @type {DistanceSettings} */
let settings = { port: 0, roundTrip: 0 };

/** @param {Socket} from @param {Socket} to @param {() => number} way milliseconds */
function delayed(from, to, way) {
	from
		.on('data', (bytes) => {
			setTimeout(() => to.writable && to.write(bytes), way());
		})
		.on('end', () => {
			setTimeout(() => to.end(), way());
		})
		.on('error', () => {
			to.destroy();
		})
		.on('close', () => {
			setTimeout(() => to.destroy(), way());
		});
}

const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
	const { port, roundTrip } = settings;
	const opened = performance.now() + roundTrip;
	const upstream = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true });
	delayed(socket, upstream, () => Math.max(0, opened - performance.now()) + roundTrip / 2);
	delayed(upstream, socket, () => roundTrip / 2);
});

process.on('message', (/** @type {DistanceSettings} */ order) => {
	settings = order;
	process.send?.({ set: true });
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
	const address = server.address();
	if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});
