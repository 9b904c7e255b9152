const { existsSync } = require('node:fs');
const { join } = require('node:path');
const base = require('../../../jest.config.js');

const modules = process.env.N8N_MODULES;
if (!modules) throw new Error('N8N_MODULES is not set: run `npm run engine`');

/**
 * Files and folders of what depends on the engine: each operation once, parameters and expressions,
 * pickers, credentials and secrets, binary data, tools, polls, and how n8n's HTTP helper reads
 * responses.
 */
const TESTS = [
	...['agent', 'describedExamples', 'groupedProblems', 'hints', 'largeResponses', 'loginPage'],
	...['operations', 'pickers', 'EntityTrigger', 'Form', 'PublicLink', 'PushNotification', 'security'],
	...['Entity/rows', 'Entity/selection', 'Entity/tool', 'Entity/upsert'],
	...['Entity/columns/expandedRows', 'Entity/columns/storedColumns', 'Entity/columns/unknownOptions'],
	...['Entity/sync/export', 'Entity/sync/importFile', 'Entity/sync/sync'],
	...['otherServices/brokenResponses', 'otherServices/cancel'],
	...['otherServices/encodings', 'otherServices/tlsFailures'],
];
const root = join(__dirname, '..', '..', '..');

/** @param {string} name of a file or folder below `test/n8n` */
function patternOf(name) {
	const path = join(root, 'test', 'n8n', name);
	if (existsSync(path)) return `<rootDir>/test/n8n/${name}/**/*.test.ts`;
	if (existsSync(`${path}.test.ts`)) return `<rootDir>/test/n8n/${name}.test.ts`;
	throw new Error(`There is no test/n8n/${name}`);
}

/**
 * Runs them with the engine of an installed n8n instead of the one in package.json.
 * @type {import('jest').Config}
 */
module.exports = {
	...base,
	rootDir: root,
	roots: ['<rootDir>/test/n8n'],
	testMatch: TESTS.map(patternOf),
	moduleNameMapper: {
		'^n8n-core$': join(__dirname, 'n8nCore.js'),
		'^n8n-core/(.*)$': join(modules, 'n8n-core', '$1'),
		// Nodes, tests and engine must share one copy of each.
		'^(n8n-workflow|@n8n/di|reflect-metadata)$': join(modules, '$1'),
	},
};
