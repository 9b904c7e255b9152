import { until } from '../until';

/** n8n closes idle connections after five seconds, possibly while a request is sent on one. */
const OWN_CONNECTION = { connection: 'close' } as const;

/**
 * n8n responds like this before it does anything else, as long as it has no connection to its
 * database.
 */
const NOT_READY = 'Database is not ready!';

/**
 * Sends a request to n8n, again while its database is not ready.
 * @param url of n8n's interface, a webhook, a form or an MCP server
 * @throws Fault if the database does not become ready
 */
export async function requestN8n(
	url: string | URL,
	{ headers = {}, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> {
	return await until('the database of n8n', async () => {
		const response = await fetch(url, { ...init, headers: { ...OWN_CONNECTION, ...headers } });
		if (response.status !== 503 || !(await response.clone().text()).includes(NOT_READY)) return response;
		return undefined;
	});
}
