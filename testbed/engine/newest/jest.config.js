const { join } = require('node:path');
const base = require('../../../jest.config.js');

const modules = process.env.N8N_MODULES;
if (!modules) throw new Error('N8N_MODULES is not set: run `npm run engine`');

/**
 * What depends on the engine: each operation once, parameters and expressions, pickers, credentials
 * and secrets, binary data, tools, polls, and how n8n's HTTP helper reads responses.
 */
const TESTS = [
	'{agent,describedExamples,groupedProblems,hints,largeResponses,loginPage}.test.ts',
	'{operations,pickers}.test.ts',
	'{EntityTrigger,Form,PublicLink,PushNotification,security}/**/*.test.ts',
	'Entity/{rows,selection,tool,upsert}.test.ts',
	'Entity/columns/{expandedRows,storedColumns,unknownOptions}.test.ts',
	'Entity/sync/{export,importFile,sync}.test.ts',
	'otherServices/{brokenResponses,cancel,charsets,tlsFailures}.test.ts',
];

/**
 * Runs them with the engine of an installed n8n instead of the one in package.json.
 * @type {import('jest').Config}
 */
module.exports = {
	...base,
	rootDir: join(__dirname, '..', '..', '..'),
	roots: ['<rootDir>/test/n8n'],
	testMatch: TESTS.map((path) => `<rootDir>/test/n8n/${path}`),
	moduleNameMapper: {
		'^n8n-core$': join(__dirname, 'n8nCore.js'),
		'^n8n-core/(.*)$': join(modules, 'n8n-core', '$1'),
		// Nodes, tests and engine must share one copy of each.
		'^(n8n-workflow|@n8n/di|reflect-metadata)$': join(modules, '$1'),
	},
};
