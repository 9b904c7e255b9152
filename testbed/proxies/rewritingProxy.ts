import { request as forward, type IncomingHttpHeaders } from 'node:http';
import { startTestServer, type TestServer } from '../testServer';

/** An answer of the service on its way to the client. */
export interface Passing {
	method: string;
	/** Path and query as the service got them. */
	path: string;
	status: number;
	headers: IncomingHttpHeaders;
	body: string;
}

/** How a service differs from the embedded one. */
export interface Rewriting {
	/** The path that the service gets for the one that was asked for; undefined: the proxy answers 404 itself. */
	request?: (path: string) => string | undefined;
	/** The `Accept` that the service gets in place of the one that was sent. */
	accept?: string;
	/** What is different in an answer. */
	answer?: (passing: Passing) => Partial<Pick<Passing, 'status' | 'headers' | 'body'>>;
}

export interface RewritingProxy {
	server: TestServer;
	/** From now on; nothing where it is left out. */
	rewrite(rewriting?: Rewriting): void;
}

/** A proxy that makes another service of the embedded one. On 127.0.0.1, a free port. */
export async function startRewritingProxy(target: string): Promise<RewritingProxy> {
	let rewriting: Rewriting = {};
	const server = await startTestServer((incoming, outgoing, content) => {
		const { request = (same: string) => same, answer = () => ({}), accept } = rewriting;
		const { method = 'GET', url = '/' } = incoming;
		const headers = { ...incoming.headers, ...(accept === undefined ? {} : { accept }) };
		const path = request(url);
		if (path === undefined) return void outgoing.writeHead(404).end();
		const outward = forward(`${target}${path}`, { method, headers, agent: false }, (response) => {
			const parts: Buffer[] = [];
			response.on('data', (part: Buffer) => parts.push(part));
			response.on('end', () => {
				const status = response.statusCode ?? 502;
				const body = Buffer.concat(parts).toString();
				const passing = { method, path, status, headers: response.headers, body };
				const sent = { ...passing, ...answer(passing) };
				const own = new Set(['transfer-encoding', 'connection', 'content-length']);
				const kept = Object.entries(sent.headers).filter(([name, value]) => value && !own.has(name));
				outgoing.writeHead(sent.status, Object.fromEntries(kept)).end(sent.body);
			});
		});
		outward.on('error', () => outgoing.destroy());
		outward.end(content);
	});
	return {
		server,
		rewrite(other = {}) {
			rewriting = other;
			server.requests.length = 0;
		},
	};
}

/** The body with each `href` of its links changed. @param change of the href as the service gave it */
export function withHrefs(body: string, change: (href: string) => string): string {
	return body.replace(
		/"href":"([^"]*)"/g,
		(_match, href: string) => `"href":${JSON.stringify(change(href))}`,
	);
}

/** Addresses that say nothing: each path of the service under a number. */
export class OpaqueAddresses {
	private readonly paths: string[] = [];

	/** @param path as the service knows it */
	readonly opaque = (path: string): string => {
		const at = this.paths.indexOf(path);
		return `/go/x${at >= 0 ? at : this.paths.push(path) - 1}`;
	};

	/** The path that an opaque one stands for, with the query that was added to it; others as they are. */
	readonly path = (asked: string): string | undefined => {
		const found = /^\/go\/x(\d+)(\?.*)?$/.exec(asked);
		if (!found) return asked;
		const path = this.paths[Number(found[1])];
		const query = found[2] ?? '';
		return path?.includes('?') ? path + query.replace('?', '&') : path && path + query;
	};

	/** A rewriting with which all links and every `Location` are opaque. */
	get rewriting(): Rewriting {
		return {
			request: this.path,
			answer: ({ headers, body }) => {
				const { location } = headers;
				if (location === undefined) return { body: withHrefs(body, this.opaque) };
				return { headers: { ...headers, location: this.opaque(location) }, body: '' };
			},
		};
	}
}
