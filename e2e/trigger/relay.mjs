import { createServer, request } from 'node:http';

/**
 * Stands between n8n and the service, passes everything on as it is, and tells when an answer of the updates feed has gone
 * to n8n: the moment around which a kill hurts most.
 * @param {string} target
 * @returns {Promise<{ url: string, onceFeedAnswered: () => Promise<void>, close: () => void }>}
 */
export async function startRelay(target) {
	/** @type {Set<() => void>} */
	const waiting = new Set();
	const server = createServer((incoming, outgoing) => {
		const onward = request(
			new URL(incoming.url ?? '/', target),
			{ method: incoming.method ?? 'GET', headers: incoming.headers, agent: false },
			(answer) => {
				outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(outgoing);
				if (!incoming.url?.includes('/updates?')) return;
				outgoing.once('finish', () => {
					for (const tell of waiting) tell();
					waiting.clear();
				});
			},
		);
		onward.on('error', () => outgoing.destroy());
		incoming.pipe(onward);
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
		onceFeedAnswered: () =>
			new Promise((resolve) =>
				waiting.add(() => {
					resolve();
				}),
			),
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
