import type { Rule } from './faultProxy';

/** Every link and every `Location` names this origin. */
export function linksTo(origin: string): Rule {
	return () => ({
		kind: 'change',
		response: ({ headers, body }) => ({
			headers: {
				...headers,
				...(headers.location === undefined ? {} : { location: origin + headers.location }),
			},
			body: body.replaceAll('"href":"/', `"href":"${origin}/`),
		}),
	});
}

/** Redirects every request to this origin. */
export function redirectsTo(origin: string, status: 302 | 307 | 308): Rule {
	return ({ path }) => ({ kind: 'response', status, headers: { location: origin + path } });
}
