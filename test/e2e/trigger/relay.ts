import {
	createServer,
	request,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';

/** A response body, or how to make one from the request's headers. */
export type TroubleBody = string | ((headers: IncomingHttpHeaders) => string);
/** An answer in the service's place, or milliseconds to wait first: before every request, or those for the feed only */
export type Trouble = { status: number; body: TroubleBody } | { delay: number; of?: 'feed' };
export interface Relay {
	url: string;
	/** For every request from now on */
	setTrouble: (trouble: Trouble | undefined) => void;
	/** Anything at all */
	onceAsked: () => Promise<void>;
	onceFeedAsked: () => Promise<void>;
	onceFeedAnswered: () => Promise<void>;
	close: () => void;
}
/**
 * Stands between n8n and the service, passes everything on as it is unless a fault is set, and tells when a request for the
 * updates feed has come and when its answer has gone to n8n: the moment around which a kill hurts most.
 */
export async function startRelay(target: string): Promise<Relay> {
	const asked = new Bell();
	const feedAsked = new Bell();
	const feedAnswered = new Bell();

	let trouble: Trouble | undefined;
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

function passOn(target: string, incoming: IncomingMessage, outgoing: ServerResponse) {
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
	#waiting: (() => void)[] = [];

	ring() {
		for (const tell of this.#waiting.splice(0)) tell();
	}

	once(): Promise<void> {
		return new Promise((resolve) => this.#waiting.push(resolve));
	}
}
