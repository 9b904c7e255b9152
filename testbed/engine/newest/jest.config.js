const { join } = require('node:path');
const base = require('../../../jest.config.js');

const modules = process.env.N8N_MODULES;
if (!modules) throw new Error('N8N_MODULES names no folder: run `npm run engine`');

/**
 * The tests of the nodes with the engine of an installed n8n instead of the one in package.json.
 * @type {import('jest').Config}
 */
module.exports = {
	...base,
	rootDir: join(__dirname, '..', '..', '..'),
	roots: ['<rootDir>/test/n8n'],
	moduleNameMapper: {
		'^n8n-core$': join(__dirname, 'n8nCore.js'),
		'^n8n-core/(.*)$': join(modules, 'n8n-core', '$1'),
		// One copy of each for the nodes, the tests and the engine itself.
		'^(n8n-workflow|@n8n/di|reflect-metadata)$': join(modules, '$1'),
	},
};
