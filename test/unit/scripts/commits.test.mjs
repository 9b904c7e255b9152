import { deepStrictEqual } from 'node:assert';
import { test } from 'node:test';
import { subjectFaults } from '../../../scripts/commits/subject.mjs';

test('a valid subject has no faults', () => {
	deepStrictEqual(subjectFaults('Cache time-zone formatters in value conversion'), []);
	deepStrictEqual(subjectFaults('Pass the base URL to each request'), []);
	deepStrictEqual(subjectFaults(`Add ${'x'.repeat(68)}`), []);
});

test('each fault of a subject is named', () => {
	deepStrictEqual(subjectFaults(`Add ${'x'.repeat(69)}`), ['is 73 characters long, 72 are allowed']);
	deepStrictEqual(subjectFaults('Add a rule.'), ['ends with a full stop']);
	deepStrictEqual(subjectFaults('a rule'), ['does not start with a capitalized verb']);
	deepStrictEqual(subjectFaults('Added a rule'), ['"Added" is not an imperative']);
	deepStrictEqual(subjectFaults('Fixes a rule'), ['"Fixes" is not an imperative']);
	deepStrictEqual(subjectFaults('Fixing a rule'), ['"Fixing" is not an imperative']);
});
