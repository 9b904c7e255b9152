import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** The page's own files lie beside the source, which is always there: the service is never published without it. */
const own = join(__dirname, '..', 'service', 'page');
/** The grid library, served from its package: the page takes nothing from outside. */
const library = () => dirname(dirname(require.resolve('tabulator-tables')));

const files: Readonly<Record<string, { readonly path: () => string; readonly type: string }>> = {
	'/': { path: () => join(own, 'index.html'), type: 'text/html' },
	'/page.css': { path: () => join(own, 'page.css'), type: 'text/css' },
	'/page.js': { path: () => join(own, 'page.js'), type: 'text/javascript' },
	'/tabulator.css': { path: () => join(library(), 'css', 'tabulator_simple.min.css'), type: 'text/css' },
	'/tabulator.js': { path: () => join(library(), 'js', 'tabulator.min.js'), type: 'text/javascript' },
};

const headers = {
	'Content-Security-Policy':
		"default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
	'X-Content-Type-Options': 'nosniff',
	'Cache-Control': 'no-cache',
};

/** The page for a person at `/`: see grids, edit cells, watch changes. */
export function servePage(app: FastifyInstance): void {
	for (const [url, { path, type }] of Object.entries(files)) {
		app.get(url, async (_request, reply) =>
			reply
				.headers(headers)
				.type(`${type}; charset=utf-8`)
				.send(await readFile(path())),
		);
	}
}
