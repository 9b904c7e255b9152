import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The files of the page, as `gulp service` builds them; tests run the service from its source. */
const own = join(__dirname, '..', '..', 'dist-service', 'page');

/** Swagger UI, served from its package instead of a CDN. */
const viewer = dirname(require.resolve('swagger-ui-dist/package.json'));

/** The served files: [address, folder, file]. Nothing else in their folders is served. */
const files: ReadonlyArray<readonly [string, string, string]> = [
	['/', own, 'index.html'],
	...['page.js', 'page.css', 'docs/docs.js', 'docs/docs.css'].map((path) => [`/${path}`, own, path] as const),
	['/api/docs', own, 'docs/index.html'],
	['/api/docs/swagger-ui.css', viewer, 'swagger-ui.css'],
	['/api/docs/swagger-ui-bundle.js', viewer, 'swagger-ui-bundle.js'],
];

const headers = {
	'Content-Security-Policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
	'X-Content-Type-Options': 'nosniff',
	'Cache-Control': 'no-cache',
	Vary: 'Accept-Encoding',
};

/** Serves the page at `/`. */
export async function servePage(app: FastifyInstance): Promise<void> {
	await app.register(fastifyStatic, { root: own, serve: false, cacheControl: false, preCompressed: true });
	for (const [url, folder, name] of files) {
		app.get(url, (_request, reply): FastifyReply => reply.headers(headers).sendFile(name, folder));
	}
	// Addresses of grids and rows. Behind a proxy, only relative paths lead to the page's files.
	app.get('/open/*', async (request, reply) => {
		const [path = ''] = request.url.split('?', 1);
		const root = '../'.repeat(path.split('/').length - 2);
		const html = await readFile(join(own, 'index.html'), 'utf8');
		const page = html.replaceAll(/(?<=(?:href|src)=")(?!data:)/g, root);
		return reply.headers(headers).type('text/html; charset=utf-8').send(page);
	});
}
