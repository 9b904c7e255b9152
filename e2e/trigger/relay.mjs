import { createServer, request } from 'node:http';

/**
 * Stands between n8n and the service, passes everything on as it is unless a fault is set, and tells when a request for the
 * updates feed has come and when its answer has gone to n8n: the moment around which a kill hurts most.
 * @param {string} target
 * @returns {Promise<Relay>}
 *
 * @typedef {string | ((headers: import('node:http').IncomingHttpHeaders) => string)} TroubleBody it may be made of what was sent
 * @typedef {{ status: number, body: TroubleBody } | { delay: number, of?: 'feed' }} Trouble an answer in the
 *   service's place, or milliseconds to wait first: before every request, or those for the feed only
 * @typedef {object} Relay
 * @property {string} url
 * @property {(trouble: Trouble | undefined) => void} setTrouble for every request from now on
 * @property {() => Promise<void>} onceAsked anything at all
 * @property {() => Promise<void>} onceFeedAsked
 * @property {() => Promise<void>} onceFeedAnswered
 * @property {() => void} close
 */
export async function startRelay(target) {
	const asked = new Bell();
	const feedAsked = new Bell();
	const feedAnswered = new Bell();
	/** @type {Trouble | undefined} */
	let trouble;
	const server = createServer((incoming, outgoing) => {
		const isFeed = incoming.url?.includes('/updates?') === true;
		asked.ring();
		if (isFeed) feedAsked.ring();
		if (isFeed)
			outgoing.once('finish', () => {
				feedAnswered.ring();
			});
		const spared = trouble && 'of' in trouble && !isFeed;
		if (trouble === undefined || spared) passOn(target, incoming, outgoing);
		else if ('delay' in trouble)
			setTimeout(() => {
				passOn(target, incoming, outgoing);
			}, trouble.delay);
		else {
			const { status, body } = trouble;
			const text = typeof body === 'string' ? body : body(incoming.headers);
			outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text);
		}
	});
	await new Promise((resolve) =>
		server.listen(0, '127.0.0.1', () => {
			resolve(undefined);
		}),
	);
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		url: `http://127.0.0.1:${String(port)}`,
		setTrouble: (next) => {
			trouble = next;
		},
		onceAsked: () => asked.once(),
		onceFeedAsked: () => feedAsked.once(),
		onceFeedAnswered: () => feedAnswered.once(),
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

/**
 * @param {string} target
 * @param {import('node:http').IncomingMessage} incoming
 * @param {import('node:http').ServerResponse} outgoing
 */
function passOn(target, incoming, outgoing) {
	const { method = 'GET', headers, url = '/' } = incoming;
	const onward = request(new URL(url, target), { method, headers, agent: false }, (answer) => {
		outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(outgoing);
	});
	onward.on('error', () => outgoing.destroy());
	incoming.pipe(onward);
}

/** Tells all who wait for it, once. */
class Bell {
	/** @type {(() => void)[]} */
	#waiting = [];

	ring() {
		for (const tell of this.#waiting.splice(0)) tell();
	}

	/** @returns {Promise<void>} */
	once() {
		return new Promise((resolve) => this.#waiting.push(resolve));
	}
}
