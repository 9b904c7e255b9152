const { default: Sequencer } = require('@jest/test-sequencer');

/** Tests that take longest, the longest first, for a machine that has not run them yet. */
const LONGEST = [
	'variants/prove.test.ts',
	'n8n/badInput.test.ts',
	'polling/simulation.test.ts',
	'rows/largeRows.test.ts',
	'upkeep/durability.test.ts',
	'page/sizes.test.ts',
	'rows/filters.test.ts',
	'page/leaving.test.ts',
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
