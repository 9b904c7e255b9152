import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { isBuilt, noteBuild, sourcesOf } from '../../../scripts/setup/built.mjs';
import { temporaryFolder } from './temporaryFolder.mjs';

let folder = '';
beforeEach(async () => {
	folder = await temporaryFolder({
		'service/main.ts': 'one',
		'service/rules/types.ts': 'two',
		'dist-service/main.js': 'built',
	});
});
const build = async () => {
	await noteBuild('service', await sourcesOf('service', folder), folder);
};

test('nothing is built that no build has noted', async () => {
	assert.equal(await isBuilt('service', folder), false);
	await build();
	assert.equal(await isBuilt('service', folder), true);
	assert.equal(await isBuilt('build', folder), false);
});

for (const [what, path] of [
	['a source', 'service/rules/types.ts'],
	['a new source', 'service/rules/access.ts'],
	['a setting', 'tsconfig.service.json'],
	['the result', 'dist-service/main.js'],
]) {
	test(`it is built again after a change of ${what}`, async () => {
		await build();
		await writeFile(join(folder, path ?? ''), 'changed');
		assert.equal(await isBuilt('service', folder), false);
	});
}

test('it is built again if the result is gone', async () => {
	await build();
	await rm(join(folder, 'dist-service'), { recursive: true });
	assert.equal(await isBuilt('service', folder), false);
});

test('a source that changes during the build is built again', async () => {
	const sources = await sourcesOf('service', folder);
	await writeFile(join(folder, 'service', 'main.ts'), 'changed');
	await noteBuild('service', sources, folder);
	assert.equal(await isBuilt('service', folder), false);
});
