import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * The page's own files lie beside the source, which is
 * always there: the service is never published without it.
 */
const own = join(__dirname, '..', '..', 'service', 'page');

/** The files served, and nothing else of the folder: [address, file]. */
function files(): ReadonlyArray<readonly [string, string]> {
	const names = readdirSync(own).filter((name) => /\.(?:js|css)$/.test(name));
	return [['/', 'index.html'], ...names.map((name) => [`/${name}`, name] as const)];
}

const headers = {
	'Content-Security-Policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
	'X-Content-Type-Options': 'nosniff',
	'Cache-Control': 'no-cache',
};

/** The page for a person at `/`. */
export async function servePage(app: FastifyInstance): Promise<void> {
	await app.register(fastifyStatic, { root: own, serve: false, cacheControl: false });
	for (const [url, name] of files()) {
		app.get(url, (_request, reply): FastifyReply => reply.headers(headers).sendFile(name, own));
	}
}
