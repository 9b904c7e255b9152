import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * The page's own files lie beside the source, which is
 * always there: the service is never published without it.
 */
const own = join(__dirname, '..', '..', 'service', 'page');

/** The files served, and nothing else of the folders they lie in: [address, folder, file]. */
function files(): ReadonlyArray<readonly [string, string, string]> {
	/** The grid library, served from its package: the page takes nothing from outside. */
	const library = dirname(dirname(require.resolve('tabulator-tables')));
	return [
		['/', own, 'index.html'],
		['/page.css', own, 'page.css'],
		['/page.js', own, 'page.js'],
		['/tabulator.css', join(library, 'css'), 'tabulator_simple.min.css'],
		['/tabulator.js', join(library, 'js'), 'tabulator.min.js'],
	];
}

const headers = {
	'Content-Security-Policy':
		"default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
	'X-Content-Type-Options': 'nosniff',
	'Cache-Control': 'no-cache',
};

/** The page for a person at `/`: see grids, edit cells, watch changes. */
export async function servePage(app: FastifyInstance): Promise<void> {
	await app.register(fastifyStatic, { root: own, serve: false, cacheControl: false });
	for (const [url, folder, name] of files()) {
		app.get(url, (_request, reply): FastifyReply => reply.headers(headers).sendFile(name, folder));
	}
}
