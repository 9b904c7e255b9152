import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from '@swc/core';
import { probes } from '../variants/probes';
import { readVariant } from '../variants/variant';
import { mutants } from './all';
import { finderName, mutated } from './mutant';
import { mutationsOf } from './mutations';

const root = resolve(__dirname, '../..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const all = Object.values(mutants).flat();

test('names of mutants are unique', () => {
	expect(new Set(all.map(({ breaks }) => breaks)).size).toBe(all.length);
});

describe.each(all)('$breaks', (mutant) => {
	test('matches the sources exactly once and yields valid TypeScript', () => {
		const text = textOf(mutant.file);
		const broken = mutated(mutant, text);
		expect(broken).not.toBe(text);
		expect(() => parseSync(broken, { syntax: 'typescript', target: 'es2022' })).not.toThrow();
	});

	test('names existing tests and probes', () => {
		for (const finder of mutant.foundBy) {
			if ('probe' in finder) {
				expect(probes.some(({ name }) => name.includes(finder.probe))).toBe(true);
				expect(() => readVariant(finder.variant ?? {})).not.toThrow();
				continue;
			}
			expect(existsSync(join(root, finder.test))).toBe(true);
			if (finder.named !== undefined) expect(textOf(finder.test)).toContain(finder.named);
		}
	});
});

test('a mutant whose text occurs never or twice is an error', () => {
	const [mutant] = all;
	if (!mutant) throw new Error('There are no mutants');
	expect(() => mutated(mutant, '')).toThrow('occurs 0 times');
	expect(() => mutated(mutant, mutant.find + mutant.find)).toThrow('occurs 2 times');
});

test.each(["const { 'a-b': a } = b;", "declare module 'a' {}", "import a from 'a';"])(
	'`%s` has no random mutant: its text is a name',
	(code) => {
		expect(mutationsOf('file.ts', code)).toEqual([]);
	},
);

test.each([
	['a.every(b)', ['a.some(b)']],
	['a.filter(b)', ['a']],
	['a(b, c, d)', ['a(c, b, d)']],
	['a && b', ['a || b', 'a', 'b']],
	['a < 1', ['a <= 1', '(1 + 1)']],
	['a?.filter(b).length', []],
	['a.toString()', []],
])('the random mutants of `%s`', (code, expected) => {
	const mutations = mutationsOf('file.ts', `const x = ${code};`);
	expect(mutations.map(({ replacement }) => replacement)).toEqual(expected);
});

test('docs/development/reliability.md lists each mutant and the tests that find it', () => {
	const [, section = ''] = textOf('docs/development/reliability.md').split(/^## Broken variants$/m);
	const [table = ''] = section.split(/^## /m);
	const rows = table.split('\n').flatMap((line) => {
		const [, breaks = '', finders = ''] = line.split('|').map((cell) => cell.trim());
		return line.startsWith('|') && !/^(Mutant|-+)$/.test(breaks) ? [[breaks, finders]] : [];
	});
	expect(rows).toEqual(all.map(({ breaks, foundBy }) => [breaks, foundBy.map(finderName).join(', ')]));
});
