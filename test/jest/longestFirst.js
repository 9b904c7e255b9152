const { default: Sequencer } = require('@jest/test-sequencer');

/** Tests that take longest, the longest first, for a machine that has not run them yet. */
const LONGEST = [
	'upkeep/durability.test.ts',
	'page/sizes.test.ts',
	'variants/prove.test.ts',
	'page/finding.test.ts',
	'rows/filters.test.ts',
	'Entity/settling.test.ts',
	'rows/largeRows.test.ts',
	'page/leaving.test.ts',
	'presentations/boards.test.ts',
	'sharing/sharing.test.ts',
	'n8n/badInput.test.ts',
	'csv/hostileFiles.test.ts',
	'sync/roundTrip.test.ts',
	'rows/typing.test.ts',
	'polling/simulation.test.ts',
	'access/confined.test.ts',
	'access/slowReaders.test.ts',
	'fuzz/inputs.test.ts',
];

/**
 * @param {import('@jest/test-result').Test} test
 * @returns its place among the longest tests; -1 if it is none
 */
const placeOf = ({ path }) => LONGEST.findIndex((name) => path.replaceAll('\\', '/').endsWith(name));

/** Lets the longest tests begin first, so that no core waits for them at the end. */
class LongestFirst extends Sequencer {
	/**
	 * @param {import('@jest/test-result').Test[]} tests
	 */
	sort(tests) {
		const sorted = super.sort(tests);
		const longest = sorted.filter((test) => placeOf(test) >= 0);
		longest.sort((one, other) => placeOf(one) - placeOf(other));
		return [...longest, ...sorted.filter((test) => placeOf(test) < 0)];
	}
}

module.exports = LongestFirst;
