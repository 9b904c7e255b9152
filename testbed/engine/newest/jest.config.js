const { join } = require('node:path');
const base = require('../../../jest.config.js');

const modules = process.env.N8N_MODULES;
if (!modules) throw new Error('N8N_MODULES is not set: run `npm run engine`');

/**
 * Runs the tests of the nodes with the engine of an installed n8n instead of the one in
 * package.json.
 * @type {import('jest').Config}
 */
module.exports = {
	...base,
	rootDir: join(__dirname, '..', '..', '..'),
	roots: ['<rootDir>/test/n8n'],
	moduleNameMapper: {
		'^n8n-core$': join(__dirname, 'n8nCore.js'),
		'^n8n-core/(.*)$': join(modules, 'n8n-core', '$1'),
		// Nodes, tests and engine must share one copy of each.
		'^(n8n-workflow|@n8n/di|reflect-metadata)$': join(modules, '$1'),
	},
};
