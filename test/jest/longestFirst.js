const { default: Sequencer } = require('@jest/test-sequencer');

/** Tests that take minutes, for a machine that has not run them yet. */
const LONGEST = [
	'variants/prove.test.ts',
	'polling/simulation.test.ts',
	'rows/largeRows.test.ts',
	'upkeep/durability.test.ts',
	'otherServices/feedShapes.test.ts',
	'rows/filters.test.ts',
	'security/foreignOrigin.test.ts',
	'otherServices/freedoms.test.ts',
];

/** Lets the longest tests begin first, so that no core waits for them at the end. */
class LongestFirst extends Sequencer {
	/**
	 * @param {import('@jest/test-result').Test[]} tests
	 */
	sort(tests) {
		const isLongest = ({ path }) => LONGEST.some((name) => path.replaceAll('\\', '/').endsWith(name));
		const sorted = super.sort(tests);
		return [...sorted.filter(isLongest), ...sorted.filter((test) => !isLongest(test))];
	}
}

module.exports = LongestFirst;
