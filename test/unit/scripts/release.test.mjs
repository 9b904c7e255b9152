import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { unfinished, unfinishedIn } from '../../../scripts/release/unfinished.mjs';
import { root } from '../../../scripts/setup/paths.mjs';

const page = 'https://github.com/acme/n8n-nodes-datagrid';
const ready = {
	version: '1.2.3',
	homepage: `${page}#readme`,
	author: { name: 'Ann Lee', email: 'ann@acme.dev' },
	repository: { url: `git+${page}.git` },
};
const changelog = '# Changelog\n\n## 1.2.3 (2026-12-01)\n';
const sources = new Map([['credentials/A.credentials.ts', `'${page}/blob/main/README.md#credential'`]]);

test('a package without placeholders may be published', () => {
	assert.deepEqual(unfinished(ready, changelog, sources), []);
});

test('each placeholder is named with its file', () => {
	/** @type {Array<[Parameters<typeof unfinished>, RegExp]>} */
	const cases = [
		[[{ ...ready, author: { ...ready.author, name: 'The n8n-nodes-datagrid authors' } }, changelog, sources], /author\.name/],
		[[{ ...ready, author: { ...ready.author, email: 'a@n8n-nodes-datagrid.example' } }, changelog, sources], /author\.email/],
		[[{ ...ready, author: { ...ready.author, email: 'a@example.com' } }, changelog, sources], /author\.email/],
		[[{ ...ready, homepage: 'https://github.com/other/n8n-nodes-datagrid' }, changelog, sources], /homepage/],
		[[ready, '# Changelog\n\n## 1.2.3 (unreleased)\n', sources], /CHANGELOG/],
		[[ready, changelog, new Map([['nodes/Grid/Grid.node.json', 'https://github.com/other/n8n-nodes-datagrid/x']])], /Grid\.node\.json/],
	]; // prettier-ignore
	for (const [given, expected] of cases) {
		const sentences = unfinished(...given);
		assert.equal(sentences.length, 1, sentences.join('\n'));
		assert.match(String(sentences[0]), expected);
	}
});

test('a placeholder in the URL of the repository is reported', () => {
	const repository = { url: 'git+https://github.com/n8n-nodes-datagrid/n8n-nodes-datagrid.git' };
	assert.match(unfinished({ ...ready, repository }, changelog, sources).join('\n'), /repository\.url/);
});

test('the placeholders of this package are reported with existing files', () => {
	for (const sentence of unfinishedIn(root)) {
		const file = /^([\w./]+):/.exec(sentence)?.[1] ?? '';
		assert.ok(existsSync(join(root, file)) && file !== '', sentence);
	}
});
