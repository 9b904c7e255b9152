import { env } from 'node:process';

/**
 * Tests that only CI and `npm test -- --all` run. They start browsers or processes, wait for real
 * seconds, move hundreds of megabytes, or repeat at random what another test says once.
 */
export const SECOND_TIER = [
	'test/contract/service/access/confined.test.ts',
	'test/contract/service/access/everyLink.test.ts',
	'test/contract/service/access/revoked.test.ts',
	'test/contract/service/access/slowReaders.test.ts',
	'test/contract/service/csv/csvRoundTrip.test.ts',
	'test/contract/service/csv/hostileFiles.test.ts',
	'test/contract/service/http/hostileBodies.test.ts',
	'test/contract/service/http/hostileQueries.test.ts',
	'test/contract/service/http/silentClients.test.ts',
	'test/contract/service/page/',
	'test/contract/service/rows/filters.test.ts',
	'test/contract/service/rows/largeGrid.test.ts',
	'test/contract/service/rows/largeRows.test.ts',
	'test/contract/service/rows/typeChange.test.ts',
	'test/contract/service/rows/typeChangeKill.test.ts',
	'test/contract/service/upkeep/',
	'test/fuzz/',
	'test/n8n/Entity/findRows.test.ts',
	'test/n8n/Entity/overlappingProcesses.test.ts',
	'test/n8n/Entity/overlappingRuns.test.ts',
	'test/n8n/Entity/settlingFile.test.ts',
	'test/n8n/Entity/sync/export.test.ts',
	'test/n8n/Entity/sync/importFile.test.ts',
	'test/n8n/Entity/sync/oddFiles.test.ts',
	'test/n8n/badInput.test.ts',
	'test/n8n/otherServices/',
	'test/unit/testbed/start.test.ts',
	'test/variants/',
];

/**
 * @param {boolean} all whether the second tier runs, too
 * @returns {string[]} arguments of jest that choose the tests
 */
export const testsOf = (all) =>
	all
		? []
		: // An argument replaces the patterns of the configuration.
			['--testPathIgnorePatterns', '/node_modules/', '/test/e2e/', ...SECOND_TIER.map((path) => `/${path}`)];

/**
 * Whether this run of `npm test` includes the second tier.
 * @param {readonly string[]} args
 */
export const runsAll = (args) => args.includes('--all') || (env['CI'] ?? '') !== '';
