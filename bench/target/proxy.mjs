import { createServer, connect } from 'node:net';
import { MessageReader } from './message.mjs';

/**
 * The proxy in front of the service: delays requests and limits their concurrency. A separate
 * process (`fork`) on plain sockets, because on a machine with few cores its processor time is lost
 * to the measured processes.
 *
 * @typedef {object} ProxySettings
 * @property {string} target base URL of the service
 * @property {number} delay milliseconds before a request is forwarded
 * @property {number} [takes] maximum number of concurrent requests; more get 503; unlimited if
 *   omitted
 * @property {number} [pageCap] maximum page size; larger requested sizes are reduced
 * @property {boolean} [standsIn] whether it responds to POSTs itself, so that the service uses no
 *   processor time
 *
 * @typedef {{ set: ProxySettings } | { tell: true }} ProxyOrder
 * @typedef {import('node:net').Socket} Socket
 */

/** @type {ProxySettings} */
let settings = { target: 'http://127.0.0.1', delay: 0 };
let port = 0;
let inFlight = 0;
let cpuBefore = process.cpuUsage();

/** `refused` with 503; the highest number of concurrent requests */
const nothingSeen = () => ({ requests: 0, refused: 0, highest: 0 });
let seen = nothingSeen();

/** @type {Set<{ socket: Socket, since: number }>} */
const idle = new Set();
/** The service may close connections that are idle longer just when they are used. */
const LONGEST_IDLE = 2000;

/**
 * @param {Buffer} request
 * @param {(answer: Buffer | undefined) => void} done undefined without a response
 */
function pass(request, done) {
	let socket;
	for (const one of idle) {
		idle.delete(one);
		if (performance.now() - one.since < LONGEST_IDLE && one.socket.writable) {
			socket = one.socket;
			break;
		}
		one.socket.destroy();
	}
	const upstream = socket ?? connect({ host: '127.0.0.1', port, noDelay: true });
	upstream.removeAllListeners();
	let over = false;
	const end = (/** @type {Buffer | undefined} */ answer) => {
		if (over) return;
		over = true;
		upstream.removeAllListeners();
		if (answer === undefined) upstream.destroy();
		else {
			const entry = { socket: upstream, since: performance.now() };
			idle.add(entry);
			upstream.on('error', () => upstream.destroy()).on('close', () => idle.delete(entry));
		}
		done(answer);
	};
	const reader = new MessageReader((message) => {
		end(message.bytes);
	});
	upstream
		.on('data', (bytes) => {
			reader.take(bytes);
		})
		.on('error', () => {
			end(undefined);
		})
		.on('close', () => {
			end(undefined);
		});
	upstream.write(request);
}

/**
 * @param {Socket} socket
 * @param {import('./message.mjs').Message} message
 */
function serve(socket, message) {
	const { delay, takes = Number.POSITIVE_INFINITY, standsIn = false } = settings;
	seen.requests++;
	inFlight++;
	seen.highest = Math.max(seen.highest, inFlight);
	const answer = (/** @type {Buffer | undefined} */ bytes) => {
		inFlight--;
		if (bytes === undefined) socket.destroy();
		else if (message.closes) socket.end(bytes);
		else socket.write(bytes);
	};
	if (inFlight > takes) {
		seen.refused++;
		answer(Buffer.from('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'));
		return;
	}
	setTimeout(() => {
		if (standsIn && message.start.startsWith('POST ')) answer(created(message.start));
		else pass(onward(message), answer);
	}, delay);
}

/**
 * The forwarded request: keeps the connection open and limits the page size.
 * @param {import('./message.mjs').Message} message
 */
function onward({ bytes, head, length, closes, start }) {
	const { pageCap } = settings;
	const wish = pageCap === undefined ? undefined : Number(/[?&]pageSize=(\d+)/.exec(start)?.[1]);
	const isTooLarge = pageCap !== undefined && wish !== undefined && wish > pageCap;
	if (!closes && !isTooLarge) return bytes;
	let text = head.replace(/\r\nConnection: close/i, '\r\nConnection: keep-alive');
	if (isTooLarge) text = text.replace(/([?&]pageSize=)\d+/, `$1${String(pageCap)}`);
	return Buffer.concat([Buffer.from(text, 'latin1'), bytes.subarray(bytes.length - length)]);
}

/** Response to a creating POST (§4). @param {string} start */
function created(start) {
	const path = `${/ ([^ ?]+)/.exec(start)?.[1] ?? ''}/e${String(seen.requests)}`;
	const body = `Created ${path}`;
	const head = `HTTP/1.1 201 Created\r\nLocation: ${path}\r\nContent-Type: text/plain`;
	return Buffer.from(`${head}\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`);
}

const server = createServer({ noDelay: true }, (socket) => {
	const reader = new MessageReader((message) => {
		serve(socket, message);
	});
	socket
		.on('data', (bytes) => {
			reader.take(bytes);
		})
		.on('error', () => socket.destroy());
});

process.on('message', (/** @type {ProxyOrder} */ order) => {
	if ('set' in order) {
		settings = order.set;
		port = Number(new URL(settings.target).port);
		for (const { socket } of idle) socket.destroy();
		idle.clear();
		seen = nothingSeen();
		cpuBefore = process.cpuUsage();
		process.send?.({ set: true });
		return;
	}
	const { user, system } = process.cpuUsage(cpuBefore);
	process.send?.({ ...seen, cpu: (user + system) / 1000 });
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
	const address = server.address();
	if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});
