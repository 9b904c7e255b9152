/**
 * Packages for the container: what the service imports, and what also builds it and the nodes.
 * @type {Readonly<Record<'build' | 'service', readonly string[]>>}
 */
export const PACKAGES = {
	build: [
		'@rollup/plugin-node-resolve',
		'@swc/core',
		'@types/node',
		'gulp',
		'n8n-workflow',
		'rollup',
		'typescript',
	],
	service: [
		'@fastify/busboy',
		'@fastify/cors',
		'@fastify/rate-limit',
		'@fastify/static',
		'@photostructure/sqlite',
		'fastify',
		'jose',
		'swagger-ui-dist',
		'zod',
	],
};
