import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { STATEMENTS } from './docsStatements';

/**
 * Statements of the pages on what the nodes do, each with the test that proves it. A statement or a
 * test that is reworded or removed fails here; behavior that changes fails in the test named.
 */
const root = resolve(__dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8').replace(/\s+/g, ' ');

const proofs = Object.entries(STATEMENTS).flatMap(([page, statements]) =>
	statements.map(([sentence, file, title]): [string, string, string, string] => [
		page,
		sentence,
		file,
		title,
	]),
);

test.each(proofs)('%s: "%s" is proved by %s', (page, sentence, file, title) => {
	expect(textOf(page)).toContain(sentence);
	expect(textOf(join('test', 'n8n', `${file}.test.ts`))).toContain(title);
});
