import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forbidden } from '../rules/errors';
import { isBySession } from './sessions';

/** Methods that change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses changes with HTTP Basic or the cookie of a session by pages of other sites: a browser
 * keeps both and adds them to every request to this host, whoever makes it. Programs send none of
 * the headers.
 * @param own further origins of pages that belong to the service; `*` for all
 */
export function refuseForeignPages(app: FastifyInstance, own: readonly string[]): void {
	const origins = new Set(own.map((origin) => origin.toLowerCase()));
	app.addHook('onRequest', (request, _reply, next) => {
		const isChange =
			!SAFE_METHODS.has(request.method) &&
			(/^basic /i.test(request.headers.authorization ?? '') || isBySession(request));
		if (isChange && isFromForeignPage(request, origins))
			throw forbidden('A page of another site sent this request with the credentials of the browser');
		next();
	});
}

function isFromForeignPage({ headers, host }: FastifyRequest, own: ReadonlySet<string>): boolean {
	const { origin, 'sec-fetch-site': site } = headers;
	if (own.has('*') || own.has(origin?.toLowerCase() ?? '')) return false;
	if (site === 'cross-site' || site === 'same-site') return true;
	return origin !== undefined && !isOriginOf(origin, host);
}

/** The scheme is not compared: a reverse proxy may add TLS. */
function isOriginOf(origin: string, host: string): boolean {
	if (!URL.canParse(origin)) return false;
	const { protocol, host: ofPage } = new URL(origin);
	const own = `${protocol}//${host}`;
	return URL.canParse(own) && new URL(own).host === ofPage;
}

/**
 * Whether a script of a page made the request: a browser would show its log-in window for a
 * challenge, and keep what is entered there. Only browsers send both headers.
 */
export const isByScript = ({ headers }: FastifyRequest): boolean =>
	headers['sec-fetch-site'] !== undefined && headers['sec-fetch-mode'] !== 'navigate';
