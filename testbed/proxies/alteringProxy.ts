import { startTestServer, type TestServer } from '../testServer';

/** A request on its way to the service; a test may change it. */
export interface PassingRequest {
	method: string;
	/** Path and query. */
	path: string;
	body: string;
}

/** What a proxy makes of the traffic. Each is called in the order in which requests and answers come. */
export interface Alterations {
	/** Answers in place of the service, or lets the request pass (undefined), perhaps later. */
	request?: (request: PassingRequest) => Promise<{ status: number; body: string } | undefined> | undefined;
	/** The body that is passed on in place of the service's own. */
	response?: (request: PassingRequest, body: string) => string;
}

/** A proxy before the service that changes what passes through it. On 127.0.0.1, a free port. Stop it when done. */
export async function startAlteringProxy(target: string, alterations: Alterations): Promise<TestServer> {
	const pass = async (request: PassingRequest, headers: Record<string, string>) => {
		const own = await alterations.request?.(request);
		if (own) return { ...own, headers: {} };
		const { method, path, body } = request;
		const sent = method === 'GET' ? {} : { body };
		const answer = await fetch(target + path, { method, headers, redirect: 'manual', ...sent });
		const text = await answer.text();
		const kept = Object.fromEntries(
			['content-type', 'location'].flatMap((name) => {
				const value = answer.headers.get(name);
				return value === null ? [] : [[name, value]];
			}),
		);
		return { status: answer.status, headers: kept, body: alterations.response?.(request, text) ?? text };
	};
	return await startTestServer((incoming, outgoing, body) => {
		const { method = '', url: path = '', headers } = incoming;
		const kept = Object.fromEntries(
			['authorization', 'accept', 'content-type'].flatMap((name) => {
				const value = headers[name];
				return typeof value === 'string' ? [[name, value]] : [];
			}),
		);
		pass({ method, path, body }, kept).then(
			(answer) => outgoing.writeHead(answer.status, answer.headers).end(answer.body),
			() => outgoing.destroy(),
		);
	});
}
