import type { PassingResponse, Rule } from './faultProxy';

/** How a service differs from the embedded one. */
export interface Rewriting {
	/**
	 * Path for the service instead of the requested one; undefined: the proxy responds with 404.
	 */
	request?: (path: string) => string | undefined;
	/** `Accept` header for the service instead of the one that was sent. */
	accept?: string;
	/** Changes of a response. */
	response?: (passing: PassingResponse) => Partial<Pick<PassingResponse, 'status' | 'headers' | 'body'>>;
}

/** Makes the embedded service look like another one. */
export function rewrite({ request = (same) => same, accept, response }: Rewriting): Rule {
	return ({ path: requested, headers }) => {
		const path = request(requested);
		if (path === undefined) return { kind: 'response', status: 404 };
		return {
			kind: 'change',
			request: { path, ...(accept === undefined ? {} : { headers: { ...headers, accept } }) },
			...(response === undefined ? {} : { response }),
		};
	};
}

/** Changes each `href` in a body of links. */
export function withHrefs(body: string, change: (href: string) => string): string {
	return body.replace(
		/"href":"([^"]*)"/g,
		(_match, href: string) => `"href":${JSON.stringify(change(href))}`,
	);
}

/** Opaque addresses: each path of the service gets a number. */
export class OpaqueAddresses {
	private readonly paths: string[] = [];

	/** @param path path of the service */
	readonly opaque = (path: string): string => {
		const at = this.paths.indexOf(path);
		return `/go/x${at >= 0 ? at : this.paths.push(path) - 1}`;
	};

	/** Resolves an opaque path, with the query that was added to it; other paths are unchanged. */
	readonly path = (requested: string): string | undefined => {
		const found = /^\/go\/x(\d+)(\?.*)?$/.exec(requested);
		if (!found) return requested;
		const path = this.paths[Number(found[1])];
		const query = found[2] ?? '';
		return path?.includes('?') ? path + query.replace('?', '&') : path && path + query;
	};

	/** Makes all links and every `Location` opaque. */
	get rewriting(): Rewriting {
		return {
			request: this.path,
			response: ({ headers, body }) => {
				const { location } = headers;
				if (location === undefined) return { body: withHrefs(body, this.opaque) };
				return { headers: { ...headers, location: this.opaque(location) }, body: '' };
			},
		};
	}
}
