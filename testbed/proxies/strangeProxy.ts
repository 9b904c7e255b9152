import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { startTestServer, type TestServer } from '../testServer';

/** What a proxy does to the answers of the service. */
export type Lead =
	/** Every link and every `Location` leads to this origin. */
	| { links: string }
	/** Every request is sent on to this origin. */
	| { redirects: string; status: 302 | 307 | 308 };

export interface StrangeProxy {
	server: TestServer;
	/** From now on; nothing where it is left out. */
	lead(to?: Lead): void;
}

/** A proxy before the service whose answers lead elsewhere. On 127.0.0.1, a free port. */
export async function startStrangeProxy(target: string): Promise<StrangeProxy> {
	let lead: Lead | undefined;
	const server = await startTestServer((incoming, outgoing, body) => {
		if (lead && 'redirects' in lead)
			outgoing.writeHead(lead.status, { location: `${lead.redirects}${incoming.url ?? ''}` }).end();
		else pass(target, incoming, body, outgoing, lead?.links ?? '');
	});
	return {
		server,
		lead(to) {
			lead = to;
			server.requests.length = 0;
		},
	};
}

function pass(
	target: string,
	incoming: IncomingMessage,
	body: string,
	outgoing: ServerResponse,
	origin: string,
) {
	const { method, headers } = incoming;
	const outward = forward(`${target}${incoming.url ?? ''}`, { method, headers }, (answer) => {
		const parts: Buffer[] = [];
		answer.on('data', (part: Buffer) => parts.push(part));
		answer.on('end', () => {
			const text = Buffer.concat(parts).toString().replaceAll('"href":"/', `"href":"${origin}/`);
			const { location } = answer.headers;
			// The text body of a creation names the path, too (§4).
			outgoing.writeHead(answer.statusCode ?? 502, {
				'content-type': answer.headers['content-type'] ?? 'text/plain',
				...(location === undefined ? {} : { location: origin + location }),
			});
			outgoing.end(text);
		});
	});
	outward.on('error', () => outgoing.destroy());
	outward.end(body);
}
