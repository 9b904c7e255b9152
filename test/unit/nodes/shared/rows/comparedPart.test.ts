import { fieldSchema } from '../../../../../client/resources/fields';
import { canonicalKey, type ComparedField, sameValue } from '../../../../../nodes/shared/rows/equality';

const column = fieldSchema.parse({ id: 'f1', name: 'Name', type: { name: 'string' } });
const loose: ComparedField = { ...column, compareAs: { rule: 'ignoreCaseAndSpaces', decimals: 2 } };

test.each([
	['Caf\u00e9', 'Cafe\u0301'],
	['CAFE\u0301', 'caf\u00e9'],
	['Wei\u00df 1', 'WEISS1'],
	['\u03bf\u03b4\u03cc\u03c2', '\u039f\u0394\u038c\u03a3'],
])('%s and %s are equal without case and spaces, and differ exactly', (one, other) => {
	expect(sameValue(loose, one, other)).toBe(true);
	expect(canonicalKey([loose], { f1: one })).toBe(canonicalKey([loose], { f1: other }));
	expect(sameValue(column, one, other)).toBe(false);
	expect(canonicalKey([column], { f1: one })).not.toBe(canonicalKey([column], { f1: other }));
});
